/** The dialog that moves messages to another topic or channel. */
import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { findTopics } from '../../finding/find.js'
import { useChat } from '../../realm/chat.js'
import { topicName } from '../../realm/names.js'
import { Dialog } from '../../ui/dialog.js'
import { TextLimit } from '../../ui/text-limit.js'
import { moveMessages } from './move-messages.js'
import { endAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

const modes = [
  { mode: 'change_one', label: 'Only this message' },
  { mode: 'change_later', label: 'This message and all later ones of the topic' },
  { mode: 'change_all', label: 'All messages of the topic' },
] as const

interface MoveDialogProps {
  message: Message
  /** all messages of the topic move */
  isOnTopic: boolean
}

/** Shows the dialog. */
export const MoveDialog = ({ message, isOnTopic }: MoveDialogProps) => {
  const chat = useChat()
  const id = useId()
  const permissions = messagePermissions(chat, message)
  const channelId = useSignal(message.stream_id ?? 0)
  const topic = useSignal(message.subject)
  const topicField = useRef<HTMLInputElement>(null)
  const mode = useSignal<(typeof modes)[number]['mode']>(isOnTopic ? 'change_all' : 'change_later')
  const tellsOld = useSignal(false)
  const tellsNew = useSignal(true)
  const failure = useSignal('')
  const channels = [...chat.subscriptions.value.values()]
    .filter(({ is_archived, stream_id }) => !is_archived || stream_id === message.stream_id)
    .sort((one, other) => one.name.localeCompare(other.name))

  const move = async () => {
    const changesTopic = topic.value.trim() !== message.subject
    const changesChannel = channelId.value !== message.stream_id
    if (!changesTopic && !changesChannel) return endAction()
    try {
      await moveMessages(chat, {
        message_id: message.id,
        propagate_mode: mode.value,
        ...(changesTopic && { topic: topic.value.trim() }),
        ...(changesChannel && { stream_id: channelId.value }),
        send_notification_to_old_thread: tellsOld.value,
        send_notification_to_new_thread: tellsNew.value,
      })
      endAction()
    } catch (error) {
      failure.value = (error as Error).message
    }
  }
  return (
    <Dialog title={isOnTopic ? 'Rename or move the topic' : 'Move messages'} onClose={endAction}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void move()
        }}
      >
        <label>
          <span class="field-label">Channel</span>
          <select
            class="text-field"
            value={channelId.value}
            disabled={!permissions.moveChannel}
            onChange={(event) => {
              channelId.value = Number(event.currentTarget.value)
            }}
          >
            {channels.map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id}>
                #{name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="field-label">Topic</span>
          <input
            class="text-field"
            ref={topicField}
            dir="auto"
            list={`${id}-topics`}
            aria-describedby={`${id}-limit`}
            value={topic.value}
            placeholder={topicName(chat, '')}
            disabled={!(channelId.value === message.stream_id ? permissions.moveTopic : permissions.renameOnMove)}
            onInput={(event) => {
              topic.value = event.currentTarget.value
            }}
          />
        </label>
        <TextLimit
          id={`${id}-limit`}
          field={topicField}
          text={topic.value.trim()}
          most={chat.organization.value.max_topic_length}
        />
        <datalist id={`${id}-topics`}>
          {findTopics(chat, channelId.value, '')
            .slice(0, 50)
            .map(({ name }) => (
              <option key={name} value={name} />
            ))}
        </datalist>
        {!isOnTopic && (
          <fieldset class="dialog-choices">
            <legend class="field-label">Which messages</legend>
            {modes.map(({ mode: each, label }) => (
              <label key={each}>
                <input
                  type="radio"
                  name={id}
                  checked={mode.value === each}
                  onChange={() => {
                    mode.value = each
                  }}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="dialog-choices">
          <legend class="field-label">Leave a note</legend>
          <label>
            <input
              type="checkbox"
              checked={tellsOld.value}
              onChange={() => {
                tellsOld.value = !tellsOld.value
              }}
            />
            where the messages were
          </label>
          <label>
            <input
              type="checkbox"
              checked={tellsNew.value}
              onChange={() => {
                tellsNew.value = !tellsNew.value
              }}
            />
            where the messages are then
          </label>
        </fieldset>
        {failure.value !== '' && (
          <p class="error-note" role="alert">
            {failure.value}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={endAction}>
            Cancel
          </button>
          <button type="submit" class="button button-primary">
            Move
          </button>
        </div>
      </form>
    </Dialog>
  )
}
