/**
 * The JSON of an entry for a profile, built once and shared by everyone it goes to.
 *
 * The cache hangs on the entry object, so it lives exactly as long as the entry stays in the ring.
 */
import type { Entry } from '../../domain/log/entry.js'
import { type Recipient, requireKind, type WireEvent } from '../../domain/log/entry-kind.js'
import { eventId } from '../../domain/log/event-id.js'
import { type Profile, takesType } from '../../domain/log/profile.js'
import type { Realm } from '../../store/log/realm.js'

/** What an event is built from beside its entry: the kinds of entries, and the deployment that the state carries. */
export type ProjectedRealm = Pick<Realm, 'kinds' | 'state'>

type Texts = WeakMap<Entry, Map<Profile, string | null>>

const shared: Texts = new WeakMap()
const outside: Texts = new WeakMap()

/** The event as text, with its id first. */
export const eventText = (id: number, event: WireEvent): string => `{"id":${id},${JSON.stringify(event).slice(1)}`

/** What everyone with this profile gets who is not special to the entry; null: nothing. */
export const sharedText = (realm: ProjectedRealm, entry: Entry, profile: Profile): string | null =>
  once(shared, realm, entry, profile)

/** The same for those who only listen to it from outside the audience. */
export const outsideText = (realm: ProjectedRealm, entry: Entry, profile: Profile): string | null =>
  once(outside, realm, entry, profile, { user_id: 0, queue_id: '', is_outside: true })

const once = (
  known: Texts,
  realm: ProjectedRealm,
  entry: Entry,
  profile: Profile,
  recipient?: Recipient,
): string | null => {
  let texts = known.get(entry)
  if (texts === undefined) {
    texts = new Map()
    known.set(entry, texts)
  }
  let text = texts.get(profile)
  if (text === undefined) {
    text = project(realm, entry, profile, recipient)
    texts.set(profile, text)
  }
  return text
}

/** What this one recipient gets; null: nothing. */
export const ownText = (realm: ProjectedRealm, entry: Entry, profile: Profile, recipient: Recipient): string | null =>
  project(realm, entry, profile, recipient)

const project = (realm: ProjectedRealm, entry: Entry, profile: Profile, recipient?: Recipient): string | null => {
  const kind = requireKind(realm.kinds, entry.kind)
  if (!takesType(profile, kind.type)) return null
  const event = kind.project(entry.data, profile, { deployment: realm.state.deployment, recipient })
  return event === null ? null : eventText(eventId(entry.seq), event)
}
