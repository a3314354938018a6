/** The messages that were deleted within the last days, and buttons to restore them. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { SelectField, TextField } from '../../forms/fields.js'
import { bind } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { channelName, topicName, userName } from '../../realm/names.js'
import { mayReadChannel } from '../../realm/permissions.js'
import { formatNearMoment } from '../../ui/times.js'
import './deleted-messages.css'

type Page = Result<'GET /deleted_messages'>
type DeletedMessage = Page['deleted_messages'][number]

/** Milliseconds without a key after which a search begins. */
const TYPING_MS = 300
/** In the choice of channels: all of them. */
const ALL_CHANNELS = 0

/** Neighbours in the list that one request deleted. */
interface Deletion {
  readonly id: string
  readonly messages: DeletedMessage[]
}

const groupByDeletion = (messages: readonly DeletedMessage[]): Deletion[] => {
  const deletions: Deletion[] = []
  for (const message of messages) {
    // Of what an older server deleted, nothing says which messages belong together.
    const id = message.deletion_id ?? `message ${message.id}`
    const last = deletions.at(-1)
    if (last?.id === id) last.messages.push(message)
    else deletions.push({ id, messages: [message] })
  }
  return deletions
}

/** Lists messages for these fields. A later request makes the answers of earlier ones void. */
const useDeletedMessages = (chat: Chat, action: Action) => {
  const page = useSignal<Page | undefined>(undefined)
  const text = useSignal('')
  const channelId = useSignal(ALL_CHANNELS)
  const requests = useSignal(0)
  const load = async (before?: string) => {
    requests.value += 1
    const request = requests.peek()
    const [words, stream_id] = [text.peek().trim(), channelId.peek()]
    const next = await chat.client.call('GET /deleted_messages', {
      ...(words !== '' && { text: words }),
      ...(stream_id !== ALL_CHANNELS && { stream_id }),
      ...(before !== undefined && { before }),
    })
    if (request !== requests.peek()) return
    const shown = before === undefined ? [] : (page.peek()?.deleted_messages ?? [])
    page.value = { ...next, deleted_messages: [...shown, ...next.deleted_messages] }
  }
  useEffect(() => {
    const timer = setTimeout(() => void action.run(() => load()), page.peek() === undefined ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [text.value, channelId.value])
  useEffect(
    () =>
      chat.realm.onEvent(({ type }) => {
        if (type === 'delete_message' || type === 'restore_message' || type === 'reset')
          void load().catch(() => undefined)
      }),
    [chat],
  )
  return { page: page.value, text, channelId, load }
}

/** The page "Deleted messages". */
export const DeletedMessages = () => {
  const chat = useChat()
  const action = useAction()
  const { page, text, channelId, load } = useDeletedMessages(chat, action)
  const channels = [...chat.channels.value.values()]
    .filter((channel) => mayReadChannel(chat, channel))
    .map(({ stream_id, name }) => ({ value: stream_id, label: `#${name}` }))
    .sort((one, other) => compareTexts(one.label, other.label))
  const deletions = groupByDeletion(page?.deleted_messages ?? [])
  return (
    <>
      <p class="soft-text">
        {t(
          'A deleted message is kept for 30 days. Restored messages are in their channels again, with their reactions and files, and no user is notified. Direct messages are not listed: the operator of the server can restore them.',
        )}
      </p>
      <div class="dialog-two-columns">
        <TextField label={t('Search the texts')} type="search" {...bind(text)} />
        <SelectField
          label={t('Channel')}
          options={[{ value: ALL_CHANNELS, label: t('All channels') }, ...channels]}
          {...bind(channelId)}
        />
      </div>
      <ActionStatus action={action} />
      {page !== undefined && deletions.length === 0 && page.next === null && (
        <p class="soft-text">{t('There is no deleted message.')}</p>
      )}
      {deletions.map((deletion) => (
        <DeletionGroup
          key={`${deletion.id} ${deletion.messages[0]?.id}`}
          deletion={deletion}
          action={action}
          load={load}
        />
      ))}
      {page !== undefined && page.next !== null && (
        <div class="form-buttons">
          <button type="button" class="button" onClick={() => action.run(() => load(page.next ?? undefined))}>
            {t('Show more')}
          </button>
        </div>
      )}
    </>
  )
}

interface DeletionGroupProps {
  deletion: Deletion
  action: Action
  load: () => Promise<void>
}

const DeletionGroup = ({ deletion: { id, messages }, action, load }: DeletionGroupProps) => {
  const chat = useChat()
  const [first] = messages
  if (first === undefined) return null
  const { stream_id, topic, deleted_at, deleted_by, deletion_id } = first
  const place = `#${channelName(chat, stream_id)} › ${topicName(chat, topic)}`
  const restoreAll = async () => {
    // Many messages are restored in several calls.
    for (let isComplete = deletion_id === null; !isComplete; ) {
      const call = chat.client.call('POST /deleted_messages/restore', { deletion_id: id })
      isComplete = (await call).complete
    }
    await load()
  }
  return (
    <div class="deletion">
      <div class="deletion-head">
        <div class="dialog-row-main">
          <h3 class="one-line">
            <bdi>{place}</bdi>
          </h3>
          <p class="soft-text">
            {deleted_by === null
              ? t('Deleted')
              : t.rich('Deleted by {name}', {}, { name: <bdi>{userName(chat, deleted_by)}</bdi> })}{' '}
            · {formatNearMoment(deleted_at)}
          </p>
        </div>
        {messages.length > 1 && (
          <button
            type="button"
            class="button"
            aria-label={t('Restore all of this deletion: {place}', { place })}
            disabled={action.state.value.isBusy}
            onClick={() => action.run(restoreAll, t('All messages of this deletion are in {place} again.', { place }))}
          >
            {t('Restore all')}
          </button>
        )}
      </div>
      <ul class="dialog-rows">
        {messages.map((message) => (
          <MessageLine key={message.id} message={message} place={place} action={action} load={load} />
        ))}
      </ul>
    </div>
  )
}

interface MessageLineProps extends Pick<DeletionGroupProps, 'action' | 'load'> {
  message: DeletedMessage
  place: string
}

const MessageLine = ({ message: { id, sender_id, timestamp, content }, place, action, load }: MessageLineProps) => {
  const chat = useChat()
  const sender = userName(chat, sender_id)
  const restore = async () => {
    await chat.client.call('POST /deleted_messages/restore', { message_ids: [id] })
    await load()
  }
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="soft-text">
          <bdi>{sender}</bdi> · {formatNearMoment(timestamp)}
        </p>
        <p class="deleted-text" dir="auto">
          {content}
        </p>
      </div>
      <button
        type="button"
        class="button"
        aria-label={t('Restore the message of {sender}, {time}', { sender, time: formatNearMoment(timestamp) })}
        disabled={action.state.value.isBusy}
        onClick={() => action.run(restore, t('The message is in {place} again.', { place }))}
      >
        {t('Restore')}
      </button>
    </li>
  )
}
