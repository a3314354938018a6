/** Commands about what an organization has: its usage, its audit log with undoing acts, and all of it as an export. */
import { access, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { secondsNow } from '#rules/time.js'
import { OperatorError } from '../administration/operator-error.js'
import { Role, type UserRow } from '../domain/log/rows.js'
import { ChangedSinceActError } from '../domain/undo/row-conflicts.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import type { Realm } from '../store/log/realm.js'
import { loadAuditRecords } from '../store/realm/audit-log.js'
import { generateDocuments } from '../store/realm/export-content.js'
import { loadUsage } from '../store/realm/usage.js'
import { openStandbyReads } from '../store/standbys/standby-reads.js'
import { writeArchive } from '../workers/realm/tar-archive.js'
import { command, UsageError } from './command.js'
import { findRealm, findUser } from './lookup.js'

const exportTypes: Readonly<Record<string, number>> = { public: 1, consented: 2, all: 3 }

/** Acts that are printed at once. */
const DEFAULT_ACTS = 100
const MOST_ACTS = 10_000

const parseNumber = (text: string, option: string, most = 10 ** 15 - 1): number => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new UsageError(`--${option} must be a number from 1 to ${most}.`)
  return value
}

const exportRealm = command({
  name: 'export',
  takes: ['realm', 'file'],
  options: {
    messages: {
      value: 'WHICH',
      about:
        'public (the default): those of channels that are not private; consented: also the private messages of\n' +
        '    users who consented to exports; all: every message',
    },
    as: { value: 'EMAIL', about: 'whose right to see addresses applies; without it, the first active owner' },
  },
  about:
    'Writes the data of an organization into a new file, a gzip-compressed tar archive of JSON documents and uploaded\n' +
    'files, like the exports that administrators can request.',
  async run(context, { realm: string_id, file, options }) {
    const export_type = exportTypes[options.messages ?? 'public']
    if (export_type === undefined) throw new UsageError('--messages must be public, consented or all.')
    const target = resolve(file)
    if (await exists(target)) throw new OperatorError(`${target} exists already: name a new file.`)
    if (!(await exists(dirname(target)))) throw new OperatorError(`There is no folder ${dirname(target)}.`)
    const administration = await context.open()
    const realm = await findRealm(administration, string_id)
    const actor = findActor(realm, options.as)
    const config = context.config()
    const files = await openFileStorage(config)
    const standbys = openStandbyReads(administration.sql, config.DATABASE_READ_URL, 1)
    // Beside the file, so that the rename makes a whole archive appear.
    const folder = await mkdtemp(join(dirname(target), '.export-'))
    try {
      const now = secondsNow()
      const archive = join(folder, basename(target))
      await writeArchive(archive, generateDocuments(standbys, files, realm.state, { actor, export_type, now }), now)
      await rename(archive, target)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await standbys.close()
    }
    return { realm: string_id, file: target }
  },
})

/** The account with this address; without one, the first active owner. Throws OperatorError. */
const findActor = (realm: Realm, email: string | undefined): UserRow => {
  if (email !== undefined) return findUser(realm, email)
  const owners = [...realm.state.users.values()].filter(({ role, is_active }) => role === Role.owner && is_active)
  const [first] = owners.sort((a, b) => a.id - b.id)
  if (first !== undefined) return first
  throw new OperatorError(`${realm.state.realm.string_id} has no active owner: name an account with --as.`)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The commands about records, in the order of the help. */
export const recordCommands = [
  command({
    name: 'usage',
    takes: ['realm?'],
    about:
      'Prints what an organization, or each of them, has: accounts, channels, messages, the size of its files, and its\n' +
      'quotas. It reads every message once: with many millions this takes a while, and blocks nothing.',
    async run(context, input) {
      const { sql } = await context.open()
      const realms = await loadUsage(sql, input.realm === '' ? undefined : input.realm)
      if (input.realm !== '' && realms.length === 0)
        throw new OperatorError(`There is no organization named ${input.realm}.`)
      return { realms }
    },
  }),

  command({
    name: 'audit-log',
    takes: ['realm'],
    options: {
      limit: { value: 'NUMBER', about: `how many acts are printed; ${DEFAULT_ACTS} without it` },
      before: { value: 'ID', about: 'only acts before the one with this id: the next page' },
    },
    about:
      'Prints the administrative acts in an organization, the newest first: who did what, when, from which address,\n' +
      'with what was changed before and after. user is null for the command line.',
    async run(context, { realm: string_id, options }) {
      const limit = parseNumber(options.limit ?? String(DEFAULT_ACTS), 'limit', MOST_ACTS)
      const before = options.before === undefined ? Number.MAX_SAFE_INTEGER : parseNumber(options.before, 'before')
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      const acts = await loadAuditRecords(administration.sql, realm.id, { before, limit })
      return {
        acts: acts.map(({ timestamp, user_id, ...act }) => ({
          ...act,
          time: new Date(timestamp * 1_000).toISOString(),
          user: user_id === null ? null : (realm.state.users.get(user_id)?.delivery_email ?? `account ${user_id}`),
        })),
      }
    },
  }),

  command({
    name: 'undo',
    takes: ['realm', 'act'],
    options: {
      'dry-run': { about: 'says what would be done, what changed since, and what would stay' },
      as: { value: 'EMAIL', about: 'whose permissions apply; without it, those of the first active owner' },
    },
    about:
      'Undoes an administrative act of the last 30 days, by its id in the audit log, if everything still is as the act\n' +
      'left it; otherwise it prints what changed since, and changes nothing.',
    async run(context, { realm: string_id, act, options }) {
      const act_id = /^\d{1,15}$/.test(act) ? Number(act) : 0
      if (act_id < 1) throw new UsageError('<act> must be the id of an act, as audit-log prints it.')
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      const user = findActor(realm, options.as)
      try {
        if (!options['dry-run']) return { realm: string_id, undone: await administration.undoAct(realm, user, act_id) }
        const { obstacle, ...plan } = await administration.planUndo(realm, user, act_id)
        return { ...plan, obstacle: obstacle?.message ?? null }
      } catch (error) {
        if (!(error instanceof ChangedSinceActError)) throw error
        throw new OperatorError(`The act cannot be undone: changed since: ${JSON.stringify(error.conflicts)}`)
      }
    },
  }),

  exportRealm,
]
