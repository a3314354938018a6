/**
 * Introductions that a client shows once. Who has seen one is not shown it again, in any client.
 *
 * The names are those that existing clients know. Source: endpoints.md 3.3; events.md 3.4.
 */
import { z } from 'zod'

const oneTimeNotices = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
] as const

export const onboardingStep = z.object({ type: z.literal('one_time_notice'), name: z.string() })

export type OnboardingStep = z.infer<typeof onboardingStep>

/** There is no video here that could be shown. */
const shown = oneTimeNotices.filter((name) => name !== 'navigation_tour_video')

export const isOnboardingStep = (name: string): boolean => (oneTimeNotices as readonly string[]).includes(name)

/** What is left to be shown to somebody who has seen these. */
export const remainingSteps = (seen: readonly string[]): OnboardingStep[] =>
  shown.filter((name) => !seen.includes(name)).map((name) => ({ type: 'one_time_notice', name }))
