/**
 * Runs of the synchronization with directories.
 *
 * 1. A run reads the directory, plans what changes (domain/log-in/directory-synchronization.ts), and writes jobs for
 *    small parts of it in one transaction. So no other writer waits long, and a part runs once.
 * 2. Several workers may be due at once: one of them claims a run.
 * 3. How a run ended is in `directory_runs`, and why it was stopped or failed also in the audit log.
 */

import { secondsNow } from '#rules/time.js'
import type { Directory } from '../../domain/log-in/directories.js'
import {
  type LinkedAccount,
  planSynchronization,
  type ReadPerson,
  type SynchronizationPlan,
} from '../../domain/log-in/directory-synchronization.js'
import { type JobSpec, type QueuedJob, writeJobs } from '../jobs/job-table.js'
import type { Change } from '../log/change.js'
import type { Actor, WriteContext } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'
import { insertIdentity } from './identities.js'
import { recordLogInAct } from './log-in-acts.js'

/** The author of what a run changes, for the audit log. */
export const directoryActor = ({ key }: Pick<Directory, 'key'>): Actor => ({
  user_id: null,
  address: '',
  action: `synchronization ${key}`,
})

/** Accounts, and members of a group, that one transaction changes. */
const ACCOUNTS_AT_ONCE = 20
const MEMBERS_AT_ONCE = 200

/** Loads the accounts that are linked to people of a directory. Index: identities_subject. */
export const loadLinkedAccounts = (
  sql: Sql,
  realm_id: number,
  { key }: Pick<Directory, 'key'>,
): Promise<LinkedAccount[]> => sql<LinkedAccount[]>`
  select i.user_id, i.subject, coalesce(a.picture, '') as picture, coalesce(a.is_deactivated, false) as is_deactivated
  from identities i left join directory_accounts a
    on a.realm_id = i.realm_id and a.user_id = i.user_id and a.directory = i.method
  where i.realm_id = ${realm_id} and i.method = ${key}
  order by i.user_id`

/** Plans a run on the present state. */
export const planRun = async (
  { sql, realm }: Pick<WriteContext, 'sql' | 'realm'>,
  directory: Directory,
  people: readonly ReadPerson[],
  isForced: boolean,
): Promise<SynchronizationPlan> =>
  planSynchronization(realm.state, directory, people, await loadLinkedAccounts(sql, realm.id, directory), isForced)

/** The change that begins what a plan says (1), or records why the run stops (3). */
export const beginRun =
  ({ realm }: Pick<WriteContext, 'realm'>, directory: Directory, plan: SynchronizationPlan): Change =>
  async (tx) => {
    if (plan.stop !== undefined) return recordEnd(realm.id, directory, 'stopped', plan.stop)(tx)
    const now = secondsNow()
    for (const { user_id, subject, email } of plan.links) {
      const identity = { method: directory.key, issuer: directory.key, subject, email }
      await insertIdentity(tx, realm.id, user_id, identity, now)
      await recordLogInAct(tx, realm.id, directoryActor(directory), directory, { user_id, result: 'linked', email })
    }
    for (const user_id of plan.returned) {
      await storeDirectoryAccount(tx, realm.id, user_id, directory.key, { is_deactivated: false })
    }
    await storeResult(tx, realm.id, directory.key, 'done', '')
    return { entries: [], jobs: composeJobs(directory, plan) }
  }

/** The change that records that a run was stopped or failed (3). */
export const recordEnd =
  (realm_id: number, directory: Directory, result: 'stopped' | 'failed', reason: string): Change =>
  async (tx) => {
    await storeResult(tx, realm_id, directory.key, result, reason)
    const act = { user_id: null, result: 'refused', reason } as const
    await recordLogInAct(tx, realm_id, directoryActor(directory), directory, act)
    return { entries: [], jobs: [] }
  }

const storeResult = (
  tx: Transaction,
  realm_id: number,
  directory: string,
  result: 'done' | 'stopped' | 'failed',
  reason: string,
): Promise<unknown> => tx`
  insert into directory_runs (realm_id, directory, started_at, result, reason)
  values (${realm_id}, ${directory}, now(), ${result}, ${reason.slice(0, 500)})
  on conflict (realm_id, directory) do update set result = excluded.result, reason = excluded.reason`

/** The jobs of a plan. */
const composeJobs = ({ key: directory }: Directory, plan: SynchronizationPlan): JobSpec[] => [
  ...split(plan.accounts, ACCOUNTS_AT_ONCE).map(
    (accounts): JobSpec => ({ kind: 'directory_changes', payload: { directory, accounts, groups: [] } }),
  ),
  ...plan.groups
    .flatMap(({ group_id, add, remove }) => [
      ...split(add, MEMBERS_AT_ONCE).map((ids) => ({ group_id, add: ids, remove: [] })),
      ...split(remove, MEMBERS_AT_ONCE).map((ids) => ({ group_id, add: [], remove: ids })),
    ])
    .map((group): JobSpec => ({ kind: 'directory_changes', payload: { directory, accounts: [], groups: [group] } })),
  ...plan.pictures.map((picture): JobSpec => ({ kind: 'directory_picture', payload: { directory, ...picture } })),
]

const split = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

/** Claims the runs that are due, and writes their jobs (2). @returns the jobs, for the queue */
export const claimDueRuns = (sql: Sql, directories: readonly Directory[]): Promise<QueuedJob[]> =>
  sql.begin(async (tx) => {
    const jobs: QueuedJob[] = []
    for (const { key, organizations, synchronization } of directories) {
      if (synchronization === undefined || synchronization.minutes === 0) continue
      const { minutes } = synchronization
      const due = await tx<{ realm_id: number }[]>`
        insert into directory_runs (realm_id, directory, started_at)
        select r.id, ${key}, now() from realms r
        where r.is_active and not r.is_moving
          and (${organizations === undefined} or r.string_id = any(${(organizations ?? []) as string[]}::text[]))
          and not exists (
            select from directory_runs d where d.realm_id = r.id and d.directory = ${key}
              and d.started_at > now() - make_interval(mins => ${minutes})
          )
        order by r.id
        on conflict (realm_id, directory) do update set started_at = now()
          where directory_runs.started_at <= now() - make_interval(mins => ${minutes})
        returning realm_id`
      for (const { realm_id } of due) {
        jobs.push(...(await writeJobs(tx, realm_id, [{ kind: 'directory_run', payload: { directory: key } }])))
      }
    }
    return jobs
  }) as Promise<QueuedJob[]>

/** How many directories have each result of their last run, in all organizations. */
export const countRunResults = async (sql: Sql): Promise<Record<'done' | 'stopped' | 'failed', number>> => {
  const rows = await sql<{ result: string; count: number }[]>`
    select result, count(*)::int as count from directory_runs group by result`
  const count = (result: string) => rows.find((row) => row.result === result)?.count ?? 0
  return { done: count('done'), stopped: count('stopped'), failed: count('failed') }
}

/** Notes what a run did to an account. */
export const storeDirectoryAccount = (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  directory: string,
  patch: { picture: string } | { is_deactivated: boolean },
): Promise<unknown> =>
  'picture' in patch
    ? tx`
      insert into directory_accounts (realm_id, user_id, directory, picture)
      values (${realm_id}, ${user_id}, ${directory}, ${patch.picture})
      on conflict (realm_id, user_id, directory) do update set picture = excluded.picture`
    : tx`
      insert into directory_accounts (realm_id, user_id, directory, is_deactivated)
      values (${realm_id}, ${user_id}, ${directory}, ${patch.is_deactivated})
      on conflict (realm_id, user_id, directory) do update set is_deactivated = excluded.is_deactivated`
