import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import { useMentions } from '../messages/parts/mentions.js'
import { isActionHtml, SentText } from '../messages/parts/sent-text.js'
import { useChat } from '../realm/chat.js'

/** The text as the message would look: the server renders it. */
export const Preview = ({ content }: { content: string }) => {
  const chat = useChat()
  const mentions = useMentions(chat)
  const html = useSignal<string | undefined>(undefined)
  const failure = useSignal('')
  useEffect(() => {
    const abort = new AbortController()
    chat.client
      .call('POST /messages/render', { content }, { signal: abort.signal })
      .then(({ rendered }) => {
        html.value = rendered
      })
      .catch((error: Error) => {
        if (!abort.signal.aborted) failure.value = errorText(error)
      })
    return () => abort.abort()
  }, [content])
  return (
    <section class="compose-preview" aria-label={t('Preview')} aria-live="polite">
      {failure.value !== '' && <p class="error-note">{failure.value}</p>}
      {html.value === undefined ? (
        failure.value === '' && <p class="soft-text">{t('Rendering…')}</p>
      ) : (
        <SentText
          senderId={chat.ownUserId ?? 0}
          html={html.value}
          isAction={isActionHtml(html.value)}
          mentions={mentions}
        />
      )}
    </section>
  )
}
