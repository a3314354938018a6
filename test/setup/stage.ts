/** An organization of a test's own with people in it, who are what their names say. */
import { Role } from '../../src/domain/log/rows.js'
import { newRealm, type Person, type TestRealm } from './realm.js'

const roles: Readonly<Record<string, number>> = {
  Owner: Role.owner,
  Admin: Role.administrator,
  Moderator: Role.moderator,
  Guest: Role.guest,
}

/** Each under the small form of the name: `stage('Owner', 'Ada')` has `owner`, and the member `ada`. */
export type Stage<Name extends string> = { realm: TestRealm } & {
  [N in Name as Lowercase<N>]: Person
} & AsyncDisposable

export const stage = async <Name extends string>(...names: Name[]): Promise<Stage<Name>> => {
  const realm = await newRealm()
  const people = await realm.people(...names.map((full_name) => ({ full_name, role: roles[full_name] ?? Role.member })))
  const named = Object.fromEntries(people.map((person) => [person.full_name.toLowerCase(), person]))
  return { realm, ...named, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() } as Stage<Name>
}
