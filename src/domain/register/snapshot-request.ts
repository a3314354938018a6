/**
 * The parts of a registration's answer.
 *
 * 1. Every key of the answer is one `field`: its shape and where its value comes from. Keys that are fetched together
 *    are a section; sections.ts lists them by their fetch names.
 * 2. All values from memory are read in one tick, so they are of one seq S. A value that only the database has is
 *    `later`: it is computed from `Content`, which is of one later seq S', and from values captured in that tick. It
 *    must not read `state` again, which may have changed.
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
import type { OtherWays } from '../realm/authentication.js'
import type { NavigationView } from '../users/personal/navigation-view-entries.js'
import type { LastSeen } from '../users/presence/presence.js'

/** A registration's request, and the data that answers it. */
export interface SnapshotRequest {
  readonly state: RealmState
  /** null: a spectator, without credentials, in an organization with web access */
  readonly viewer: UserRow | null
  readonly profile: Profile
  /** the name of the client program */
  readonly client: string
  readonly include_subscribers: boolean
  readonly server: ServerFacts
  /** UNIX milliseconds */
  readonly now: number
  /** Whether this fetch name is requested. */
  isFetched(name: string): boolean
  /** Whether it was requested by name. */
  isNamed(name: string): boolean
}

/** Facts about the server that a registration's answer has. */
export interface ServerFacts {
  /** without a slash at the end */
  readonly realm_url: string
  /** the host of realm_url: the domain of placeholder and bot addresses */
  readonly host: string
  /** UNIX seconds: since when this release of the server runs here */
  readonly releaseId: number
  readonly development: boolean
  readonly max_file_upload_size_mib: number
  /** where the load balancer serves each gateway, if the operator says so */
  readonly gateway_paths: readonly string[]
  /** how users log in besides passwords (realm/authentication.ts) */
  readonly ways: OtherWays
}

/** The database part; one statement reads the parts that are needed (store/register/registration-content.ts). */
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
  /** the other users of the viewer's direct conversations */
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
  presence: (LastSeen & { update_id: number })[]
}

export type ContentName = keyof Content

/** Unread messages, the newest at most. */
export interface Unread<Conversation> {
  conversations: Conversation[]
  /** how many messages after the read pointers were examined */
  examined: number
  /** older ones may exist */
  is_cut: boolean
}

/** Unread messages of one topic. */
export interface UnreadTopic {
  channel_id: number
  topic: string
  /** whether the topic is muted, or the channel is and the topic is not unmuted */
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
  /** the participants, the viewer included, ascending */
  user_ids: number[]
  ids: number[]
  mentions: number[]
}

/** A value that needs the database part (2). */
export class DatabaseField<T> {
  readonly needs: readonly ContentName[]
  readonly value: (content: Content) => T

  constructor(needs: readonly ContentName[], value: (content: Content) => T) {
    this.needs = needs
    this.value = value
  }
}

/** Declares a value that is computed from these parts of the content. */
export const declareDatabaseField = <T, const N extends readonly ContentName[]>(
  needs: N,
  value: (content: Pick<Content, N[number]>) => T,
): DatabaseField<T> => new DatabaseField(needs, value)

/** One key of the answer. A key that may be missing has an optional schema. */
export interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  value(request: SnapshotRequest): unknown
}

export type Section = Readonly<Record<string, Field>>

/** Declares a key: its shape on the wire, and its value. Undefined leaves the key out. */
export const field = <S extends z.ZodType>(
  schema: S,
  value: (request: SnapshotRequest) => z.input<S> | RawJson | DatabaseField<z.input<S> | RawJson>,
): Field<S> => ({ schema, value })
