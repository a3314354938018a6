/** The form in which the user edits the text of a message, in the place of its content. */

import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { droppedFiles } from '../../compose/file-drop.js'
import { Preview } from '../../compose/preview.js'
import { TextArea } from '../../compose/text-area.js'
import { messageLimit, storedText, TextFileButton } from '../../compose/text-file.js'
import { UploadList } from '../../compose/upload-list.js'
import { openUploads } from '../../compose/uploads.js'
import { FailureNote } from '../../forms/action.js'
import { errorText } from '../../languages/error-text.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { excessOf, TextLimit } from '../../ui/text-limit.js'
import { endAction, openAction } from './open-action.js'

/** Shows the form. */
export const EditForm = ({ message }: { message: Message }) => {
  const chat = useChat()
  const field = useRef<HTMLTextAreaElement>(null)
  const uploads = useMemo(() => openUploads(chat), [chat])
  const original = useSignal<string | undefined>(undefined)
  const text = useSignal('')
  const failure = useSignal('')
  const isPreview = useSignal(false)
  const isSaving = useSignal(false)
  const limitId = useId()

  useEffect(() => {
    chat.client
      .call('GET /messages/{message_id}', { message_id: message.id, apply_markdown: false })
      .then(({ message: { content } }) => {
        original.value = content
        text.value = content
      })
      .catch((error: Error) => {
        failure.value = errorText(error)
      })
  }, [message.id])
  // Before the page is drawn: a cursor that moves later would move under what the user types.
  useLayoutEffect(() => {
    if (original.value === undefined) return
    field.current?.focus()
    field.current?.setSelectionRange(text.peek().length, text.peek().length)
  }, [original.value])

  const close = () => {
    const article = field.current?.closest<HTMLElement>('article')
    const opener = openAction.peek()?.returnsTo
    endAction()
    const next = opener instanceof HTMLElement && opener.isConnected ? opener : article
    next?.focus({ preventScroll: true })
  }
  const isTooLong = () => excessOf(storedText(text.value), messageLimit(chat)) > 0
  const save = async () => {
    if (original.value === undefined || isSaving.value) return
    if (text.value === original.value) return close()
    failure.value = isTooLong() ? t('The message is too long. Shorten it, or save it as a file.') : ''
    if (failure.value !== '') return
    isSaving.value = true
    try {
      await chat.client.call('PATCH /messages/{message_id}', {
        message_id: message.id,
        content: text.value,
        prev_content_sha256: await sha256(original.value),
      })
      close()
    } catch (error) {
      failure.value = errorText(error)
    } finally {
      isSaving.value = false
    }
  }
  return (
    <form
      class="edit-form"
      aria-label={t('Edit the message')}
      onDrop={(event) => {
        const files = droppedFiles(event)
        if (files.length === 0 || field.current === null) return
        event.preventDefault()
        uploads.add(field.current, files)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <FailureNote reason={failure.value} />
      {original.value !== undefined && (
        <div class={isPreview.value ? 'compose-hidden' : 'compose-entry'}>
          <TextArea
            label={t('Text of the message')}
            value={text.value}
            channelId={message.stream_id}
            fieldRef={field}
            limitId={limitId}
            onChange={(value) => {
              text.value = value
              failure.value = ''
            }}
            onSubmit={save}
            onEscape={close}
            onFiles={(element, files) => uploads.add(element, files)}
          />
        </div>
      )}
      {isPreview.value && <Preview content={text.value} />}
      <UploadList uploads={uploads} />
      <div class="compose-limit">
        <TextLimit id={limitId} field={field} text={storedText(text.value)} most={messageLimit(chat)} />
        <TextFileButton
          label={t('Save as a file')}
          text={text}
          isReady={() => !isSaving.value}
          onLink={(link) => {
            text.value = link
            void save()
          }}
          onFailure={(reason) => {
            failure.value = reason
          }}
        />
      </div>
      <div class="edit-buttons">
        <button
          type="submit"
          class="button button-primary"
          disabled={original.value === undefined || isSaving.value || isTooLong()}
        >
          {t('Save')}
        </button>
        <button type="button" class="button" onClick={close}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={isPreview.value}
          onClick={() => {
            isPreview.value = !isPreview.value
          }}
        >
          {t('Preview')}
        </button>
      </div>
    </form>
  )
}

/** The hash by which the server finds out that another user changed the text meanwhile; undefined without TLS. */
const sha256 = async (text: string): Promise<string | undefined> => {
  // Browsers have it only on pages that came over TLS or from this machine.
  if (crypto.subtle === undefined) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
