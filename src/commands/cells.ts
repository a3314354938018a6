/** Commands that move organizations between the cells of a deployment (docs/operations.md). */
import { command } from './command.js'
import { findRealm } from './lookup.js'

/** The commands for cells, in the order of the help. */
export const cellCommands = [
  command({
    name: 'move-realm',
    takes: ['realm'],
    options: { 'to-database': { value: 'URL', required: true }, 'to-redis': { value: 'URL', required: true } },
    about:
      'Moves an organization to another cell, whose gateways have the same SECRET_KEY and files. Its calls are\n' +
      'refused with 503 while the last rows are copied, and afterwards in this cell: then lead its host name to the\n' +
      'other cell. A move that was interrupted is continued by the same command. docs/operations.md has all steps.',
    async run(context, input) {
      const administration = await context.open()
      const realm = await findRealm(administration, input.realm)
      const target = { DATABASE_URL: input.options['to-database'], REDIS_URL: input.options['to-redis'] }
      return { realm: realm.state.realm.string_id, ...(await administration.moveRealm(realm, target)) }
    },
  }),

  command({
    name: 'delete-moved-realm',
    takes: ['realm'],
    about: 'Deletes the rows that move-realm left in this cell. Files stay: the other cell uses them.',
    async run(context, input) {
      const administration = await context.open()
      const realm = await findRealm(administration, input.realm)
      await administration.deleteMovedRealm(realm)
      return { realm: input.realm, is_deleted: true }
    },
  }),
]
