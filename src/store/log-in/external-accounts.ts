/**
 * The account of a user who comes from a provider: found, linked or created.
 *
 * 1. The account, its identity and the record in the audit log are one transaction.
 * 2. The decision (domain/log-in/external-log-in.ts) is made under the structure lock, which the commit still holds.
 * 3. What the mapping of the provider changes of an account that exists (domain/log-in/mapped-account.ts) is written
 *    before the log-in is recorded. A new account has it from the beginning.
 */
import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../../domain/log/entry.js'
import { composeInsert } from '../../domain/log/row-changes.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { runSteps } from '../../domain/log/steps.js'
import type { AttributeMapping, UserAttributes } from '../../domain/log-in/attribute-mapping.js'
import {
  type AccountSource,
  checkLink,
  decideLogIn,
  type ExternalUser,
  type NewAccount,
} from '../../domain/log-in/external-log-in.js'
import { mapAccount, mapNewcomer, mapProfile } from '../../domain/log-in/mapped-account.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { WriteContext } from '../log/write-context.js'
import type { Queues } from '../register/event-queues.js'
import type { Transaction } from '../sql.js'
import { commitAccountSteps, loadAccount } from '../users/account-changes.js'
import { acceptInvitation, findInvitationOfAddress, type InvitationRow } from '../users/invitations.js'
import { composeUserRow, composeWelcomeJobs, createUsers, type NewUser } from '../users/users.js'
import { insertIdentity, loadKnownIdentities, markIdentityUsed } from './identities.js'
import { END_OF_LOG_IN, type LogInResult, recordLogInAct } from './log-in-acts.js'

/** Where the organization is, where the user is, and what a new account has beside its name and address. */
export interface NewcomerContext {
  /** the IP address of the user */
  address: string
  /** the method and path of the endpoint; undefined: that where log-ins with providers end */
  action?: string
  /** the organization's host name */
  host: string
  /** what the links in the mails begin with */
  realm_url: string
  /** the language of the browser; undefined: it is not known */
  language: string | undefined
  /** of the gateway: those of an account end when its key changes */
  queues: Pick<Queues, 'removeAll'>
}

/**
 * Returns the id of the account of a user who comes from a provider. Links or creates the account if the rules permit.
 * Throws BAD_REQUEST, USER_DEACTIVATED, AUTHENTICATION_FAILED, REALM_DEACTIVATED and StaleStateError.
 */
export const resolveExternalUser = (
  context: WriteContext,
  newcomer: NewcomerContext,
  method: AccountSource,
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
    const { mapping } = method.options
    const isMapped = mapping !== undefined && (act === 'link' || mapping.applies === 'every_log_in')
    const refusals = isMapped ? await applyMapping(write, newcomer, mapping, external, user) : []
    await sql.begin(async (tx) => {
      if (act === 'link') await insertIdentity(tx, realm.id, user.id, external, now)
      else await markIdentityUsed(tx, realm.id, user.id, external, now)
      const result = act === 'link' ? 'linked' : 'entered'
      await recordAct(tx, write, newcomer, method, external, user.id, result, refusals)
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
  method: AccountSource,
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
      await recordAct(tx, write, { address }, method, external, user_id, 'linked')
    })
  })

/**
 * Changes an account as the mapping of the provider says. The changes are recorded in the name of nobody.
 * @returns what was left out
 */
const applyMapping = async (
  locked: WriteContext,
  { address, action = END_OF_LOG_IN, host, queues }: NewcomerContext,
  mapping: AttributeMapping,
  external: ExternalUser,
  user: UserRow,
): Promise<string[]> => {
  const write = locked.withActor({ user_id: null, address, action })
  const { state } = write.realm
  const account = await loadAccount(write, state, user, host)
  const { steps, refusals } = mapAccount(state, user, account, mapping, attributesOf(external))
  try {
    await commitAccountSteps(write, queues, user, steps, account)
    return refusals
  } catch (error) {
    // A limit of the organization: the user comes in as before.
    if (!(error instanceof ApiError)) throw error
    return [...refusals, error.message]
  }
}

const attributesOf = ({ claims: values, withheld = [] }: ExternalUser): UserAttributes => ({ values, withheld })

const createAccount = async (
  locked: WriteContext,
  newcomer: NewcomerContext,
  method: AccountSource,
  external: ExternalUser,
  { email, full_name }: NewAccount,
  invitation: InvitationRow | undefined,
): Promise<number> => {
  const { address, action = END_OF_LOG_IN, host, realm_url, language } = newcomer
  const write = locked.withActor({ user_id: null, address, action })
  const { id: realm_id, state } = write.realm
  const user_id = state.nextId('users')
  const settings = language === undefined ? {} : { default_language: language }
  const jobs = composeWelcomeJobs(state, realm_url)
  const { mapping } = method.options
  const attributes = attributesOf(external)
  const { role, group_ids } = mapping ? mapNewcomer(state, mapping, attributes) : { role: undefined, group_ids: [] }
  const account = { email, full_name, settings, group_ids, ...(role !== undefined && { role }) }
  const { entries, refusals } = composeProfileEntries(state, host, account, mapping, attributes)
  const store = (tx: Transaction) => [
    insertIdentity(tx, realm_id, user_id, external, secondsNow()),
    recordAct(tx, write, newcomer, method, external, user_id, 'created', refusals),
  ]
  if (invitation === undefined) {
    await createUsers(write, host, [account], async (tx) => ({ entries, jobs, underHeadLock: () => store(tx) }))
  } else {
    await acceptInvitation(write, host, invitation, account, jobs, { entries, store })
  }
  return user_id
}

/** The entries that fill in the profile of an account which is created in the same transaction. */
const composeProfileEntries = (
  state: RealmState,
  host: string,
  newcomer: NewUser,
  mapping: AttributeMapping | undefined,
  attributes: UserAttributes,
): { entries: NewEntry[]; refusals: string[] } => {
  if (mapping === undefined) return { entries: [], refusals: [] }
  const user = composeUserRow(state, state.nextId('users'), host, newcomer, secondsNow())
  const after = state.withChanges([composeInsert('users', user)])
  const account = { id: user.id, host, partners: [] }
  const { steps, refusals } = mapProfile(after, user, account, mapping, attributes)
  return { entries: runSteps(after, steps).entries, refusals }
}

const recordAct = (
  tx: Transaction,
  { realm }: WriteContext,
  { address, action }: Pick<NewcomerContext, 'address' | 'action'>,
  method: AccountSource,
  { email }: ExternalUser,
  user_id: number,
  result: LogInResult,
  refusals: readonly string[] = [],
): Promise<void> => {
  const acting = { address, ...(action !== undefined && { action }) }
  return recordLogInAct(tx, realm.id, acting, method, { user_id, result, email, reason: refusals.join(' ') })
}
