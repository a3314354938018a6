/** The box in which the user writes a message. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { FailureNote } from '../forms/action.js'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { findObstacle } from '../realm/posting.js'
import { Icon } from '../ui/icon.js'
import { describeExcess, excessOf, TextLimit } from '../ui/text-limit.js'
import { completeTarget, insertedText, type Target } from './compose-target.js'
import { ComposeTools } from './compose-tools.js'
import { openNewText, openText } from './drafts.js'
import { fileReceiver } from './file-drop.js'
import { useMentionQuestion } from './mentions/use-mention-question.js'
import { outboxOf } from './outbox.js'
import { Preview } from './preview.js'
import type { ReadyMessage } from './ready-message.js'
import { SendLater } from './send-later.js'
import { TextArea } from './text-area.js'
import { insertLines } from './text-edits.js'
import { messageLimit, storedText, TextFileButton } from './text-file.js'
import { openTypingNotices } from './typing-notices.js'
import { UploadList } from './upload-list.js'
import { openUploads, type Upload } from './uploads.js'

interface ComposeBoxProps {
  target: Target
  /** the text is a new one, whatever else was written without a recipient */
  isNew: boolean
  /** Is called after the message went to the outbox. */
  onSent: () => void
  onEscape: () => void
  /** Opens the last message of the user, to be edited. */
  onEditLast?: (() => void) | undefined
}

/** The compose box. Its text is the draft of the target. */
export const ComposeBox = ({ target, isNew, onSent, onEscape, onEditLast }: ComposeBoxProps) => {
  const chat = useChat()
  const text = useMemo(() => (isNew ? openNewText : openText)(chat, target), [chat])
  const notices = useMemo(() => openTypingNotices(chat), [chat])
  const uploads = useMemo(() => openUploads(chat), [chat])
  const question = useMentionQuestion()
  const field = useRef<HTMLTextAreaElement>(null)
  const isPreview = useSignal(false)
  const failure = useSignal('')
  const conversation = completeTarget(target)
  const label =
    conversation === undefined
      ? t('Write a message')
      : t('Write to {recipient}', { recipient: conversationName(chat, conversation) })
  const limitId = useId()
  const isTooLong = useComputed(() => excessOf(storedText(text.content.value), messageLimit(chat)) > 0)

  useEffect(() => {
    text.isShown = true
    return () => {
      text.isShown = false
      notices.stopped()
      text.save()
    }
  }, [])
  useLayoutEffect(() => {
    if (insertedText.value === '' || field.current === null) return
    field.current.focus()
    insertLines(field.current, insertedText.peek())
    insertedText.value = ''
  }, [insertedText.value])

  /** Whether the message can go where it shall; if not, it says why. */
  const isReady = (): boolean => {
    failure.value = describeObstacle(chat, target, uploads.list.peek())
    return failure.value === ''
  }
  const end = () => {
    isPreview.value = false
    notices.stopped()
    text.clear()
    onSent()
  }
  const submit = (content: string) => {
    if (conversation === undefined) return
    outboxOf(chat).send(conversation, content)
    end()
  }
  /** Goes on with the message when nothing is against sending it. */
  const prepare = (proceed: (message: ReadyMessage) => void) => {
    const content = text.content.peek().trim()
    if (content === '' || !isReady()) return
    failure.value = isTooLong.peek() ? tooLongToSend : ''
    if (failure.value !== '' || conversation === undefined) return
    // While the user was asked, the text may have changed.
    const isSame = () => text.content.peek().trim() === content
    question.ask(conversation, content, () => isSame() && proceed({ conversation, content }))
  }
  const send = () => prepare(({ content }) => submit(content))
  const addFiles = (element: HTMLTextAreaElement, files: Iterable<File>) => uploads.add(element, files)
  useEffect(() => {
    const receiver = {
      label,
      add: (files: readonly File[]) => field.current !== null && addFiles(field.current, files),
    }
    fileReceiver.value = receiver
    return () => {
      if (fileReceiver.peek() === receiver) fileReceiver.value = undefined
    }
  }, [label])

  return (
    <div class="compose-frame">
      <FailureNote reason={failure.value} />
      <div class={isPreview.value ? 'compose-hidden' : 'compose-entry'}>
        <TextArea
          id="compose"
          label={label}
          value={text.content.value}
          channelId={target.kind === 'topic' ? target.channelId : undefined}
          fieldRef={field}
          limitId={limitId}
          onChange={(value) => {
            text.edit(value)
            failure.value = ''
            if (value === '') notices.stopped()
            else if (conversation !== undefined) notices.typed(conversation)
          }}
          onSubmit={send}
          onEscape={onEscape}
          onFiles={addFiles}
          onArrowUp={onEditLast}
        />
      </div>
      {isPreview.value && <Preview content={text.content.value} />}
      <UploadList uploads={uploads} />
      {question.dialog}
      <div class="compose-limit">
        <TextLimit id={limitId} field={field} text={storedText(text.content.value)} most={messageLimit(chat)} />
        <TextFileButton
          label={t('Send as a file')}
          text={text.content}
          isReady={isReady}
          onLink={submit}
          onFailure={(reason) => {
            failure.value = reason
          }}
        />
      </div>
      <div class="compose-foot">
        <ComposeTools
          field={field}
          isPreview={isPreview.value}
          onPreview={() => {
            isPreview.value = !isPreview.value && text.content.peek().trim() !== ''
            if (!isPreview.value) requestAnimationFrame(() => field.current?.focus())
          }}
          onFiles={addFiles}
        />
        <EnterKeySetting />
        <SendLater
          isDisabled={text.content.value.trim() === '' || isTooLong.value}
          prepare={prepare}
          onScheduled={end}
        />
        <button
          type="button"
          class="button button-primary compose-send"
          disabled={text.content.value.trim() === '' || isTooLong.value}
          onClick={send}
        >
          <Icon name="send" size={16} /> {t('Send')}
        </button>
      </div>
    </div>
  )
}

const tooLongToSend = t('The message is too long. Shorten it, or send it as a file.')

/** Why a message cannot be sent yet; empty if it can. */
const describeObstacle = (chat: Chat, target: Target, uploads: readonly Upload[]): string => {
  const conversation = completeTarget(target)
  if (conversation === undefined)
    return target.kind === 'topic' ? t('Choose a channel.') : t('Choose at least one person.')
  const obstacle = findObstacle(chat, conversation)
  if (obstacle !== undefined && obstacle.isAdvice !== true) return obstacle.text
  const excess =
    target.kind === 'topic' ? describeExcess(target.topic.trim(), chat.organization.peek().max_topic_length) : ''
  if (excess !== '') return t('The topic is too long. {explanation}', { explanation: excess })
  return uploads.some((upload) => upload.failure === undefined) ? t('A file is still being uploaded.') : ''
}

const EnterKeySetting = () => {
  const chat = useChat()
  const enterSends = chat.settings.value.enter_sends !== false
  return (
    <label class="compose-enter">
      <input
        type="checkbox"
        checked={enterSends}
        onChange={() => chat.client.call('PATCH /settings', { enter_sends: !enterSends }).catch(() => undefined)}
      />
      {t('Enter sends')}
    </label>
  )
}
