/** The users who signed up and wait for approval, and buttons to approve and to refuse them. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { formatFullTime } from '../../ui/times.js'
import { ConfirmButton } from '../confirm-button.js'

type SignUp = Result<'GET /sign_ups'>['sign_ups'][number]

/** The page "Requests to join". */
export const SignUpRequests = () => {
  const chat = useChat()
  const action = useAction()
  const waiting = useSignal<SignUp[] | undefined>(undefined)
  const fetchWaiting = async () => {
    waiting.value = (await chat.client.call('GET /sign_ups')).sign_ups
  }
  useEffect(() => {
    void action.run(fetchWaiting)
    return chat.realm.onEvent((event) => {
      // The event says only that the list has changed.
      if (event.type === 'sign_ups_changed') void fetchWaiting().catch(() => undefined)
    })
  }, [])
  return (
    <>
      <p class="soft-text">
        {t(
          'Who signs up waits here if the organization wants approval (Mail domains and log-in). They get a mail when you decide.',
        )}
      </p>
      <ActionStatus action={action} />
      {waiting.value?.length === 0 && <p class="soft-text">{t('Nobody waits for approval.')}</p>}
      <ul class="dialog-rows" aria-label={t('Requests to join')}>
        {waiting.value?.map((one) => (
          <SignUpLine key={one.id} one={one} action={action} fetchWaiting={fetchWaiting} />
        ))}
      </ul>
    </>
  )
}

interface SignUpLineProps {
  one: SignUp
  action: Action
  fetchWaiting: () => Promise<void>
}

const SignUpLine = ({ one, action, fetchWaiting }: SignUpLineProps) => {
  const { client } = useChat()
  const { id: sign_up_id, full_name: name, email, mail_domain, confirmed_at } = one
  const approve = async () => {
    await client.call('POST /sign_ups/{sign_up_id}/approve', { sign_up_id })
    await fetchWaiting()
  }
  const refuse = async () => {
    await client.call('DELETE /sign_ups/{sign_up_id}', { sign_up_id })
    await fetchWaiting()
  }
  // Letters of other alphabets can look like those of a known domain.
  const isForeign = !email.toLowerCase().endsWith(`@${mail_domain}`)
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="dialog-row-title" dir="auto">
          {name}
        </p>
        <p class="soft-text">
          <bdi>{email}</bdi>
          {isForeign && (
            <>
              {' · '}
              <bdi>{mail_domain}</bdi>
            </>
          )}
          {' · '}
          {formatFullTime(new Date(confirmed_at * 1000))}
        </p>
      </div>
      <button
        type="button"
        class="button"
        aria-label={t('Approve: {name}', { name })}
        disabled={action.state.value.isBusy}
        onClick={() => action.run(approve, t('{name} was approved.', { name }))}
      >
        {t('Approve')}
      </button>
      <ConfirmButton
        label={t('Refuse')}
        confirmLabel={t('Refuse {name} now', { name })}
        onConfirm={() => action.run(refuse, t('{name} was refused.', { name }))}
      />
    </li>
  )
}
