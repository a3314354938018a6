/**
 * Onboarding steps: notices that a user sees once, in whichever client shows them first.
 *
 * Existing clients know these names. Source: protocol/endpoints.md 3.3; protocol/events.md 3.4.
 */
import { z } from 'zod'

/** Notices of this server's web client: the first steps of a new user, and the apps for phones. */
const ownNotices = ['parley_first_steps', 'parley_phone_apps'] as const

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
  ...ownNotices,
] as const

/** A step that the user has not seen, as clients receive it. */
export const onboardingStep = z.object({ type: z.literal('one_time_notice'), name: z.string() })

export type OnboardingStep = z.infer<typeof onboardingStep>

/** Without the navigation tour: this server has no video for it. */
const shown = oneTimeNotices.filter((name) => name !== 'navigation_tour_video')

/** Whether clients may mark this step as seen. The navigation tour is included. */
export const isOnboardingStep = (name: string): boolean => (oneTimeNotices as readonly string[]).includes(name)

/** The steps that a user who has seen these has not seen yet. */
export const remainingSteps = (seen: readonly string[]): OnboardingStep[] =>
  shown.filter((name) => !seen.includes(name)).map((name) => ({ type: 'one_time_notice', name }))
