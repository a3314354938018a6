/**
 * The JSON of events, encoded once per entry and profile and shared by all recipients.
 *
 * The caches are weak maps keyed by the entry object, so the JSON is kept exactly as long as the entry is in the ring.
 */
import type { Entry } from '../../domain/log/entry.js'
import { type Recipient, requireKind, type WireEvent } from '../../domain/log/entry-kind.js'
import { eventId } from '../../domain/log/event-id.js'
import { acceptsType, type Profile } from '../../domain/log/profile.js'
import type { Realm } from '../../store/log/realm.js'

/** The parts of a realm from which events are built: its entry kinds, and the deployment in its state. */
export type ProjectedRealm = Pick<Realm, 'kinds' | 'state'>

type EncodedEvents = WeakMap<Entry, Map<Profile, string | null>>

const sharedCache: EncodedEvents = new WeakMap()
const extraAudienceCache: EncodedEvents = new WeakMap()

/** Encodes an event as a JSON object whose first member is its id. */
export const encodeEvent = (id: number, event: WireEvent): string => `{"id":${id},${JSON.stringify(event).slice(1)}`

/** Encodes an entry for all recipients with this profile who are not its personal recipients; null: not sent. */
export const encodeShared = (realm: ProjectedRealm, entry: Entry, profile: Profile): string | null =>
  encodeOnce(sharedCache, realm, entry, profile)

/** Encodes an entry for users with this profile who are only in its extra audience; null: not sent. */
export const encodeForExtraAudience = (realm: ProjectedRealm, entry: Entry, profile: Profile): string | null =>
  encodeOnce(extraAudienceCache, realm, entry, profile, { user_id: 0, queue_id: '', is_outside: true })

const encodeOnce = (
  cache: EncodedEvents,
  realm: ProjectedRealm,
  entry: Entry,
  profile: Profile,
  recipient?: Recipient,
): string | null => {
  let jsonByProfile = cache.get(entry)
  if (jsonByProfile === undefined) {
    jsonByProfile = new Map()
    cache.set(entry, jsonByProfile)
  }
  let json = jsonByProfile.get(profile)
  if (json === undefined) {
    json = encodeEntry(realm, entry, profile, recipient)
    jsonByProfile.set(profile, json)
  }
  return json
}

/**
 * Encodes an entry without caching the result.
 * @param recipient the user and queue for which the event is built; undefined: all users with this profile
 * @returns null when this profile or recipient does not receive the event
 */
export const encodeEntry = (
  realm: ProjectedRealm,
  entry: Entry,
  profile: Profile,
  recipient?: Recipient,
): string | null => {
  const kind = requireKind(realm.kinds, entry.kind)
  if (!acceptsType(profile, kind.type)) return null
  const event = kind.project(entry.data, profile, { deployment: realm.state.deployment, recipient })
  return event === null ? null : encodeEvent(eventId(entry.seq), event)
}
