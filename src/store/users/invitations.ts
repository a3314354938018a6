/**
 * Invitations.
 *
 * 1. An invitation is open while it is there, not revoked, not expired, and its inviter has an active account. An
 *    inviter who leaves takes theirs along, for good.
 * 2. The invitation of an address is used up in the transaction that creates the account: nobody joins twice by it.
 * 3. What stands in a link is derived (keys.ts), so nobody can read links out of the table.
 */

import type { RealmState } from '../../domain/log/state.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
import { errors } from '../../domain/protocol/errors.js'
import { invitesChanged } from '../../domain/users/invitation-entries.js'
import type { InvitationGrants } from '../../domain/users/invitations.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit, commitEntries } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'
import { createUsers, type NewUser } from './users.js'

export interface InvitationRow {
  id: number
  /** null: a link for anybody */
  email: string | null
  invited_by: number
  /** UNIX seconds */
  invited_at: number
  expires_at: number | null
  invited_as: number
  channel_ids: number[]
  group_ids: number[]
  include_realm_default_subscriptions: boolean
  notify_referrer_on_join: boolean
  is_revoked: boolean
}

/** What an inviter decides. */
export interface NewInvitation extends InvitationGrants {
  invited_by: number
  /** null: never */
  expires_in_minutes: number | null
  notify_referrer_on_join: boolean
}

/**
 * Invites people by their addresses; mails follow.
 * @param realm_url what the links in the mails begin with
 * Throws StaleStateError, when one of them was invited meanwhile.
 */
export const inviteAddresses = (
  context: WriteContext,
  realm_url: string,
  emails: readonly string[],
  given: NewInvitation,
): Promise<void> =>
  insertInvitations(context, emails, given, (ids) =>
    ids.map((invitation_id) => ({ kind: 'invitation_mail', payload: { invitation_id, realm_url } })),
  ).then(() => {})

/** Makes a link by which anybody can join. @returns its id */
export const createInvitationLink = async (context: WriteContext, given: NewInvitation): Promise<number> => {
  const [id] = await insertInvitations(context, [null], given, () => [])
  return id as number
}

const insertInvitations = async (
  context: WriteContext,
  emails: readonly (string | null)[],
  given: NewInvitation,
  composeJobs: (ids: readonly number[]) => readonly JobSpec[],
): Promise<number[]> => {
  const { realm } = context
  const now = secondsNow()
  const expires_at = given.expires_in_minutes === null ? null : now + given.expires_in_minutes * 60
  // Taken beforehand, because the jobs of a change name them.
  const taken = await context.sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('invitations', 'id')) as id from generate_series(1, ${emails.length})`
  const ids = taken.map(({ id }) => id)
  const { invited_by, invited_as, channel_ids, group_ids } = given
  await commit(context, async (tx) => {
    const named = emails.filter((email) => email !== null).map((email) => email.toLowerCase())
    await deleteClosedInvitations(tx, realm, named)
    await tx`
        insert into invitations (realm_id, id, email, invited_by, invited_at, expires_at, invited_as, channel_ids,
          group_ids, include_realm_default_subscriptions, notify_referrer_on_join)
        overriding system value
        select ${realm.id}, id, email, ${invited_by}, ${now}, ${expires_at}::bigint, ${invited_as},
          ${channel_ids as number[]}::int[], ${group_ids as number[]}::int[],
          ${given.include_realm_default_subscriptions}, ${given.notify_referrer_on_join}
        from unnest(${ids}::bigint[], ${emails as (string | null)[]}::text[]) as one (id, email)`
    return { entries: [invitesChanged({ inviter_ids: [invited_by] })], jobs: composeJobs(ids) }
  })
  return ids
}

/** Invitations of these addresses that are not open any more make room for new ones. */
const deleteClosedInvitations = async (
  tx: Transaction,
  { id: realm_id, state }: Realm,
  emails: readonly string[],
): Promise<void> => {
  if (emails.length === 0) return
  const rows = await selectInvitations(tx, realm_id, tx`and lower(email) = any(${emails as string[]})`)
  const closed = rows.filter((row) => !isOpen(state, row)).map(({ id }) => id)
  if (closed.length > 0) await tx`delete from invitations where realm_id = ${realm_id} and id = any(${closed})`
}

/** Those of the addresses that have an open invitation. Index: invitations_email. */
export const findInvitedAddresses = async (
  sql: Sql,
  state: RealmState,
  emails: readonly string[],
): Promise<Set<string>> => {
  const lower = emails.map((email) => email.toLowerCase())
  const rows = await selectInvitations(sql, state.realm.id, sql`and lower(email) = any(${lower})`)
  return new Set(rows.filter((row) => isOpen(state, row)).map(({ email }) => (email ?? '').toLowerCase()))
}

const isOpen = (state: RealmState, { is_revoked, expires_at, invited_by }: InvitationRow): boolean =>
  !is_revoked && (expires_at === null || expires_at > secondsNow()) && state.users.get(invited_by)?.is_active === true

const selectInvitations = (db: Sql | Transaction, realm_id: number, condition: ReturnType<Sql>) => db<InvitationRow[]>`
  select id, email, invited_by, invited_at, expires_at, invited_as, channel_ids, group_ids,
    include_realm_default_subscriptions, notify_referrer_on_join, is_revoked
  from invitations where realm_id = ${realm_id} ${condition}
  order by id`

/** The open invitations, oldest first. */
export const loadOpenInvitations = async (sql: Sql, state: RealmState): Promise<InvitationRow[]> =>
  (await selectInvitations(sql, state.realm.id, sql``)).filter((row) => isOpen(state, row))

/** The invitation of this id, open or not; undefined when it is of the other kind. */
export const loadInvitation = async (
  sql: Sql,
  realm_id: number,
  id: number,
  kind: 'address' | 'link',
): Promise<InvitationRow | undefined> => {
  const [row] = await selectInvitations(sql, realm_id, sql`and id = ${id}`)
  return row !== undefined && (row.email === null) === (kind === 'link') ? row : undefined
}

/** The open invitation that a link leads to. */
export const findInvitationByToken = async (
  sql: Sql,
  state: RealmState,
  token: string,
): Promise<InvitationRow | undefined> => {
  const [, id, given] = /^(\d{1,15})-([0-9A-Za-z]{32})$/.exec(token) ?? []
  if (id === undefined || given === undefined) return undefined
  return state.deployment.keys.isInvitationKey(given, state.realm.id, Number(id))
    ? loadOpenInvitation(sql, state, Number(id))
    : undefined
}

/** The invitation of this id, if it is open. */
export const loadOpenInvitation = async (
  sql: Sql,
  state: RealmState,
  id: number,
): Promise<InvitationRow | undefined> => {
  const [row] = await selectInvitations(sql, state.realm.id, sql`and id = ${id}`)
  return row !== undefined && isOpen(state, row) ? row : undefined
}

/** Takes an invitation back. Throws BAD_REQUEST when it was used or taken back meanwhile. */
export const revokeInvitation = (context: WriteContext, { id, email, invited_by }: InvitationRow) =>
  commit(context, async (tx) => {
    const gone =
      email === null
        ? await tx`
              update invitations set is_revoked = true
              where realm_id = ${context.realm.id} and id = ${id} and not is_revoked`
        : await tx`delete from invitations where realm_id = ${context.realm.id} and id = ${id}`
    if (gone.count === 0) throw errors.noSuchInvitation()
    return { entries: [invitesChanged({ inviter_ids: [invited_by] })] }
  })

/** Takes back all open invitations of somebody who leaves. @returns whether there were any */
export const revokeUserInvitations = async (tx: Transaction, realm_id: number, user_id: number): Promise<boolean> => {
  const links = await tx`
    update invitations set is_revoked = true
    where realm_id = ${realm_id} and invited_by = ${user_id} and email is null and not is_revoked`
  const addressed = await tx`
    delete from invitations
    where realm_id = ${realm_id} and invited_by = ${user_id} and email is not null`
  return links.count + addressed.count > 0
}

/** Mails an invitation once more. */
export const resendInvitation = (context: WriteContext, realm_url: string, invitation: InvitationRow) =>
  commitEntries(
    context,
    [invitesChanged({ inviter_ids: [invitation.invited_by] })],
    [{ kind: 'invitation_mail', payload: { invitation_id: invitation.id, realm_url } }],
  )

/**
 * Creates the account of somebody who was invited (2).
 * @param host the organization's host name
 * @param jobs what else follows
 * @returns its id. Throws BAD_REQUEST, and StaleStateError.
 */
export const acceptInvitation = async (
  context: WriteContext,
  host: string,
  invitation: InvitationRow,
  given: Pick<NewUser, 'email' | 'full_name' | 'password_hash'>,
  jobs: readonly JobSpec[] = [],
): Promise<number> => {
  const { realm } = context
  const { state } = realm
  const { id, email, invited_by, invited_as: role, group_ids, notify_referrer_on_join } = invitation
  const defaults = invitation.include_realm_default_subscriptions ? state.defaultChannels : []
  const user = { ...given, role, channel_ids: [...new Set([...invitation.channel_ids, ...defaults])], group_ids }
  const user_id = state.nextId('users')
  await createUsers(context, host, [user], async (tx) => {
    const found =
      email === null
        ? await tx`select from invitations where realm_id = ${realm.id} and id = ${id} and not is_revoked for share`
        : await tx`delete from invitations where realm_id = ${realm.id} and id = ${id}`
    if (found.count === 0) throw errors.noSuchInvitation()
    return {
      entries: [invitesChanged({ inviter_ids: [invited_by] })],
      jobs: notify_referrer_on_join
        ? [...jobs, { kind: 'invitation_accepted', payload: { user_id, inviter_id: invited_by } }]
        : jobs,
    }
  })
  return user_id
}
