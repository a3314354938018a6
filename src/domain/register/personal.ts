/**
 * Fetch names of what one person keeps for themselves, and of who is around: drafts, snippets, topics, presence …
 *
 * SEAM: what has no resource yet is empty here. Each becomes a value out of `state` or of `Content` with its resource.
 */
import { z } from 'zod'
import { field } from './asked.js'

const records = z.array(z.record(z.string(), z.unknown()))

export const alertWordSection = { alert_words: field(z.array(z.string()), () => []) }
export const draftSection = { drafts: field(records, () => []) }
export const savedSnippetSection = { saved_snippets: field(records, () => []) }
export const scheduledMessageSection = { scheduled_messages: field(records, () => []) }
export const navigationViewSection = { navigation_views: field(records, () => []) }

export const onboardingSection = {
  onboarding_steps: field(records, () => []),
  navigation_tour_video_url: field(z.string().nullable(), () => null),
}

export const mutedUserSection = {
  muted_users: field(z.array(z.object({ id: z.int(), timestamp: z.int() })), () => []),
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
    () => [],
  ),
}

export const mutedTopicSection = {
  // The older form of user_topics: who names the newer one too gets only that.
  muted_topics: field(z.array(z.tuple([z.string(), z.string(), z.int()])).optional(), (asked) =>
    asked.names('user_topic') ? undefined : [],
  ),
}

const legacyPresence = z.record(z.string(), z.record(z.string(), z.unknown()))
const modernPresence = z.record(z.string(), z.object({ active_timestamp: z.int(), idle_timestamp: z.int() }))

export const presenceSection = {
  // By user id with `slim_presence`, else by API address.
  presences: field(z.union([modernPresence, legacyPresence]), () => ({})),
  presence_last_update_id: field(z.int(), () => -1),
  server_timestamp: field(z.number(), ({ now }) => now / 1000),
}

export const userStatusSection = {
  user_status: field(z.record(z.string(), z.record(z.string(), z.unknown())), () => ({})),
}
