/**
 * Fetch names of personal data and of presence: drafts, snippets, topics, presence …
 */
import { z } from 'zod'
import { TopicPolicy } from '#rules/topic-policies.js'
import { cachedJson } from '../log/cached-json.js'
import { derivedValue } from '../log/derived-values.js'
import type { Profile } from '../log/profile.js'
import { snippetObject } from '../messages/draft-entries.js'
import { draftObject } from '../messages/drafts.js'
import { displayTopic } from '../messages/message.js'
import { scheduledMessageObject } from '../messages/scheduled-message-entries.js'
import { nameReactionType } from '../protocol/aliases.js'
import { RawJson, rawText } from '../protocol/raw-json.js'
import { proxyMedia } from '../rendering/proxied-media.js'
import { getSetting } from '../settings/user-settings.js'
import { navigationViewObject } from '../users/personal/navigation-view-entries.js'
import { onboardingStep, remainingSteps } from '../users/personal/onboarding.js'
import { mutedUser } from '../users/personal/personal-list-entries.js'
import { legacyPresence, slimPresence, toLegacyPresence, toSlimPresence } from '../users/presence/presence.js'
import { type Status, statusObject, statusOnWire } from '../users/presence/statuses.js'
import { collectContacts, contactSources, isRestrictedGuest } from '../users/user-access.js'
import { listUsers } from '../users/user-lists.js'
import { type DatabaseField, declareDatabaseField, field, type SnapshotRequest } from './snapshot-request.js'

export const alertWordSection = {
  alert_words: field(z.array(z.string()), ({ state, viewer }) => state.alertWords.get(viewer?.id ?? 0)?.words ?? []),
}

export const draftSection = {
  drafts: field(z.array(draftObject), ({ viewer }) =>
    viewer === null || !getSetting(viewer, 'enable_drafts_synchronization')
      ? []
      : declareDatabaseField(['drafts'], ({ drafts }) => drafts),
  ),
}

export const savedSnippetSection = {
  saved_snippets: field(z.array(snippetObject), ({ viewer }) =>
    viewer === null ? [] : declareDatabaseField(['saved_snippets'], ({ saved_snippets }) => saved_snippets),
  ),
}

export const scheduledMessageSection = {
  scheduled_messages: field(z.array(scheduledMessageObject), ({ state, viewer }) =>
    viewer === null
      ? []
      : declareDatabaseField(['scheduled_messages'], ({ scheduled_messages }) =>
          scheduled_messages.map((one) => proxyMedia(one, ['rendered_content'], state.deployment)),
        ),
  ),
}

export const navigationViewSection = {
  navigation_views: field(z.array(navigationViewObject), ({ viewer }) =>
    viewer === null ? [] : declareDatabaseField(['navigation_views'], ({ navigation_views }) => navigation_views),
  ),
}

export const onboardingSection = {
  onboarding_steps: field(z.array(onboardingStep), ({ viewer }) =>
    viewer === null
      ? []
      : declareDatabaseField(['onboarding_seen'], ({ onboarding_seen }) => remainingSteps(onboarding_seen)),
  ),
  // The server has none.
  navigation_tour_video_url: field(z.string().nullable(), () => null),
}

export const mutedUserSection = {
  muted_users: field(z.array(mutedUser), ({ state, viewer }) => state.mutes.get(viewer?.id ?? 0)?.muted_users ?? []),
}

export const userTopicSection = {
  user_topics: field(
    z.array(
      z.object({
        stream_id: z.int(),
        topic_name: z.string(),
        last_updated: z.int(),
        visibility_policy: z.int(),
      }),
    ),
    ({ viewer, profile }) =>
      viewer === null
        ? []
        : declareDatabaseField(['user_topics'], ({ user_topics }) =>
            user_topics.map((userTopic) => ({
              ...userTopic,
              topic_name: displayTopic(userTopic.topic_name, profile.empty_topic_name),
            })),
          ),
  ),
}

const listChannelNames = derivedValue<ReadonlyMap<number, string>>({
  name: 'channel_names',
  tables: ['channels'],
  compute: (state) => new Map([...state.channels.values()].map(({ id, name }) => [id, name])),
})

export const mutedTopicSection = {
  // The older form of user_topics: a client that requests both gets only the newer one.
  muted_topics: field(z.array(z.tuple([z.string(), z.string(), z.int()])).optional(), (request) => {
    if (request.isNamed('user_topic')) return undefined
    const { viewer, profile, state } = request
    if (viewer === null) return []
    const names = listChannelNames(state)
    return declareDatabaseField(['user_topics'], ({ user_topics }) =>
      user_topics.flatMap(({ stream_id, topic_name, last_updated, visibility_policy }) => {
        const name = names.get(stream_id)
        if (name === undefined || visibility_policy !== TopicPolicy.muted) return []
        return [[name, displayTopic(topic_name, profile.empty_topic_name), last_updated]]
      }),
    )
  }),
}

export const presenceSection = {
  // By user id with `slim_presence`, else by API address.
  presences: field(z.union([z.record(z.string(), slimPresence), z.record(z.string(), legacyPresence)]), presences),
  presence_last_update_id: field(z.int(), ({ viewer }) =>
    viewer === null
      ? -1
      : declareDatabaseField(['presence'], ({ presence }) =>
          presence.reduce((last, { update_id }) => Math.max(last, update_id), -1),
        ),
  ),
  server_timestamp: field(z.number(), ({ now }) => now / 1000),
}

type Presences = Record<string, z.infer<typeof slimPresence>> | Record<string, z.infer<typeof legacyPresence>>

function presences({ state, viewer, profile }: SnapshotRequest): Presences | DatabaseField<Presences> {
  if (viewer === null) return {}
  const { addresses } = listUsers(state)
  const met = isRestrictedGuest(state, viewer) ? collectContacts(state, contactSources(state, viewer, [])) : undefined
  const needs = met === undefined ? (['presence'] as const) : (['presence', 'partners'] as const)
  return declareDatabaseField<Presences, readonly ('presence' | 'partners')[]>(needs, ({ presence, partners }) => {
    const known = met && new Set([viewer.id, ...met, ...partners])
    const seen = presence.filter(({ user_id }) => addresses.has(user_id) && known?.has(user_id) !== false)
    return profile.slim_presence
      ? Object.fromEntries(seen.map((lastSeen) => [lastSeen.user_id, toSlimPresence(lastSeen)]))
      : Object.fromEntries(seen.map((lastSeen) => [addresses.get(lastSeen.user_id) ?? '', toLegacyPresence(lastSeen)]))
  })
}

export const userStatusSection = {
  user_status: field(z.record(z.string(), statusObject), statuses),
}

interface ListedStatuses {
  byUser: ReadonlyMap<number, Status>
  json: RawJson
}

/** The statuses that are not empty. */
const listStatuses = cachedJson<ListedStatuses, Pick<Profile, 'document_names'>>({
  name: 'statuses',
  tables: ['users', 'user_statuses'],
  form: ({ document_names }) => String(document_names),
  compose(state, profile, reuse) {
    const candidates = new Set([...state.statuses.keys(), ...listUsers(state).away.map(({ id }) => id)])
    const byUser = new Map<number, Status>()
    for (const id of candidates) {
      const user = state.users.get(id)
      const status = user?.is_active === true ? statusOnWire(state, user) : undefined
      if (status !== undefined) byUser.set(id, nameReactionType(profile, status))
    }
    return { byUser, json: new RawJson('{}', [reuse.text('', formatStatuses([...byUser]).slice(1, -1))]) }
  },
})

const formatStatuses = (statuses: readonly (readonly [number, Status])[]): string =>
  JSON.stringify(Object.fromEntries(statuses))

function statuses({
  state,
  viewer,
  profile,
}: SnapshotRequest): Record<string, Status> | RawJson | DatabaseField<RawJson> {
  if (viewer === null) return {}
  const { byUser, json } = listStatuses(state, profile)
  if (!isRestrictedGuest(state, viewer)) return json
  const met = collectContacts(state, contactSources(state, viewer, []))
  return declareDatabaseField(['partners'], ({ partners }) => {
    const known = new Set([viewer.id, ...met, ...partners])
    return rawText(formatStatuses([...byUser].filter(([id]) => known.has(id))))
  })
}
