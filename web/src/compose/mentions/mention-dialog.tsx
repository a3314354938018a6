/** The question before a message with such mentions is sent. */

import { FailureNote, useAction } from '../../forms/action.js'
import { language, t } from '../../languages/t.js'
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
  const names = new Intl.ListFormat(language).format(absent.map(({ full_name }) => full_name))
  const place = `#${channel?.name}`
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
                '{channel} has {count, plural, one {# subscriber} other {# subscribers}}, and you may not notify all of them at once. Mention people by name, or ask an administrator.',
                { channel: place, count: notified },
              )
            : t(
                '{count, plural, one {# subscriber of {channel} will be notified.} other {All # subscribers of {channel} will be notified.}}',
                { count: notified, channel: place },
              )}
        </p>
      )}
      {absent.length > 0 && (
        <p dir="auto">
          {channel === undefined
            ? t(
                '{count, plural, one {{names} does not take part in this conversation, and will not see the message.} other {{names} do not take part in this conversation, and will not see the message.}}',
                { count: absent.length, names },
              )
            : t(
                '{count, plural, one {{names} is not subscribed to {channel}, and will not be notified.} other {{names} are not subscribed to {channel}, and will not be notified.}}',
                { count: absent.length, names, channel: place },
              )}
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
            {notified > 0
              ? t('{count, plural, one {Notify # person} other {Notify # people}}', { count: notified })
              : t('Send anyway')}
          </button>
        )}
        {!isRefused && absent.length > 0 && mayAdd && (
          <button type="button" class="button button-primary" disabled={isBusy} onClick={subscribe}>
            {t('{count, plural, one {Subscribe {name} and send} other {Subscribe them and send}}', {
              count: absent.length,
              name: names,
            })}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const titleOf = ({ absent, notified, mayNotify, channel }: MentionRisks): string => {
  if (notified > 0) {
    return mayNotify
      ? t('{count, plural, one {Notify # person?} other {Notify # people?}}', { count: notified })
      : t('Too many people to notify')
  }
  const [count, name] = [absent.length, absent[0]?.full_name]
  return channel === undefined
    ? t('{count, plural, one {{name} is not here} other {# people are not here}}', { count, name })
    : t('{count, plural, one {{name} is not subscribed} other {# people are not subscribed}}', { count, name })
}
