/** The dialog that moves messages to another topic or channel. */

import type { Message } from '@parley/client'
import { useId, useRef } from 'preact/hooks'
import { findTopics } from '../../finding/find.js'
import { FailureNote } from '../../forms/action.js'
import { Form, SubmitButton, useForm } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { topicName } from '../../realm/names.js'
import { Dialog } from '../../ui/dialog.js'
import { TextLimit } from '../../ui/text-limit.js'
import { moveMessages } from './move-messages.js'
import { endAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

const modes = [
  { mode: 'change_one', label: t('Only this message') },
  { mode: 'change_later', label: t('This message and all later ones of the topic') },
  { mode: 'change_all', label: t('All messages of the topic') },
] as const

interface MoveValues {
  channelId: number
  topic: string
  mode: (typeof modes)[number]['mode']
  tellsOld: boolean
  tellsNew: boolean
}

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
  const topicField = useRef<HTMLInputElement>(null)
  const channels = [...chat.subscriptions.value.values()]
    .filter(({ is_archived, stream_id }) => !is_archived || stream_id === message.stream_id)
    .sort((one, other) => compareTexts(one.name, other.name))

  const form = useForm<MoveValues>({
    values: {
      channelId: message.stream_id ?? 0,
      topic: message.subject,
      mode: isOnTopic ? 'change_all' : 'change_later',
      tellsOld: false,
      tellsNew: true,
    },
    send: async ({ channelId, topic, mode, tellsOld, tellsNew }) => {
      const changesTopic = topic.trim() !== message.subject
      const changesChannel = channelId !== message.stream_id
      if (changesTopic || changesChannel) {
        await moveMessages(chat, {
          message_id: message.id,
          propagate_mode: mode,
          ...(changesTopic && { topic: topic.trim() }),
          ...(changesChannel && { stream_id: channelId }),
          send_notification_to_old_thread: tellsOld,
          send_notification_to_new_thread: tellsNew,
        })
      }
      endAction()
    },
  })
  const { channelId, topic, mode, tellsOld, tellsNew } = form.values
  return (
    <Dialog title={isOnTopic ? t('Rename or move the topic') : t('Move messages')} onClose={endAction}>
      <Form of={form}>
        <label>
          <span class="field-label">{t('Channel')}</span>
          <select
            class="text-field"
            value={channelId}
            disabled={!permissions.moveChannel}
            onChange={(event) => form.set({ channelId: Number(event.currentTarget.value) })}
          >
            {channels.map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id}>
                #{name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="field-label">{t('Topic')}</span>
          <input
            class="text-field"
            ref={topicField}
            dir="auto"
            list={`${id}-topics`}
            aria-describedby={`${id}-limit`}
            value={topic}
            placeholder={topicName(chat, '')}
            disabled={!(channelId === message.stream_id ? permissions.moveTopic : permissions.renameOnMove)}
            onInput={(event) => form.set({ topic: event.currentTarget.value })}
          />
        </label>
        <TextLimit
          id={`${id}-limit`}
          field={topicField}
          text={topic.trim()}
          most={chat.organization.value.max_topic_length}
        />
        <datalist id={`${id}-topics`}>
          {findTopics(chat, channelId, '')
            .slice(0, 50)
            .map(({ name }) => (
              <option key={name} value={name} />
            ))}
        </datalist>
        {!isOnTopic && (
          <fieldset class="dialog-choices">
            <legend class="field-label">{t('Which messages')}</legend>
            {modes.map(({ mode: each, label }) => (
              <label key={each}>
                <input type="radio" name={id} checked={mode === each} onChange={() => form.set({ mode: each })} />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="dialog-choices">
          <legend class="field-label">{t('Leave a note')}</legend>
          <label>
            <input type="checkbox" checked={tellsOld} onChange={() => form.set({ tellsOld: !tellsOld })} />
            {t('where the messages were')}
          </label>
          <label>
            <input type="checkbox" checked={tellsNew} onChange={() => form.set({ tellsNew: !tellsNew })} />
            {t('where the messages are then')}
          </label>
        </fieldset>
        <FailureNote reason={form.action.state.value.error} />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={endAction}>
            {t('Cancel')}
          </button>
          <SubmitButton of={form} label={t('Move')} isDisabled={false} />
        </div>
      </Form>
    </Dialog>
  )
}
