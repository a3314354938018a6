/** The organizations and accounts that arguments of commands name. */
import type { Administration } from '../administration/administration.js'
import { OperatorError } from '../administration/operator-error.js'
import type { UserRow } from '../domain/log/rows.js'
import type { Realm } from '../store/log/realm.js'

/** The organization with this string_id. Throws OperatorError. */
export const findRealm = async (administration: Administration, string_id: string): Promise<Realm> => {
  const realm = await administration.realm(string_id)
  if (realm === undefined) throw new OperatorError(`There is no organization named ${string_id}.`)
  return realm
}

/** The account with this address. Throws OperatorError. */
export const findUser = ({ state }: Realm, email: string): UserRow => {
  const user = state.userByEmail(email)
  if (user === undefined)
    throw new OperatorError(`There is no account with the address ${email} in ${state.realm.string_id}.`)
  return user
}

/** The account of the arguments `<realm> <email>`. Throws OperatorError; system bots are no accounts. */
export const findAccount = async (
  administration: Administration,
  string_id: string,
  email: string,
): Promise<{ realm: Realm; user: UserRow }> => {
  const realm = await findRealm(administration, string_id)
  const user = findUser(realm, email)
  if (user.is_system_bot) throw new OperatorError(`${email} is a bot of the server.`)
  return { realm, user }
}
