/**
 * The account of a user who comes from a provider: found, linked or created.
 *
 * 1. The account, its identity and the record in the audit log are one transaction.
 * 2. The decision (domain/log-in/external-log-in.ts) is made under the structure lock, which the commit still holds.
 */
import { secondsNow } from '#rules/time.js'
import { checkLink, decideLogIn, type ExternalUser, type NewAccount } from '../../domain/log-in/external-log-in.js'
import type { LogInMethod } from '../../domain/log-in/methods.js'
import { errors } from '../../domain/protocol/errors.js'
import type { WriteContext } from '../log/write-context.js'
import type { Transaction } from '../sql.js'
import { acceptInvitation, findInvitationOfAddress, type InvitationRow } from '../users/invitations.js'
import { composeWelcomeJobs, createUsers } from '../users/users.js'
import { insertIdentity, loadKnownIdentities, markIdentityUsed } from './identities.js'
import { type LogInResult, recordLogInAct } from './log-in-acts.js'

/** Where the organization is, where the user is, and what a new account has beside its name and address. */
export interface NewcomerContext {
  /** the IP address of the user */
  address: string
  /** the organization's host name */
  host: string
  /** what the links in the mails begin with */
  realm_url: string
  /** the language of the browser; undefined: it is not known */
  language: string | undefined
}

/**
 * Returns the id of the account of a user who comes from a provider. Links or creates the account if the rules permit.
 * Throws BAD_REQUEST, USER_DEACTIVATED, AUTHENTICATION_FAILED, REALM_DEACTIVATED and StaleStateError.
 */
export const resolveExternalUser = (
  context: WriteContext,
  newcomer: NewcomerContext,
  method: LogInMethod,
  external: ExternalUser,
): Promise<number> =>
  context.withStructureLock(async (write) => {
    const { realm, sql } = write
    const { state } = realm
    if (!state.realm.is_active) throw errors.realmIsDeactivated()
    const withAddress = external.email === '' ? undefined : state.userByEmail(external.email.trim())
    const known = await loadKnownIdentities(sql, realm.id, external, withAddress?.id)
    const mayBeNew = known.owner === undefined && withAddress === undefined && external.isVerified
    const invitation = mayBeNew ? await findInvitationOfAddress(sql, state, external.email) : undefined
    const decision = decideLogIn(state, method, external, known, invitation !== undefined)
    if (decision.act === 'create') {
      return createAccount(write, newcomer, method, external, decision, invitation)
    }
    const { act, user } = decision
    const now = secondsNow()
    const { address } = newcomer
    await sql.begin(async (tx) => {
      if (act === 'link') await insertIdentity(tx, realm.id, user.id, external, now)
      else await markIdentityUsed(tx, realm.id, user.id, external, now)
      await recordAct(tx, write, address, method, external, user.id, act === 'link' ? 'linked' : 'entered')
    })
    return user.id
  })

/**
 * Links an identity to the account of the user who asked for it. Throws BAD_REQUEST, USER_DEACTIVATED and
 * AUTHENTICATION_FAILED.
 */
export const linkExternalUser = (
  context: WriteContext,
  { user_id, address }: { user_id: number; address: string },
  method: LogInMethod,
  external: ExternalUser,
): Promise<void> =>
  context.withStructureLock(async (write) => {
    const { realm, sql } = write
    const user = realm.state.users.get(user_id)
    if (user === undefined) throw errors.authenticationFailed()
    if (!user.is_active) throw errors.userDeactivated()
    checkLink(user, method, await loadKnownIdentities(sql, realm.id, external, user_id))
    await sql.begin(async (tx) => {
      await insertIdentity(tx, realm.id, user_id, external, secondsNow())
      await recordAct(tx, write, address, method, external, user_id, 'linked')
    })
  })

const createAccount = async (
  write: WriteContext,
  { address, host, realm_url, language }: NewcomerContext,
  method: LogInMethod,
  external: ExternalUser,
  { email, full_name }: NewAccount,
  invitation: InvitationRow | undefined,
): Promise<number> => {
  const { id: realm_id, state } = write.realm
  const user_id = state.nextId('users')
  const settings = language === undefined ? {} : { default_language: language }
  const jobs = composeWelcomeJobs(state, realm_url)
  const account = { email, full_name, settings }
  const store = (tx: Transaction) => [
    insertIdentity(tx, realm_id, user_id, external, secondsNow()),
    recordAct(tx, write, address, method, external, user_id, 'created'),
  ]
  if (invitation === undefined) {
    await createUsers(write, host, [account], async (tx) => ({ entries: [], jobs, underHeadLock: () => store(tx) }))
  } else {
    await acceptInvitation(write, host, invitation, account, jobs, store)
  }
  return user_id
}

const recordAct = (
  tx: Transaction,
  { realm }: WriteContext,
  address: string,
  method: LogInMethod,
  { email }: ExternalUser,
  user_id: number,
  result: LogInResult,
): Promise<void> => recordLogInAct(tx, realm.id, { address }, method, { user_id, result, email })
