/**
 * Invitations.
 *
 * 1. An invitation is open while its row exists, it is neither revoked nor expired, and its inviter's account is active
 *    and has at least the role that the invitation gives. Deactivating an account revokes its invitations for good.
 * 2. The transaction that creates the account deletes the invitation of its address: it creates one account at most.
 * 3. The token in a link is derived from a secret (keys.ts), so the table does not reveal links.
 * 4. Every account that an invitation creates has an address at which its user received a link, or which a provider
 *    confirms (domain/log-in/external-log-in.ts). The link of a reusable
 *    invitation only mails another link, to the address that the user enters. That link contains the address, so
 *    nothing is stored for users who never join; it creates one account, because an address has one account.
 */

import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import { invitesChanged } from '../../domain/users/accounts/invitation-entries.js'
import type { InvitationGrants } from '../../domain/users/accounts/invitations.js'
import { type JobPayloads, type JobSpec, writeJobs } from '../jobs/job-table.js'
import { checkAddedRows } from '../limits/stored-rows.js'
import { commit, commitEntries } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'
import { createUsers, type NewUser } from './users.js'

export interface InvitationRow {
  id: number
  /** null: a link that any number of users may use */
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
  /** what the Notification Bot writes to users who join; null: the text of the organization */
  welcome_message: string | null
  is_revoked: boolean
}

/** The properties of an invitation that the inviter sets. */
export interface NewInvitation extends InvitationGrants {
  invited_by: number
  /** null: it never expires */
  expires_in_minutes: number | null
  notify_referrer_on_join: boolean
  welcome_message: string | null
}

/**
 * Invites users by their addresses, and adds the jobs that mail the links.
 * @param realm_url what the links in the mails begin with
 * Throws StaleStateError when a concurrent request invited one of the addresses.
 */
export const inviteAddresses = (
  context: WriteContext,
  realm_url: string,
  emails: readonly string[],
  input: NewInvitation,
): Promise<void> =>
  insertInvitations(context, emails, input, (ids) => ({
    jobs: ids.map((invitation_id) => ({ kind: 'invitation_mail', payload: { invitation_id, realm_url } })),
    result: undefined,
  }))

/** Creates an invitation link for any number of users. @returns its id */
export const createInvitationLink = (context: WriteContext, input: NewInvitation): Promise<number> =>
  insertInvitations(context, [null], input, ([id]) => ({ jobs: [], result: id as number }))

const insertInvitations = async <R>(
  context: WriteContext,
  emails: readonly (string | null)[],
  input: NewInvitation,
  compose: (ids: readonly number[]) => { jobs: readonly JobSpec[]; result: R },
): Promise<R> => {
  const { realm } = context
  const now = secondsNow()
  const expires_at = input.expires_in_minutes === null ? null : now + input.expires_in_minutes * 60
  // Ids are allocated before the insert, because the payloads of the jobs contain them.
  const allocated = await context.sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('invitations', 'id')) as id from generate_series(1, ${emails.length})`
  const ids = allocated.map(({ id }) => id)
  const { invited_by, invited_as, channel_ids, group_ids } = input
  return commit(context, async (tx) => {
    const named = emails.filter((email) => email !== null).map((email) => email.toLowerCase())
    await deleteClosedInvitations(tx, realm, named)
    await tx`
        insert into invitations (realm_id, id, email, invited_by, invited_at, expires_at, invited_as, channel_ids,
          group_ids, include_realm_default_subscriptions, notify_referrer_on_join, welcome_message)
        overriding system value
        select ${realm.id}, id, email, ${invited_by}, ${now}, ${expires_at}::bigint, ${invited_as},
          ${channel_ids as number[]}::int[], ${group_ids as number[]}::int[],
          ${input.include_realm_default_subscriptions}, ${input.notify_referrer_on_join}, ${input.welcome_message}::text
        from unnest(${ids}::bigint[], ${emails as (string | null)[]}::text[]) as one (id, email)`
    if (emails.includes(null)) await checkAddedRows(tx, 'invitation_links', { realm_id: realm.id, user_id: invited_by })
    return { entries: [invitesChanged({ inviter_ids: [invited_by] })], ...compose(ids) }
  })
}

/** Deletes invitations of these addresses that are no longer open: new ones would conflict with them. */
const deleteClosedInvitations = async (
  tx: Transaction,
  { id: realm_id, state }: Realm,
  emails: readonly string[],
): Promise<void> => {
  if (emails.length === 0) return
  const rows = await selectInvitations(tx, realm_id, tx`and lower(email) = any(${emails as string[]})`)
  const closed = rows.filter((row) => !isOpenInvitation(state, row)).map(({ id }) => id)
  if (closed.length > 0) await tx`delete from invitations where realm_id = ${realm_id} and id = any(${closed})`
}

/** The addresses, in lower case, that have an open invitation. Index: invitations_email. */
export const findInvitedAddresses = async (
  sql: Sql,
  state: RealmState,
  emails: readonly string[],
): Promise<Set<string>> => {
  const lower = emails.map((email) => email.toLowerCase())
  const rows = await selectInvitations(sql, state.realm.id, sql`and lower(email) = any(${lower})`)
  return new Set(rows.filter((row) => isOpenInvitation(state, row)).map(({ email }) => (email ?? '').toLowerCase()))
}

/** The open invitation of an address; the newest, if there are several. Index: invitations_email. */
export const findInvitationOfAddress = async (
  sql: Sql,
  state: RealmState,
  email: string,
): Promise<InvitationRow | undefined> => {
  const rows = await selectInvitations(sql, state.realm.id, sql`and lower(email) = ${email.trim().toLowerCase()}`)
  return rows.findLast((row) => isOpenInvitation(state, row))
}

/** Whether the invitation can be accepted now (1). */
export const isOpenInvitation = (
  state: RealmState,
  { is_revoked, expires_at, invited_by, invited_as }: InvitationRow,
): boolean => {
  const inviter = state.users.get(invited_by)
  if (inviter?.is_active !== true || inviter.role > invited_as) return false
  return !is_revoked && (expires_at === null || expires_at > secondsNow())
}

const selectInvitations = (db: Sql | Transaction, realm_id: number, condition: ReturnType<Sql>) => db<InvitationRow[]>`
  select id, email, invited_by, invited_at, expires_at, invited_as, channel_ids, group_ids,
    include_realm_default_subscriptions, notify_referrer_on_join, welcome_message, is_revoked
  from invitations where realm_id = ${realm_id} ${condition}
  order by id`

/** The open invitations, oldest first. */
export const loadOpenInvitations = async (sql: Sql, state: RealmState): Promise<InvitationRow[]> =>
  (await selectInvitations(sql, state.realm.id, sql``)).filter((row) => isOpenInvitation(state, row))

/** Loads the invitation with this id, open or not. Returns undefined when it is of the other kind. */
export const loadInvitation = async (
  sql: Sql,
  realm_id: number,
  id: number,
  kind: 'address' | 'link',
): Promise<InvitationRow | undefined> => {
  const [row] = await selectInvitations(sql, realm_id, sql`and id = ${id}`)
  return row !== undefined && (row.email === null) === (kind === 'link') ? row : undefined
}

/** An open invitation, and the address for which its link was mailed. */
export interface FoundInvitation {
  invitation: InvitationRow
  /** null: the link is reusable and was passed on, so the user must confirm an address first (4) */
  email: string | null
}

/** The open invitation to which a link with this token belongs. */
export const findInvitationByToken = async (
  sql: Sql,
  state: RealmState,
  token: string,
): Promise<FoundInvitation | undefined> => {
  const { keys } = state.deployment
  const [, id, input] = /^(\d{1,15})-([0-9A-Za-z]{32})$/.exec(token) ?? []
  if (id !== undefined && input !== undefined) {
    if (!keys.isInvitationKey(input, state.realm.id, Number(id))) return undefined
    const invitation = await loadOpenInvitation(sql, state, Number(id))
    return invitation && { invitation, email: invitation.email }
  }
  const join = keys.readJoinToken(token, state.realm.id, secondsNow())
  const invitation = join && (await loadOpenInvitation(sql, state, join.invitation_id))
  return join && invitation && { invitation, email: join.email }
}

/**
 * Adds the job that mails the link which confirms an address (4). The address is that of a user who joins by a reusable
 * invitation.
 */
export const enqueueJoinMail = async (
  { dependencies: { sql, enqueueJobs }, realm }: WriteContext,
  payload: JobPayloads['join_mail'],
): Promise<void> => {
  enqueueJobs(await sql.begin((tx) => writeJobs(tx, realm.id, [{ kind: 'join_mail', payload }])))
}

/** The invitation with this id, if it is open. */
export const loadOpenInvitation = async (
  sql: Sql,
  state: RealmState,
  id: number,
): Promise<InvitationRow | undefined> => {
  const [row] = await selectInvitations(sql, state.realm.id, sql`and id = ${id}`)
  return row !== undefined && isOpenInvitation(state, row) ? row : undefined
}

/** Revokes an invitation. Throws BAD_REQUEST when it was used or revoked meanwhile, and StaleStateError. */
export const revokeInvitation = (context: WriteContext, { id, email, invited_by }: InvitationRow) =>
  commit(context, async (tx) => {
    const deleted =
      email === null
        ? await tx`
              update invitations set is_revoked = true
              where realm_id = ${context.realm.id} and id = ${id} and not is_revoked`
        : await tx`delete from invitations where realm_id = ${context.realm.id} and id = ${id}`
    if (deleted.count === 0) throw errors.noSuchInvitation()
    return { entries: [invitesChanged({ inviter_ids: [invited_by] })] }
  })

/** Revokes all open invitations of a user who is deactivated. @returns whether there were any */
export const revokeUserInvitations = async (tx: Transaction, realm_id: number, user_id: number): Promise<boolean> => {
  const links = await tx`
    update invitations set is_revoked = true
    where realm_id = ${realm_id} and invited_by = ${user_id} and email is null and not is_revoked`
  const addressed = await tx`
    delete from invitations
    where realm_id = ${realm_id} and invited_by = ${user_id} and email is not null`
  return links.count + addressed.count > 0
}

/** Adds a job that mails the invitation again. Throws StaleStateError. */
export const resendInvitation = (context: WriteContext, realm_url: string, invitation: InvitationRow) =>
  commitEntries(
    context,
    [invitesChanged({ inviter_ids: [invitation.invited_by] })],
    [{ kind: 'invitation_mail', payload: { invitation_id: invitation.id, realm_url } }],
  )

/** What else belongs to the transaction that creates an account. */
export interface NewcomerExtras {
  /** follow those of the account */
  readonly entries: readonly NewEntry[]
  /** Sends more statements, after the rows of the account. */
  store(tx: Transaction): Promise<unknown>[]
}

/**
 * Creates the account of an invited user (2). The user may have chosen more channels than the invitation names.
 * @param host the organization's host name
 * @param jobs more jobs to add in the same transaction
 * @returns its id. Throws BAD_REQUEST, and StaleStateError.
 */
export const acceptInvitation = async (
  context: WriteContext,
  host: string,
  invitation: InvitationRow,
  input: Pick<NewUser, 'email' | 'full_name' | 'role' | 'password_hash' | 'channel_ids' | 'group_ids' | 'settings'>,
  jobs: readonly JobSpec[] = [],
  besides: NewcomerExtras = { entries: [], store: () => [] },
): Promise<number> => {
  const { realm } = context
  const { state } = realm
  const { id, email, invited_by, invited_as, notify_referrer_on_join } = invitation
  const defaults = invitation.include_realm_default_subscriptions ? state.defaultChannels : []
  // The request that created the invitation may have named a channel or a group twice.
  const channel_ids = [...new Set([...invitation.channel_ids, ...defaults, ...(input.channel_ids ?? [])])]
  const group_ids = [...new Set([...invitation.group_ids, ...(input.group_ids ?? [])])]
  const user = { ...input, role: input.role ?? invited_as, channel_ids, group_ids }
  const user_id = state.nextId('users')
  const { welcome_message: invitation_text } = invitation
  const welcome = invitation_text ?? state.settings.welcome_message_custom_text
  await createUsers(context, host, [user], async (tx) => {
    const found =
      email === null
        ? await tx`select from invitations where realm_id = ${realm.id} and id = ${id} and not is_revoked for share`
        : await tx`delete from invitations where realm_id = ${realm.id} and id = ${id}`
    if (found.count === 0) throw errors.noSuchInvitation()
    const notices: JobSpec[] = [
      ...(notify_referrer_on_join
        ? [{ kind: 'invitation_accepted' as const, payload: { user_id, inviter_id: invited_by } }]
        : []),
      ...(welcome === '' ? [] : [{ kind: 'welcome_message' as const, payload: { user_id, invitation_text } }]),
    ]
    const entries = [...besides.entries, invitesChanged({ inviter_ids: [invited_by] })]
    return { entries, jobs: [...jobs, ...notices], underHeadLock: () => besides.store(tx) }
  })
  return user_id
}
