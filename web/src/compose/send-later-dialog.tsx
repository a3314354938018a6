/** The dialog that asks when a message shall be sent. */

import { LaterForm } from '../forms/later-form.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { Dialog } from '../ui/dialog.js'
import { say } from '../ui/status-line.js'
import { formatNearMoment } from '../ui/times.js'
import type { ReadyMessage } from './ready-message.js'

interface SendLaterDialogProps {
  chat: Chat
  message: ReadyMessage
  onClose: () => void
  onScheduled: (message: ReadyMessage) => void
}

/** Shows the dialog. */
export const SendLaterDialog = ({ chat, message, onClose, onScheduled }: SendLaterDialogProps) => {
  const { conversation, content } = message
  const schedule = async (scheduled_delivery_timestamp: number) => {
    const to =
      conversation.kind === 'direct'
        ? ({ type: 'direct', to: conversation.userIds } as const)
        : ({ type: 'channel', to: conversation.channelId, topic: conversation.topic } as const)
    await chat.client.call('POST /scheduled_messages', { ...to, content, scheduled_delivery_timestamp })
    onScheduled(message)
    say({
      text: t('The message will be sent: {time}.', { time: formatNearMoment(scheduled_delivery_timestamp) }),
      link: { text: t('Scheduled messages'), href: '#scheduled' },
    })
  }
  return (
    <Dialog title={t('Send later')} onClose={onClose}>
      <p>
        {t.rich(
          'The server sends the message to {conversation}, also while you are away.',
          {},
          { conversation: <bdi>{conversationName(chat, conversation)}</bdi> },
        )}
      </p>
      <LaterForm submitLabel={t('Send it then')} onChoose={schedule} onCancel={onClose} />
    </Dialog>
  )
}
