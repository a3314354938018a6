/** The list of first steps: which are done, and where each one is done. */

import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isOwner } from '../realm/permissions.js'
import { Icon } from '../ui/icon.js'
import { ChannelGroups } from './channel-groups.js'
import { type FirstStep, useOwnerSteps, useUserSteps } from './known-steps.js'
import './first-use.css'

/** The list. @param onDismiss keeps it away for good */
export const StepList = ({ onDismiss }: { onDismiss: () => Promise<unknown> }) => {
  const chat = useChat()
  return isOwner(chat) ? <OwnerSteps onDismiss={onDismiss} /> : <UserSteps onDismiss={onDismiss} />
}

interface StepsProps {
  onDismiss: () => Promise<unknown>
}

const OwnerSteps = (props: StepsProps) => (
  <Steps title={t('Set up your organization')} steps={useOwnerSteps()} {...props} />
)

const UserSteps = (props: StepsProps) => {
  const { realm_name } = useChat().organization.value
  return (
    <Steps title={t('Welcome to {organization}', { organization: realm_name })} steps={useUserSteps()} {...props} />
  )
}

const Steps = ({ title, steps, onDismiss }: StepsProps & { title: string; steps: readonly FirstStep[] }) => {
  const action = useAction()
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section class="first-steps" aria-label={t('First steps')}>
      <header>
        <h2 dir="auto">{title}</h2>
        <p class="soft-text" role="status">
          {done === steps.length
            ? t('All steps are done.')
            : t('{done, number} of {total, plural, one {# step} other {# steps}} done', { done, total: steps.length })}
        </p>
      </header>
      <ol class="first-step-list">
        {steps.map((step) => (
          <StepLine key={step.label} step={step} />
        ))}
      </ol>
      <ChannelGroups />
      <ActionStatus action={action} />
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => action.run(onDismiss)}>
          {t('Do not show this again')}
        </button>
      </div>
    </section>
  )
}

const StepLine = ({ step: { label, hint, href, isDone } }: { step: FirstStep }) => (
  <li class={isDone ? 'first-step done-step' : 'first-step'}>
    <span class="step-mark">{isDone && <Icon name="check" size={14} />}</span>
    <span>
      <a href={href}>
        {isDone && <span class="only-for-screen-readers">{t('Done:')} </span>}
        {label}
      </a>
      <span class="field-hint">{hint}</span>
    </span>
  </li>
)
