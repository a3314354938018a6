/**
 * Undoes what an act changed of structural rows: the inverse as one change.
 *
 * 1. It is composed and permitted on the state at the guard, like every change. If a row is not as the act left it,
 *    nothing is changed.
 * 2. The rows after the change equal those before the act, apart from derived columns (domain/audit/columns.ts): an
 *    inverse that would lead elsewhere is refused.
 */
import { composeAuditChanges } from '../../domain/audit/audit.js'
import { expandRowChanges } from '../../domain/log/compact-row-changes.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import type { ChannelRow, RealmRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { OtherWays } from '../../domain/realm/authentication.js'
import { composeInverse, type UndoContext } from '../../domain/undo/inverse-steps.js'
import { ChangedSinceActError, findConflicts, findDifferences } from '../../domain/undo/row-conflicts.js'
import { listRowRemainders, MAX_CONFLICTS, UNDO_DAYS, type UndoPlan } from '../../domain/undo/undo-plan.js'
import type { Account } from '../../domain/users/accounts/account-changes.js'
import { invitesChanged } from '../../domain/users/accounts/invitation-entries.js'
import { composeRoleChangeEntries } from '../../domain/users/accounts/role-change-visibility.js'
import { composeChannelNewsJobs } from '../channels/channel-news.js'
import { joinChanges, leaveChanges } from '../channels/subscriptions.js'
import { type Change, combineChanges, commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { hasNamedTopics } from '../messages/narrow/channel-topics.js'
import type { Queues } from '../register/event-queues.js'
import { loadAccount } from '../users/account-changes.js'
import { composeCredentialMails } from '../users/credential-mails.js'
import { revokeUserInvitations } from '../users/invitations.js'
import { loadPartnersOfGuests } from '../users/user-access.js'

/** What an undo needs to know of the deployment. */
export interface UndoSite {
  /** the organization's host name and address */
  host: string
  realm_url: string
  /** which ways to log in there are besides passwords */
  ways: OtherWays
  queues: Pick<Queues, 'removeAll'>
}

/** What only the database knows of the rows. */
type Facts = Omit<UndoContext, 'user'>

const ofTable = (changes: readonly RowChange[], table: RowChange['table']) =>
  changes.filter((change) => change.table === table)

const loadFacts = async (write: WriteContext, changes: readonly RowChange[], site: UndoSite): Promise<Facts> => {
  const { sql, realm } = write
  const { state } = realm
  const accounts = new Map<number, Account>()
  for (const { key } of ofTable(changes, 'users')) {
    const user = state.users.get((key as Partial<UserRow>).id ?? 0)
    if (user !== undefined) accounts.set(user.id, await loadAccount(write, state, user, site.host))
  }
  for (const { key, before } of ofTable(changes, 'channels')) {
    const { topics_policy } = (before ?? {}) as Partial<ChannelRow>
    const { id = 0 } = key as Partial<ChannelRow>
    if (topics_policy === 'empty_topic_only' && (await hasNamedTopics(sql, realm.id, id))) {
      throw errors.badRequest('Some messages of this channel have a topic: rename these topics to general chat first.')
    }
  }
  const changesPictures = ofTable(changes, 'realms').some(
    ({ before, after }) =>
      (before as Partial<RealmRow> | null)?.settings?.default_avatar_source !==
      (after as Partial<RealmRow> | null)?.settings?.default_avatar_source,
  )
  const partners = changesPictures ? await loadPartnersOfGuests(sql, state) : new Map<number, number[]>()
  return { accounts, partners, ways: site.ways }
}

/** The change that undoes these rows, and whose event queues end with it. */
interface RowsUndo {
  change: Change
  ended: number[]
}

/** Composes the change (1, 2). Throws ChangedSinceActError, ACT_NOT_REVERSIBLE, and the refusals of ordinary calls. */
const composeRowsUndo = (state: RealmState, user: UserRow, changes: readonly RowChange[], facts: Facts): RowsUndo => {
  const conflicts = findConflicts(state, changes)
  if (conflicts.length > 0) throw new ChangedSinceActError(conflicts.slice(0, MAX_CONFLICTS))
  const { entries, after, joins, leaves } = composeInverse(state, { user, ...facts }, changes)
  const rows = changes.filter(({ table }) => table !== 'subscriptions')
  if (findDifferences(after, rows).length > 0) throw errors.actNotReversible({ days: UNDO_DAYS })
  const users = [...facts.accounts.values()].flatMap(({ id, partners }) => {
    const [previous, present] = [state.users.get(id), after.users.get(id)]
    return previous === undefined || present === undefined ? [] : [{ id, partners, former: previous, present }]
  })
  const own = users.flatMap(({ id, partners }) => composeRoleChangeEntries(state, after, id, partners))
  const deactivated = users.filter(({ former, present }) => former.is_active && !present.is_active)
  const jobs = [
    ...users.flatMap(({ former, present }) => composeCredentialMails(state, user, former, present)),
    ...composeNews(state, user, changes),
  ]
  const main: Change = async (tx) => {
    const revoked: NewEntry[] = []
    for (const { id } of deactivated) {
      if (await revokeUserInvitations(tx, state.realm.id, id)) revoked.push(invitesChanged({ inviter_ids: [] }))
    }
    return { entries: [...entries, ...own, ...revoked.slice(0, 1)], jobs }
  }
  const ended = users.filter(({ former, present }) => former.key_version !== present.key_version)
  return {
    change: combineChanges([main, joinChanges(after, joins), leaveChanges(after, leaves)]),
    ended: [...deactivated, ...ended].map(({ id }) => id),
  }
}

/** The jobs by which changed channels report what changed. */
const composeNews = (state: RealmState, user: UserRow, changes: readonly RowChange[]) =>
  ofTable(changes, 'channels').flatMap(({ key, before }) => {
    const channel = state.channels.get((key as Partial<ChannelRow>).id ?? 0)
    return channel === undefined
      ? []
      : composeChannelNewsJobs(state, user, channel, (before ?? {}) as Partial<ChannelRow>)
  })

/**
 * Undoes these rows. Throws ChangedSinceActError, ACT_NOT_REVERSIBLE, BAD_REQUEST and other refusals of ordinary calls,
 * and StaleStateError.
 */
export const undoRows = async (
  write: WriteContext,
  user: UserRow,
  compact: Parameters<typeof expandRowChanges>[0],
  site: UndoSite,
): Promise<void> => {
  const { realm } = write
  const changes = expandRowChanges(compact)
  const facts = await loadFacts(write, changes, site)
  const { change, ended } = composeRowsUndo(realm.state, user, changes, facts)
  await commit(write, change)
  if (ended.length > 0) await site.queues.removeAll(realm.id, ended)
}

/** What undoing these rows would do, and the refusal that the undo would meet. */
export const planRows = async (
  write: WriteContext,
  user: UserRow,
  compact: Parameters<typeof expandRowChanges>[0],
  site: UndoSite,
): Promise<{ plan: UndoPlan; obstacle: ApiError | undefined }> => {
  const changes = expandRowChanges(compact)
  const { state } = write.realm
  const conflicts = findConflicts(state, changes).slice(0, MAX_CONFLICTS)
  const plan = {
    changes: composeAuditChanges(changes.map((change) => ({ ...change, before: change.after, after: change.before }))),
    changed_since: conflicts,
    remains: listRowRemainders(changes),
  }
  if (conflicts.length > 0) return { plan, obstacle: undefined }
  try {
    composeRowsUndo(write.realm.state, user, changes, await loadFacts(write, changes, site))
    return { plan, obstacle: undefined }
  } catch (error) {
    if (error instanceof ApiError) return { plan, obstacle: error }
    // The rows changed while the facts were read.
    if (!(error instanceof ChangedSinceActError)) throw error
    return { plan: { ...plan, changed_since: [...error.conflicts] }, obstacle: undefined }
  }
}
