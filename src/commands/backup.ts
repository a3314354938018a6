/** Commands that make and restore backups (docs/operations.md). */
import { resolve } from 'node:path'
import { makeBackup, restoreBackup } from '../administration/backup.js'
import { command } from './command.js'

/** The commands for backups, in the order of the help. */
export const backupCommands = [
  command({
    name: 'backup',
    takes: ['folder'],
    about:
      'Copies the database (with pg_dump) and the uploaded files into a folder, while everything works. A later backup into\n' +
      'the same folder replaces the dump and copies new files only. SECRET_KEY is not in it: keep it apart.',
    async run(context, input) {
      const folder = resolve(input.folder)
      const { sql } = await context.open()
      const copied = await makeBackup(sql, context.config(), context.env, folder)
      context.tell(
        'Keep SECRET_KEY, apart from the backup: without it, all API keys and links of a restored copy are invalid.',
      )
      return { folder, ...copied }
    },
  }),

  command({
    name: 'restore',
    takes: ['folder'],
    options: { 'new-secret': { about: 'SECRET_KEY is another one, and all API keys and links become invalid' } },
    about:
      'Restores a backup (with pg_restore) into an empty database, its files into UPLOADS_DIR or S3_BUCKET, and migrates the\n' +
      'database. Its processes send nothing until it is adopted: see adopt --help.',
    async run(context, input) {
      const folder = resolve(input.folder)
      const { sql } = await context.open(false)
      const restored = await restoreBackup(sql, context.config(), context.env, folder, input.options['new-secret'])
      context.tell(
        'The database is a copy, whose processes send nothing. If it takes the place of the original, which must not run any' +
          ' more: node dist/cli.js adopt',
      )
      return { folder, ...restored }
    },
  }),
]
