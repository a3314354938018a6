/** The way out for a text that is too long for a message: it becomes a file, to which the message has a link. */

import { type Signal, useSignal } from '@preact/signals'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { excessOf } from '../ui/text-limit.js'
import { fileLink } from './uploads.js'

/** The text of a message as the server stores it, which is what its limit counts. */
export const storedText = (text: string): string => text.trimEnd().replace(/^\n+/, '')

/** The longest text of a message, in characters. */
export const messageLimit = (chat: Chat): number | undefined => chat.organization.value.max_message_length

interface TextFileButtonProps {
  /** says what happens then: `Send as a file` */
  label: string
  text: Signal<string>
  /** whether the message could be sent otherwise; if not, it says why */
  isReady: () => boolean
  /** takes the text of the message that links the file */
  onLink: (link: string) => void
  onFailure: (reason: string) => void
}

/** The button that uploads the text; nothing while the text fits. */
export const TextFileButton = ({ label, text, isReady, onLink, onFailure }: TextFileButtonProps) => {
  const chat = useChat()
  const isBusy = useSignal(false)
  if (excessOf(storedText(text.value), messageLimit(chat)) === 0) return null
  // Organizations can turn uploads off.
  if (chat.organization.value.max_file_upload_size_mib === 0) return null
  const upload = async () => {
    if (!isReady()) return
    isBusy.value = true
    const content = text.peek()
    try {
      const { url, filename } = await chat.client.upload(new File([content], 'message.txt', { type: 'text/plain' }))
      if (text.peek() === content) onLink(fileLink(filename, url))
      else onFailure(t('The text was changed while it was uploaded. Try again.'))
    } catch (error) {
      onFailure(t('The file was not uploaded: {reason}', { reason: errorText(error) }))
    } finally {
      isBusy.value = false
    }
  }
  return (
    <button type="button" class="button" disabled={isBusy.value} onClick={upload}>
      {isBusy.value ? t('Uploading…') : label}
    </button>
  )
}
