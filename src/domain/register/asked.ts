/**
 * The parts that a registration's answer is made of.
 *
 * 1. Every key of the answer is one `field`: its shape and where its value comes from. Keys that are fetched together
 *    are a section; sections.ts lists them by their fetch names.
 * 2. A value is taken from memory at once, all of them in one tick, so they are of one moment (seq S). What only the
 *    database knows is `later`: computed from `Content`, which is of one later moment (S'), and from what was
 *    captured in that tick. It must not look at `state` again, which has moved on.
 */
import type { z } from 'zod'
import type { Profile } from '../log/profile.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Snippet } from '../messages/draft-entries.js'
import type { Draft } from '../messages/drafts.js'
import type { ScheduledMessage } from '../messages/scheduled-message-entries.js'
import type { UserTopic } from '../messages/user-topic-entries.js'
import type { RawJson } from '../protocol/raw-json.js'
import type { NavigationView } from '../users/navigation-view-entries.js'
import type { Seen } from '../users/presence.js'

/** A registration as it was asked for, and what it is answered from. */
export interface Asked {
  readonly state: RealmState
  /** null: somebody without credentials, in an organization with public access */
  readonly viewer: UserRow | null
  readonly profile: Profile
  /** the name of the caller's program */
  readonly client: string
  readonly include_subscribers: boolean
  readonly server: ServerFacts
  /** UNIX milliseconds */
  readonly now: number
  /** Whether this fetch name is asked for. */
  fetches(name: string): boolean
  /** Whether it was asked for by name. */
  names(name: string): boolean
}

/** What of the deployment shows in a registration. */
export interface ServerFacts {
  /** without a slash at the end */
  readonly realm_url: string
  /** the host of realm_url: the domain of placeholder and bot addresses */
  readonly host: string
  /** UNIX seconds: since when this release of the server runs here */
  readonly generation: number
  readonly development: boolean
  readonly max_file_upload_size_mib: number
  /** a site vouches for people of the organization (authentication.ts) */
  readonly trusts_site: boolean
}

/** The database part: what of it is needed is read in one statement (store/register/snapshot.ts). */
export interface Content {
  /** the newest message that the viewer received; 0 when there is none */
  last_message_id: number
  unread_topics: Unread<UnreadTopic>
  unread_direct: Unread<UnreadDirect>
  recent_direct: { max_message_id: number; user_ids: number[] }[]
  /** ascending, the newest at most */
  starred: number[]
  /** by fragment */
  navigation_views: NavigationView[]
  /** the others in the viewer's direct conversations */
  partners: number[]
  user_topics: UserTopic[]
  /** the newest edit first, at most so many as are registered */
  drafts: Draft[]
  saved_snippets: Snippet[]
  /** introductions that the viewer has seen */
  onboarding_seen: string[]
  /** by the time of delivery */
  scheduled_messages: ScheduledMessage[]
  /** of the last days; update_id orders changes */
  presence: (Seen & { update_id: number })[]
}

export type ContentName = keyof Content

/** Unread messages, the newest at most. */
export interface Unread<Conversation> {
  conversations: Conversation[]
  /** there may be older ones */
  is_cut: boolean
}

/** Unread messages of one topic. */
export interface UnreadTopic {
  channel_id: number
  topic: string
  /** the topic is, or the channel is and the topic is not */
  is_muted: boolean
  /** ascending */
  ids: number[]
  /** those that mention the viewer, or a group of theirs, by name; in any order */
  mentions: number[]
  /** those that mention everyone here; in any order */
  wildcards: number[]
}

/** Unread messages of one direct conversation. */
export interface UnreadDirect {
  /** everyone in it, the viewer included, ascending */
  user_ids: number[]
  ids: number[]
  mentions: number[]
}

/** A value that waits for the database part (2). */
export class Later<T> {
  readonly needs: readonly ContentName[]
  readonly value: (content: Content) => T

  constructor(needs: readonly ContentName[], value: (content: Content) => T) {
    this.needs = needs
    this.value = value
  }
}

/** Says that a value comes from these parts of the content. */
export const later = <T, const N extends readonly ContentName[]>(
  needs: N,
  value: (content: Pick<Content, N[number]>) => T,
): Later<T> => new Later(needs, value)

/** One key of the answer. A key that may be missing by a rule of its own has an optional schema. */
export interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  value(asked: Asked): unknown
}

export type Section = Readonly<Record<string, Field>>

/** Declares a key: its shape on the wire, and its value. Undefined leaves the key out. */
export const field = <S extends z.ZodType>(
  schema: S,
  value: (asked: Asked) => z.input<S> | RawJson | Later<z.input<S> | RawJson>,
): Field<S> => ({ schema, value })
