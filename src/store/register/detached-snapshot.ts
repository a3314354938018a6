/**
 * The snapshot of a registration, without a queue: the first delivery of an event subscription.
 *
 * As in a registration, its part from memory is of one seq and its part from Postgres of a later one
 * (decisions/011-snapshot-plus-events.md).
 */
import { listGrantedChannels } from '../../domain/channels/content-access-changes.js'
import { apiFeatureLevel, shownVersion } from '../../domain/limits/limits.js'
import type { UserRow } from '../../domain/log/rows.js'
import { versionFields } from '../../domain/protocol/aliases.js'
import { memberFragments, rawMembersOfFragments } from '../../domain/protocol/raw-json.js'
import { fetchSet, takeSnapshot } from '../../domain/register/snapshot.js'
import type { ServerFacts, SnapshotRequest } from '../../domain/register/snapshot-request.js'
import type { Realm } from '../log/realm.js'
import type { Sql } from '../sql.js'
import { loadDetachedContent } from './registration-content.js'

/** After so many attempts a channel's first message between the two parts is ignored. */
const MAX_ATTEMPTS = 5

/** A snapshot, and the positions of its parts. */
export interface DetachedSnapshot {
  state_seq: number
  content_seq: number
  /** JSON: the fields of a registration's answer */
  text: string
}

/** Takes a snapshot for an account. @param sections their names; null: all */
export const loadDetachedSnapshot = async (
  sql: Sql,
  realm: Realm,
  viewer: UserRow,
  profile: SnapshotRequest['profile'],
  sections: readonly string[] | null,
  server: ServerFacts,
): Promise<DetachedSnapshot> => {
  const { state } = realm
  for (let attempt = 1; ; attempt++) {
    const snapshot = takeSnapshot({
      state,
      viewer: state.users.get(viewer.id) ?? viewer,
      profile,
      client: '',
      include_subscribers: true,
      server,
      now: Date.now(),
      ...fetchSet(sections ?? undefined, undefined),
    })
    const state_seq = state.seq
    const versions = versionFields(apiFeatureLevel, shownVersion)
    const always = Object.entries(versions).map(([key, value]) => memberFragments(key, value))
    const compose = (found: Parameters<typeof snapshot.finish>[0]) =>
      rawMembersOfFragments([...always, ...snapshot.finish(found)]).text
    if (snapshot.needs.length === 0) return { state_seq, content_seq: state_seq, text: compose({}) }
    const reader = { realm_id: realm.id, user_id: viewer.id, profile }
    const granted = snapshot.needs.includes('starred') ? listGrantedChannels(state, viewer) : []
    const { seq, content } = await loadDetachedContent(sql, reader, snapshot.needs, { granted })
    await realm.waitForSeq(seq)
    if (state.firstMessagesSeq <= state_seq || attempt === MAX_ATTEMPTS) {
      return { state_seq, content_seq: seq, text: compose(content) }
    }
  }
}
