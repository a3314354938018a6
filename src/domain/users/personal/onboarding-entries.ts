/**
 * A user has seen an onboarding step: the remaining steps, for that user. Source: protocol/events.md 3.4,
 * `onboarding_steps`.
 */
import { z } from 'zod'
import { onlyUsers } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { onboardingStep, remainingSteps } from './onboarding.js'

export const onboardingSeen = entry<{ user_id: number; seen: readonly string[] }>({
  kind: 'onboarding_steps',
  type: 'onboarding_steps',
  description: 'The onboarding steps that the user has not seen changed. The list replaces the former one.',
  content: true,
  event: z.object({ type: z.literal('onboarding_steps'), onboarding_steps: z.array(onboardingStep) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ seen }) => ({ type: 'onboarding_steps', onboarding_steps: remainingSteps(seen) }),
})
