/**
 * The JSON of events, encoded once per entry and form and shared by all recipients.
 *
 * 1. The caches are weak maps keyed by the entry object, so the JSON is kept exactly as long as the entry is in the
 *    ring.
 * 2. Profiles that differ only in what they filter have one form, so they share the JSON. Recipients of copies of their
 *    own share it too when their copies are equal: a hundred mentioned users, or all devices of one user.
 */
import type { Entry } from '../../domain/log/entry.js'
import { findKind, type Recipient, type WireEvent } from '../../domain/log/entry-kind.js'
import { eventId } from '../../domain/log/event-id.js'
import { acceptsType, type EventForm, eventForm, type Profile } from '../../domain/log/profile.js'
import type { Realm } from '../log/realm.js'

/** The parts of a realm from which events are built: its entry kinds, and the deployment in its state. */
export type ProjectedRealm = Pick<Realm, 'kinds' | 'state'>

type EncodedEvents = WeakMap<Entry, Map<Profile, string | null>>

const sharedCache: EncodedEvents = new WeakMap()
const extraAudienceCache: EncodedEvents = new WeakMap()
/** the JSON by form and copyKey (2) */
const formCache = new WeakMap<Entry, Map<EventForm, Map<string, string | null>>>()

/** Encodes an event as a JSON object whose first member is its id. */
export const encodeEvent = (id: number, event: WireEvent): string => `{"id":${id},${JSON.stringify(event).slice(1)}`

/**
 * Encodes an entry for the shared recipients with this profile. These are all recipients who are not its personal
 * recipients. Returns null if it is not sent to them.
 */
export const encodeShared = (realm: ProjectedRealm, entry: Entry, profile: Profile): string | null =>
  encodeOnce(sharedCache, realm, entry, profile)

/** Encodes an entry for users with this profile in its extra audience only. Returns null if it is not sent to them. */
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
 * Encodes an entry.
 * @param recipient the user and queue for which the event is built; undefined: all users with this profile
 * @returns null when this profile or recipient does not receive the event
 */
export const encodeEntry = (
  realm: ProjectedRealm,
  entry: Entry,
  profile: Profile,
  recipient?: Recipient,
): string | null => {
  const kind = findKind(realm.kinds, entry.kind)
  if (!acceptsType(profile, kind.type)) return null
  const context = { deployment: realm.state.deployment, recipient }
  if (!kind.accepts(entry.data, profile, context)) return null
  const form = eventForm(profile)
  const encode = () => {
    const event = kind.project(entry.data, form, context)
    return event === null ? null : encodeEvent(eventId(entry.seq), event)
  }
  const copyKey = kind.copyKey(entry.data, recipient)
  return copyKey === undefined ? encode() : encodeCopy(entry, form, copyKey, encode)
}

const encodeCopy = (entry: Entry, form: EventForm, copyKey: string, encode: () => string | null): string | null => {
  let jsonByForm = formCache.get(entry)
  if (jsonByForm === undefined) {
    jsonByForm = new Map()
    formCache.set(entry, jsonByForm)
  }
  let jsonByCopyKey = jsonByForm.get(form)
  if (jsonByCopyKey === undefined) {
    jsonByCopyKey = new Map()
    jsonByForm.set(form, jsonByCopyKey)
  }
  let json = jsonByCopyKey.get(copyKey)
  if (json === undefined) {
    json = encode()
    jsonByCopyKey.set(copyKey, json)
  }
  return json
}
