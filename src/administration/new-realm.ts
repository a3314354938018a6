/** Creating an organization together with its owner, from outside of any organization. */
import { type DeploymentConfig, readDeployment } from '../config/deployment.js'
import { realmHost } from '../config/hosts.js'
import { composeInsert } from '../domain/log/row-changes.js'
import { Role, type UserRow } from '../domain/log/rows.js'
import { composeSilentEntry } from '../domain/log/silent-entry.js'
import { RealmState } from '../domain/log/state.js'
import { errors } from '../domain/protocol/errors.js'
import { composeNewRealmRow } from '../domain/realm/new-realm-row.js'
import { validateEmail, validateFullName } from '../domain/users/name-and-email-rules.js'
import { storeAct } from '../store/audit/record-acts.js'
import type { Actor } from '../store/log/write-context.js'
import { composeFirstRows, createRealm } from '../store/realm/create-realm.js'
import { isConflict, type Sql } from '../store/sql.js'
import { hashPassword, storePassword } from '../store/users/passwords.js'
import { composeUserRow } from '../store/users/users.js'
import { requireStrongPassword } from './strong-password.js'

/** The owner of a new organization. */
export interface NewOwner {
  email: string
  full_name: string
  password?: string
}

export interface CreatedRealm {
  realm_id: number
  user: { user_id: number; email: string; api_key: string }
}

/** As long as the API permits it to be. */
const MAX_NAME_LENGTH = 40

/**
 * Creates an organization and its owner in one transaction. It checks all rules before, so neither is ever there
 * without the other. Throws BAD_REQUEST.
 */
export const createRealmWithOwner = async (
  sql: Sql,
  config: DeploymentConfig,
  actor: Actor,
  realm: { string_id: string; name: string },
  owner: NewOwner,
): Promise<CreatedRealm> => {
  const { string_id } = realm
  const name = realm.name.trim()
  if (name === '' || [...name].length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
    throw errors.badRequest('The name of an organization must have 1 to {max_name_length} characters in one line.', {
      max_name_length: MAX_NAME_LENGTH,
    })
  const state = composeNewState(config, { string_id, name })
  const user = composeOwner(state, realmHost(string_id, config), owner)
  if (owner.password !== undefined) await requireStrongPassword(owner.password, [user.delivery_email, user.full_name])
  const password_hash = owner.password === undefined ? undefined : await hashPassword(owner.password)
  const taken = errors.badRequest('There is an organization named {string_id} already.', { string_id })
  const found = await sql`select from realms where string_id = ${string_id}`
  if (found.count > 0) throw taken
  try {
    const realm_id = await createRealm(sql, { string_id, name }, user, async (tx, id) => {
      if (password_hash !== undefined) await storePassword(tx, id, user.id, password_hash)
      await storeAct(tx, id, actor, [composeSilentEntry([composeInsert('users', user)])])
    })
    const api_key = state.deployment.keys.apiKey(realm_id, user.id, user.key_version)
    return { realm_id, user: { user_id: user.id, email: user.delivery_email, api_key } }
  } catch (error) {
    // Another command has created it in the meantime.
    throw isConflict(error) ? taken : error
  }
}

/** The state of the organization before it has an owner. */
const composeNewState = (config: DeploymentConfig, names: { string_id: string; name: string }): RealmState => {
  const row = composeNewRealmRow({ id: 0, ...names })
  const state = new RealmState(readDeployment(config), row, 0)
  for (const change of composeFirstRows(0)) state.apply(change)
  return state
}

/** The row of the owner. Throws BAD_REQUEST. */
const composeOwner = (state: RealmState, host: string, { email, full_name }: NewOwner): UserRow => {
  const checked = {
    email: validateEmail(state, email),
    full_name: validateFullName(state, full_name),
    role: Role.owner,
  }
  if (state.userByEmail(checked.email) !== undefined)
    throw errors.badRequest('{email} is the address of a bot of the server.', { email: checked.email })
  return composeUserRow(state, state.nextId('users'), host, checked, Math.floor(Date.now() / 1000))
}
