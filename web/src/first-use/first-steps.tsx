/**
 * The first steps of a new user, in the inbox: for an owner what the organization needs, for others how to begin.
 *
 * 1. A step is done when what it asks for is there, whichever user did it. No press of a button marks it.
 * 2. The list is shown in the first 30 days of an account, until the user dismisses it for good in any browser.
 * 3. Its code is loaded only for an account that sees it.
 */

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'
import { Boundary } from '../ui/boundary.js'

/** The onboarding step that a user who dismisses the list has seen. */
const STEP = 'parley_first_steps'

const DAYS = 30

const list = signal<{ Content: ComponentType<{ onDismiss: () => Promise<unknown> }> } | undefined>(undefined)

/** Whether the user sees the list (2). */
const isShown = (chat: Chat): boolean => {
  const user = ownUser(chat)
  if (user === undefined || !chat.onboardingSteps.value.has(STEP)) return false
  return Date.now() - new Date(user.date_joined).getTime() < DAYS * 86_400_000
}

/** The list, for an account that sees it. */
export const FirstSteps = () => {
  const chat = useChat()
  const isWanted = isShown(chat)
  useEffect(() => {
    if (!isWanted || list.peek() !== undefined) return
    import('./step-list.js').then(
      ({ StepList }) => {
        list.value = { Content: StepList }
      },
      // Without its code, the inbox is as for everyone else.
      () => undefined,
    )
  }, [isWanted])
  if (!isWanted || list.value === undefined) return null
  const { Content } = list.value
  return (
    <Boundary note={t('The list of first steps cannot be shown.')} fallback={() => null}>
      <Content onDismiss={() => chat.client.call('POST /users/me/onboarding_steps', { onboarding_step: STEP })} />
    </Boundary>
  )
}
