/** The question before a message with such mentions is sent. */

import { FailureNote, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { Dialog } from '../../ui/dialog.js'
import type { MentionRisks } from './mention-risks.js'

interface MentionDialogProps {
  risks: MentionRisks
  send: () => void
  onClose: () => void
}

/** The dialog. Without a choice, the message stays in its field. */
export const MentionDialog = ({ risks, send, onClose }: MentionDialogProps) => {
  const chat = useChat()
  const action = useAction()
  const { isBusy, error } = action.state.value
  const { channel, absent, mayAdd, notified, mayNotify } = risks
  const isRefused = notified > 0 && !mayNotify
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(absent.map(({ full_name }) => full_name))
  const isOne = absent.length === 1
  const place = channel === undefined ? 'this conversation' : `#${channel.name}`
  const finish = () => {
    onClose()
    send()
  }
  const subscribe = async () => {
    if (channel === undefined) return
    const call = () =>
      chat.client.call('POST /users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: absent.map(({ user_id }) => user_id),
      })
    if (await action.run(call)) finish()
  }
  return (
    <Dialog title={titleOf(risks)} onClose={onClose}>
      <FailureNote reason={error} />
      {notified > 0 && (
        <p dir="auto">
          {isRefused
            ? t(
                '{place} has {notified} subscribers, and you may not notify all of them at once. Mention people by name, or ask an administrator.',
                { place, notified },
              )
            : t('All {notified} subscribers of {place} will be notified.', { notified, place })}
        </p>
      )}
      {absent.length > 0 && (
        <p dir="auto">
          {channel === undefined
            ? `${names} ${isOne ? 'does' : 'do'} not take part in this conversation, and will not see the message.`
            : `${names} ${isOne ? 'is' : 'are'} not subscribed to ${place}, and will not be notified.`}
        </p>
      )}
      <div class="dialog-buttons mention-choices">
        <button type="button" class="button" onClick={onClose}>
          {t('Edit the message')}
        </button>
        {!isRefused && (
          <button
            type="button"
            class={absent.length > 0 && mayAdd ? 'button' : 'button button-primary'}
            disabled={isBusy}
            onClick={finish}
          >
            {notified > 0 ? t('Notify {notified} people', { notified }) : t('Send anyway')}
          </button>
        )}
        {!isRefused && absent.length > 0 && mayAdd && (
          <button type="button" class="button button-primary" disabled={isBusy} onClick={subscribe}>
            {isOne ? t('Subscribe {names} and send', { names }) : t('Subscribe them and send')}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const titleOf = ({ absent, notified, mayNotify, channel }: MentionRisks): string => {
  if (notified > 0) return mayNotify ? t('Notify {notified} people?', { notified }) : t('Too many people to notify')
  const who = absent.length === 1 ? (absent[0]?.full_name ?? '') : t('{length} people', { length: absent.length })
  const verb = absent.length === 1 ? 'is' : 'are'
  return channel === undefined
    ? t('{who} {verb} not here', { who, verb })
    : t('{who} {verb} not subscribed', { who, verb })
}
