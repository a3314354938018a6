/** One event subscription: its state, position and last errors, and what the user may do with it. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { formatMoment } from '../../ui/times.js'
import { ConfirmButton } from '../confirm-button.js'
import { CopyField } from '../copy-field.js'
import {
  describeFilter,
  describeProgress,
  describeState,
  describeTest,
  type EventSubscription,
  sinkNames,
} from './subscription-texts.js'

interface SubscriptionLineProps {
  of: EventSubscription
  isControlled: boolean
  /** Runs a call, and loads the list again. @returns whether that succeeded */
  onChange: (call: () => Promise<unknown>, done: string) => Promise<boolean>
}

/** The entry of the list. */
export const SubscriptionLine = ({ of: subscription, isControlled, onChange }: SubscriptionLineProps) => {
  const chat = useChat()
  const { name, user_id, sink, address, state } = subscription
  const test = describeTest(subscription)
  const hasFailed = state === 'broken' || subscription.failures > 0
  return (
    <li class="bot-entry">
      <p class="dialog-row-title" dir="auto">
        <bdi>{name}</bdi>
      </p>
      <p class={hasFailed ? 'subscription-failure' : 'soft-text'}>{describeState(subscription)}</p>
      <p class="soft-text">
        {sinkNames[sink]} · {t.rich('events of {name}', {}, { name: <bdi>{userName(chat, user_id)}</bdi> })}
      </p>
      {address !== '' && (
        <p class="soft-text subscription-address" dir="ltr">
          {address}
        </p>
      )}
      <p class="soft-text" dir="auto">
        {describeFilter(subscription)}
      </p>
      <p class="soft-text">{describeProgress(subscription)}</p>
      {test !== undefined && <p class="soft-text">{test}</p>}
      <ErrorList of={subscription} />
      <LineButtons of={subscription} isControlled={isControlled} onChange={onChange} />
    </li>
  )
}

const ErrorList = ({ of: { name, errors } }: { of: EventSubscription }) =>
  errors.length === 0 ? null : (
    <details>
      <summary>{t('Last errors of {name}', { name })}</summary>
      <ul class="subscription-errors">
        {errors.map(({ at, error }) => (
          <li key={`${at} ${error}`}>
            {formatMoment(new Date(at * 1000))}: <span dir="auto">{error}</span>
          </li>
        ))}
      </ul>
    </details>
  )

const LineButtons = ({ of: subscription, isControlled, onChange }: SubscriptionLineProps) => {
  const { client } = useChat()
  const secret = useSignal('')
  const isReplaying = useSignal(false)
  const id = useId()
  const { subscription_id, name, state, sink } = subscription
  const params = { subscription_id }
  const renew = () =>
    onChange(async () => {
      secret.value = (await client.call('POST /event_subscriptions/{subscription_id}/secret', params)).secret
    }, t('The former secret signs for one more day.'))
  return (
    <>
      {secret.value !== '' && <SecretField name={name} secret={secret.value} />}
      {/* biome-ignore lint/a11y/useSemanticElements: A fieldset has a border and a legend. */}
      <div class="form-buttons" role="group" aria-label={name}>
        {state === 'active' && (
          <button
            type="button"
            class="button"
            onClick={() =>
              onChange(() => client.call('POST /event_subscriptions/{subscription_id}/pause', params), t('Paused.'))
            }
          >
            {t('Pause')}
          </button>
        )}
        {isControlled && state !== 'active' && (
          <button
            type="button"
            class="button"
            onClick={() =>
              onChange(() => client.call('POST /event_subscriptions/{subscription_id}/resume', params), t('Resumed.'))
            }
          >
            {t('Resume')}
          </button>
        )}
        {isControlled && (
          <>
            <button
              type="button"
              class="button"
              onClick={() =>
                onChange(() => client.call('POST /event_subscriptions/{subscription_id}/test', params), '')
              }
            >
              {t('Send a test')}
            </button>
            <button
              type="button"
              class="button"
              aria-expanded={isReplaying.value}
              aria-controls={id}
              onClick={() => {
                isReplaying.value = !isReplaying.value
              }}
            >
              {t('Replay')}
            </button>
            {sink === 'http' && (
              <ConfirmButton label={t('New secret')} confirmLabel={t('Replace the secret now')} onConfirm={renew} />
            )}
          </>
        )}
        <ConfirmButton
          label={t('Delete')}
          confirmLabel={t('Delete {name} now', { name })}
          onConfirm={() =>
            onChange(
              () => client.call('DELETE /event_subscriptions/{subscription_id}', params),
              t('{name} was deleted.', { name }),
            )
          }
        />
      </div>
      <div id={id} hidden={!isReplaying.value}>
        {isReplaying.value && <ReplayForm of={subscription} onChange={onChange} />}
      </div>
    </>
  )
}

/** The secret of a subscription. The server shows it only once. */
export const SecretField = ({ name, secret }: { name: string; secret: string }) => (
  <>
    <CopyField label={t('Secret of {name}', { name })} value={secret} />
    <p class="field-hint">{t('Copy the secret now: it is not shown again. Receivers verify signatures with it.')}</p>
  </>
)

type Begin = 'oldest' | 'position' | 'snapshot'

const ReplayForm = ({ of: subscription, onChange }: Pick<SubscriptionLineProps, 'of' | 'onChange'>) => {
  const { client } = useChat()
  const form = useForm({
    values: { begin: 'position' as Begin, position: String(subscription.position) },
    send: ({ begin, position }) =>
      client.call('POST /event_subscriptions/{subscription_id}/replay', {
        subscription_id: subscription.subscription_id,
        ...(begin === 'snapshot' ? { snapshot: true } : { position: begin === 'oldest' ? 0 : Number(position) }),
      }),
  })
  const options: { value: Begin; label: string }[] = [
    { value: 'position', label: t('After an event') },
    { value: 'oldest', label: t('At the oldest event that the server has') },
    { value: 'snapshot', label: t('With a snapshot') },
  ]
  const submit = async () => {
    // The error is shown by the form, and the list has the new position.
    if (await form.submit()) await onChange(async () => {}, t('The subscription continues there.'))
  }
  return (
    <Form of={form} onSubmit={submit}>
      <SelectField label={t('Continue')} options={options} {...form.bind('begin')} />
      {form.values.begin === 'position' && (
        <TextField
          label={t('ID of the last event that the receiver has')}
          type="number"
          isRequired
          {...form.bind('position')}
        />
      )}
      <FormEnd of={form} label={t('Continue there')} isSecondary />
    </Form>
  )
}
