import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../languages/error-text.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { Avatar } from '../../ui/avatar.js'
import { Dialog } from '../../ui/dialog.js'
import { UserName } from '../../ui/user-name.js'
import { endAction } from './open-action.js'

/** Says who has read a message. */
export const ReceiptsDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const userIds = useSignal<readonly number[] | undefined>(undefined)
  const failure = useSignal('')
  useEffect(() => {
    chat.client
      .call('GET /messages/{message_id}/read_receipts', { message_id: message.id })
      .then(({ user_ids }) => {
        userIds.value = user_ids
      })
      .catch((error: Error) => {
        failure.value = errorText(error)
      })
  }, [message.id])
  const readers = (userIds.value ?? []).flatMap((id) => chat.users.value.get(id) ?? [])
  return (
    <Dialog title={t('Read by')} onClose={endAction}>
      {failure.value !== '' && <p class="error-note">{failure.value}</p>}
      {userIds.value === undefined && failure.value === '' && <p class="soft-text">{t('Loading…')}</p>}
      {userIds.value?.length === 0 && <p class="soft-text">{t('Nobody else has read it yet.')}</p>}
      <ul class="receipt-list">
        {readers
          .sort((one, other) => compareTexts(one.full_name, other.full_name))
          .map((user) => (
            <li key={user.user_id}>
              <Avatar user={user} size="small" opensCard /> <UserName userId={user.user_id} />
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
