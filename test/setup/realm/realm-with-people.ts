/** A realm of a test's own with accounts whose roles follow from their names. */
import { Role } from '../../../src/domain/log/rows.js'
import { newRealm, type Person, type TestRealm } from './realm.js'
import { updateRealmSettings } from './row-changes.js'

const roles: Readonly<Record<string, number>> = {
  Owner: Role.owner,
  Admin: Role.administrator,
  Moderator: Role.moderator,
  Guest: Role.guest,
}

/** The realm, and each account under its name in lower case. */
export type RealmWith<Name extends string> = { realm: TestRealm } & {
  [N in Name as Lowercase<N>]: Person
} & AsyncDisposable

/**
 * Creates a realm and one account per name. For example, `newRealmWith('Owner', 'Ada')` has `owner` and `ada`.
 *
 * `Owner`, `Admin`, `Moderator` and `Guest` have the role of that name; every other account is a member.
 */
export const newRealmWith = async <Name extends string>(...names: Name[]): Promise<RealmWith<Name>> => {
  const realm = await newRealm()
  const people = await realm.people(...names.map((full_name) => ({ full_name, role: roles[full_name] ?? Role.member })))
  const named = Object.fromEntries(people.map((person) => [person.full_name.toLowerCase(), person]))
  return { realm, ...named, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() } as RealmWith<Name>
}

/** Settings of an account that never starts to follow or unmute a topic by itself. */
export const neverFollowing = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
}

/**
 * Creates a realm and one member per name. It is for tests that count messages and events.
 *
 * The members never follow a topic by themselves, and a new channel contains no notices.
 */
export const newQuietRealm = async (...names: string[]): Promise<{ realm: TestRealm; people: Person[] }> => {
  const realm = await newRealm()
  const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  return { realm, people }
}
