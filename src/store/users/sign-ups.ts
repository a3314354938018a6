/**
 * Users who sign up without an invitation.
 *
 * 1. An account is created only with a link that was mailed to its address. The link is valid for a day and can be used
 *    once: the transaction that uses it deletes the row, or marks it as confirmed.
 * 2. A request for a link stores the same row and the same job whether or not the address has an account. The job
 *    decides what is mailed (workers/accounts/sign-up-mail.ts), so neither the answer nor its time reveals accounts.
 * 3. An address has one row. A second request makes the same link valid for another day.
 * 4. Where administrators approve accounts, the confirmed row has what the user chose, with the hash of the password,
 *    until an administrator decides. Until then the user has no account.
 * 5. The token in a link is derived from a secret, the id and the address (keys.ts). So the table reveals no links, and
 *    a link does not confirm another address that gets the id after a move or a restore.
 */

import { secondsNow } from '#rules/time.js'
import { requireGroupChannels } from '../../domain/channels/default-channel-groups.js'
import { limits } from '../../domain/limits/limits.js'
import { Role } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import { signUpsChanged } from '../../domain/users/accounts/sign-up-entries.js'
import { validateEmail, validateFullName } from '../../domain/users/name-and-email-rules.js'
import { type JobSpec, writeJobs } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'
import { composeJoinedAccount, hashNewPassword, type JoinedAccount, type JoinPlace } from './joining.js'
import { mailedLinkExpired } from './mailed-links.js'
import { composeWelcomeJobs, createUsers } from './users.js'

export interface SignUpRow {
  id: number
  email: string
  /** of the browser; '' if it is not known */
  timezone: string
  language: string
  /** UNIX seconds; null: the user has not opened the link, and the fields below are empty */
  confirmed_at: number | null
  full_name: string
  password_hash: string
  channel_groups: string[]
}

/** What a user chooses with the link. */
export interface SigningUpUser {
  full_name: string
  password: string
  timezone: string
  language: string
  /** the names of groups of default channels, to whose channels the user wants to be subscribed */
  channel_groups: readonly string[]
}

const LIFETIME_SECONDS = 86_400

/** Stores a request for a link, and the job that mails it (2, 3). @param realm_url what the link begins with */
export const requestSignUp = async (
  { dependencies: { sql, enqueueJobs }, realm }: WriteContext,
  { email, timezone, language }: Pick<SignUpRow, 'email' | 'timezone' | 'language'>,
  realm_url: string,
): Promise<void> => {
  const now = secondsNow()
  const jobs = await sql.begin(async (tx) => {
    await tx`
      delete from sign_ups
      where realm_id = ${realm.id} and confirmed_at is null and requested_at <= ${now - LIFETIME_SECONDS}`
    const [row] = await tx<{ id: number }[]>`
      insert into sign_ups (realm_id, email, requested_at, timezone, language)
      values (${realm.id}, ${email}, ${now}, ${timezone}, ${language})
      on conflict (realm_id, lower(email)) do update set
        requested_at = case when sign_ups.confirmed_at is null then excluded.requested_at else sign_ups.requested_at end
      returning id`
    const { id: sign_up_id } = row as { id: number }
    return writeJobs(tx, realm.id, [{ kind: 'sign_up_mail', payload: { sign_up_id, realm_url } }])
  })
  enqueueJobs(jobs)
}

const selectSignUps = (db: Sql | Transaction, realm_id: number, condition: ReturnType<Sql>) => db<SignUpRow[]>`
  select id, email, timezone, language, confirmed_at, full_name, password_hash, channel_groups
  from sign_ups where realm_id = ${realm_id} ${condition}
  order by confirmed_at, id`

/** The request with this id, if its link is valid or it waits for approval. */
export const loadSignUp = async (sql: Sql, realm_id: number, id: number): Promise<SignUpRow | undefined> => {
  const [row] = await selectSignUps(
    sql,
    realm_id,
    sql`and id = ${id} and (confirmed_at is not null or requested_at > ${secondsNow() - LIFETIME_SECONDS})`,
  )
  return row
}

/** The request to which a valid link with this token belongs (1). */
export const findSignUpByToken = async (
  sql: Sql,
  { deployment, realm }: RealmState,
  token: string,
): Promise<SignUpRow | undefined> => {
  const [, id, input] = /^(\d{1,15})-([0-9A-Za-z]{32})$/.exec(token) ?? []
  if (id === undefined || input === undefined) return undefined
  const row = await loadSignUp(sql, realm.id, Number(id))
  if (row?.confirmed_at !== null) return undefined
  return deployment.keys.isSignUpKey(input, realm.id, row) ? row : undefined
}

/** The users who wait for approval (4), the first one first. */
export const loadWaitingSignUps = (sql: Sql, realm_id: number): Promise<SignUpRow[]> =>
  selectSignUps(sql, realm_id, sql`and confirmed_at is not null`)

/** The hash of the password of a user who waits for approval. Index: sign_ups_email. */
export const findWaitingPassword = async (sql: Sql, realm_id: number, email: string): Promise<string | undefined> => {
  const [row] = await selectSignUps(
    sql,
    realm_id,
    sql`and lower(email) = ${email.trim().toLowerCase()} and confirmed_at is not null`,
  )
  return row?.password_hash
}

/**
 * Creates the account of a user who opened the link. Where administrators approve accounts, the user waits (4).
 * @returns the account; undefined if the user waits
 * Throws BAD_REQUEST, also when the link was used meanwhile, UNAUTHORIZED for a deactivated organization,
 * SERVER_NOT_READY, and StaleStateError.
 */
export const completeSignUp = async (
  context: WriteContext,
  { host, realm_url }: JoinPlace,
  sign_up: SignUpRow,
  input: SigningUpUser,
): Promise<JoinedAccount | undefined> => {
  const { full_name, timezone, language, channel_groups } = input
  // Before the structure lock, for which other requests wait.
  const password_hash = await hashNewPassword({ ...input, email: sign_up.email })
  const { realm } = context
  const user_id = await context.withStructureLock(async (write) => {
    const { state } = realm
    if (!state.realm.is_active) throw errors.realmDeactivated()
    if (state.settings.invite_required) throw errors.invitationRequired()
    const chosen = { ...sign_up, full_name, password_hash, timezone, language, channel_groups: [...channel_groups] }
    const account = composeAccount(state, chosen)
    if (!state.settings.sign_up_approval_required) {
      return createAccount(write, host, account, composeWelcomeJobs(state, realm_url), async (tx) => {
        if (!(await deleteSignUp(tx, realm.id, sign_up.id, tx`and confirmed_at is null`))) throw mailedLinkExpired()
      })
    }
    if (state.userByEmail(account.email) !== undefined) throw mailedLinkExpired()
    await commit(write, async (tx) => {
      await confirmSignUp(tx, realm.id, { ...chosen, full_name: account.full_name })
      return { entries: [signUpsChanged(describeSignUp(chosen, 'waits'))] }
    })
    return undefined
  })
  return user_id === undefined ? undefined : composeJoinedAccount(realm, user_id)
}

/** Creates the account of a user who waits for approval. Throws BAD_REQUEST and StaleStateError. */
export const approveSignUp = async (write: WriteContext, { host, realm_url }: JoinPlace, id: number): Promise<void> => {
  const { realm, sql } = write
  const row = await requireWaitingSignUp(sql, realm.id, id)
  const { email, language } = row
  // A group of default channels may have been removed since the user chose it.
  const groups = new Set([...realm.state.defaultChannelGroups.values()].map(({ name }) => name))
  const channel_groups = row.channel_groups.filter((name) => groups.has(name))
  const account = composeAccount(realm.state, { ...row, channel_groups })
  const payload = { email, language, is_approved: true, realm_url }
  const entry = signUpsChanged(describeSignUp(row, 'approved'))
  await createAccount(
    write,
    host,
    account,
    [{ kind: 'sign_up_decided_mail', payload }],
    async (tx) => {
      if (!(await deleteSignUp(tx, realm.id, id))) throw errors.noSuchSignUp()
    },
    [entry],
  )
}

/** Refuses a user who waits for approval: the user can sign up again. Throws BAD_REQUEST and StaleStateError. */
export const refuseSignUp = async (write: WriteContext, { realm_url }: JoinPlace, id: number): Promise<void> => {
  const { realm, sql } = write
  const row = await requireWaitingSignUp(sql, realm.id, id)
  const { email, language } = row
  const payload = { email, language, is_approved: false, realm_url }
  await commit(write, async (tx) => {
    if (!(await deleteSignUp(tx, realm.id, id))) throw errors.noSuchSignUp()
    return {
      entries: [signUpsChanged(describeSignUp(row, 'refused'))],
      jobs: [{ kind: 'sign_up_decided_mail', payload }],
    }
  })
}

const describeSignUp = <R>({ id, email, full_name }: SignUpRow, result: R) => ({
  sign_up_id: id,
  email,
  full_name,
  result,
})

const requireWaitingSignUp = async (sql: Sql, realm_id: number, id: number): Promise<SignUpRow> => {
  const row = await loadSignUp(sql, realm_id, id)
  if (row === undefined || row.confirmed_at === null) throw errors.noSuchSignUp()
  return row
}

/** The account as `createUsers` takes it. Throws BAD_REQUEST. */
const composeAccount = (
  state: RealmState,
  { email, full_name, password_hash, timezone, language, channel_groups }: Omit<SignUpRow, 'confirmed_at' | 'id'>,
) => {
  const channels = requireGroupChannels(state, Role.member, channel_groups)
  return {
    email: validateEmail(state, email),
    full_name: validateFullName(state, full_name),
    password_hash,
    timezone,
    settings: language === '' ? {} : { default_language: language },
    channel_ids: [...new Set([...state.defaultChannels, ...channels])],
  }
}

const createAccount = async (
  write: WriteContext,
  host: string,
  account: ReturnType<typeof composeAccount>,
  jobs: readonly JobSpec[],
  useUp: (tx: Transaction) => Promise<void>,
  entries: readonly ReturnType<typeof signUpsChanged>[] = [],
): Promise<number> => {
  const { state } = write.realm
  const user_id = state.nextId('users')
  const welcome: JobSpec[] =
    state.settings.welcome_message_custom_text === ''
      ? []
      : [{ kind: 'welcome_message', payload: { user_id, invitation_text: null } }]
  await createUsers(write, host, [account], async (tx) => {
    await useUp(tx)
    return { entries, jobs: [...jobs, ...welcome] }
  })
  return user_id
}

/** Deletes a row that is used up. @returns false when another request has used it */
const deleteSignUp = async (
  tx: Transaction,
  realm_id: number,
  id: number,
  condition: ReturnType<Transaction> = tx``,
): Promise<boolean> => {
  const used = await tx`delete from sign_ups where realm_id = ${realm_id} and id = ${id} ${condition}`
  return used.count > 0
}

/** Stores what the user chose (4). Throws BAD_REQUEST when the link was used, or too many users wait. */
const confirmSignUp = async (tx: Transaction, realm_id: number, row: SignUpRow): Promise<void> => {
  const { id, full_name, password_hash, timezone, language, channel_groups } = row
  const confirmed = await tx`
    update sign_ups set confirmed_at = ${secondsNow()}, full_name = ${full_name}, password_hash = ${password_hash},
      timezone = ${timezone}, language = ${language}, channel_groups = ${channel_groups}::text[]
    where realm_id = ${realm_id} and id = ${id} and confirmed_at is null`
  if (confirmed.count === 0) throw mailedLinkExpired()
  const [waiting] = await tx<{ count: number }[]>`
    select count(*)::int as count from sign_ups where realm_id = ${realm_id} and confirmed_at is not null`
  if ((waiting?.count ?? 0) > limits.max_waiting_sign_ups) {
    throw errors.badRequest('Too many people wait for approval now: try again later.')
  }
}
