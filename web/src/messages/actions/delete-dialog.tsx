import type { Message } from '@parley/client'
import { FailureNote, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { Boundary } from '../../ui/boundary.js'
import { Dialog } from '../../ui/dialog.js'
import { useMentions } from '../parts/mentions.js'
import { SentText } from '../parts/sent-text.js'
import { endAction } from './open-action.js'

/** Asks whether a message is to be deleted. */
export const DeleteDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const mentions = useMentions(chat)
  const action = useAction()
  const remove = async () => {
    const call = () => chat.client.call('DELETE /messages/{message_id}', { message_id: message.id })
    if (await action.run(call)) endAction()
  }
  return (
    <Dialog title={t('Delete the message?')} onClose={endAction}>
      <p>
        {message.type === 'stream'
          ? t('It is deleted for everyone. Administrators can restore it within 30 days.')
          : t('It is deleted for everyone.')}
      </p>
      <div class="action-quote">
        <Boundary note={t('This message cannot be shown.')}>
          <SentText
            senderId={message.sender_id}
            html={message.content}
            isAction={message.is_me_message === true}
            mentions={mentions}
          />
        </Boundary>
      </div>
      <FailureNote reason={action.state.value.error} />
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={endAction}>
          {t('Cancel')}
        </button>
        <button type="button" class="button button-danger" onClick={remove}>
          {t('Delete')}
        </button>
      </div>
    </Dialog>
  )
}
