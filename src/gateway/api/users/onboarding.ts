/** Onboarding steps: introductions that a user sees once. Source: protocol/endpoints.md 3.3. */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { isOnboardingStep } from '../../../domain/users/personal/onboarding.js'
import { recordSeenStep } from '../../../store/users/onboarding.js'
import { endpoint } from '../../call/endpoint.js'
import { int, str } from '../../call/params.js'

export const markOnboardingStep = endpoint({
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Records that the caller has seen an onboarding step.',
  callers: 'human',
  params: {
    onboarding_step: str(),
    schedule_navigation_tour_video_reminder_delay: int()
      .optional()
      .describe('has no effect: this server has no video of a navigation tour'),
  },
  example: { onboarding_step: 'intro_inbox_view_modal' },
  response: z.object({}),
  async handle({ write, caller, params: { onboarding_step } }) {
    if (!isOnboardingStep(onboarding_step))
      throw errors.badRequest('There is no onboarding step {onboarding_step}.', { onboarding_step })
    await recordSeenStep(write, caller.id, onboarding_step)
    return {}
  },
})
