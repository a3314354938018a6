/** The box in which the user writes a message. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { Icon } from '../ui/icon.js'
import { completeTarget, insertedText, type Target } from './compose-target.js'
import { ComposeTools } from './compose-tools.js'
import { openText } from './drafts.js'
import { outboxOf } from './outbox.js'
import { Preview } from './preview.js'
import { TextArea } from './text-area.js'
import { insertLines } from './text-edits.js'
import { openTypingNotices } from './typing-notices.js'
import { UploadList } from './upload-list.js'
import { openUploads } from './uploads.js'

interface ComposeBoxProps {
  target: Target
  /** Is called after the message went to the outbox. */
  onSent: () => void
  onEscape: () => void
}

/** The compose box. Its text is the draft of the target. */
export const ComposeBox = ({ target, onSent, onEscape }: ComposeBoxProps) => {
  const chat = useChat()
  const text = useMemo(() => openText(chat, target), [chat])
  const notices = useMemo(() => openTypingNotices(chat), [chat])
  const uploads = useMemo(() => openUploads(chat), [chat])
  const field = useRef<HTMLTextAreaElement>(null)
  const isPreview = useSignal(false)
  const failure = useSignal('')
  const conversation = completeTarget(target)
  const label = conversation === undefined ? 'Write a message' : `Write to ${conversationName(chat, conversation)}`
  const limit = chat.organization.value.max_message_length ?? Number.POSITIVE_INFINITY
  const isTooLong = useComputed(() => [...text.content.value].length > limit)

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

  const send = () => {
    const content = text.content.peek().trim()
    if (content === '') return
    if (conversation === undefined) {
      failure.value = target.kind === 'topic' ? 'Choose a channel.' : 'Choose at least one person.'
      return
    }
    if (uploads.list.peek().some((upload) => upload.failure === undefined)) {
      failure.value = 'A file is still being uploaded.'
      return
    }
    if (isTooLong.peek()) return
    failure.value = ''
    isPreview.value = false
    outboxOf(chat).send(conversation, content)
    notices.stopped()
    text.clear()
    onSent()
  }
  const addFiles = (element: HTMLTextAreaElement, files: FileList) => uploads.add(element, files)

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Files are dropped here; the button for files does the same with keys.
    <div
      class="compose-frame"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const files = event.dataTransfer?.files
        if (files === undefined || files.length === 0 || field.current === null) return
        event.preventDefault()
        addFiles(field.current, files)
      }}
    >
      {failure.value !== '' && (
        <p class="error-note" role="alert">
          {failure.value}
        </p>
      )}
      <div class={isPreview.value ? 'compose-hidden' : 'compose-entry'}>
        <TextArea
          id="compose"
          label={label}
          value={text.content.value}
          channelId={target.kind === 'topic' ? target.channelId : undefined}
          fieldRef={field}
          onChange={(value) => {
            text.edit(value)
            if (value === '') notices.stopped()
            else if (conversation !== undefined) notices.typed(conversation)
          }}
          onSubmit={send}
          onEscape={onEscape}
          onFiles={addFiles}
        />
      </div>
      {isPreview.value && <Preview content={text.content.value} />}
      <UploadList uploads={uploads} />
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
        {isTooLong.value && (
          <span class="compose-limit" role="alert">
            A message has at most {limit} characters.
          </span>
        )}
        <EnterKeySetting />
        <button
          type="button"
          class="button button-primary compose-send"
          disabled={text.content.value.trim() === '' || isTooLong.value}
          onClick={send}
        >
          <Icon name="send" size={16} /> Send
        </button>
      </div>
    </div>
  )
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
      Enter sends
    </label>
  )
}
