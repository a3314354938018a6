/**
 * The JSON of an entry for a profile, built once and shared by everyone it goes to.
 *
 * The cache hangs on the entry object, so it lives exactly as long as the entry stays in the ring.
 */
import type { Entry } from '../../domain/log/entry.js'
import { type EntryKinds, type Recipient, requireKind, type WireEvent } from '../../domain/log/entry-kind.js'
import { eventId } from '../../domain/log/event-id.js'
import { type Profile, takesType } from '../../domain/log/profile.js'

type Texts = WeakMap<Entry, Map<Profile, string | null>>

const shared: Texts = new WeakMap()
const outside: Texts = new WeakMap()

/** The event as text, with its id first. */
export const eventText = (id: number, event: WireEvent): string => `{"id":${id},${JSON.stringify(event).slice(1)}`

/** What everyone with this profile gets who is not special to the entry; null: nothing. */
export const sharedText = (kinds: EntryKinds, entry: Entry, profile: Profile): string | null =>
  once(shared, kinds, entry, profile)

/** The same for those who only listen to it from outside the audience. */
export const outsideText = (kinds: EntryKinds, entry: Entry, profile: Profile): string | null =>
  once(outside, kinds, entry, profile, { user_id: 0, queue_id: '', is_outside: true })

const once = (
  known: Texts,
  kinds: EntryKinds,
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
    text = project(kinds, entry, profile, recipient)
    texts.set(profile, text)
  }
  return text
}

/** What this one recipient gets; null: nothing. */
export const ownText = (kinds: EntryKinds, entry: Entry, profile: Profile, recipient: Recipient): string | null =>
  project(kinds, entry, profile, recipient)

const project = (kinds: EntryKinds, entry: Entry, profile: Profile, recipient?: Recipient): string | null => {
  const kind = requireKind(kinds, entry.kind)
  if (!takesType(profile, kind.type)) return null
  const event = kind.project(entry.data, profile, recipient)
  return event === null ? null : eventText(eventId(entry.seq), event)
}
