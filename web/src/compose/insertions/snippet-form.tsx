/** The dialog that inserts one of the user's saved snippets, or saves what is written as a new one. */

import type { SavedSnippet } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { readableText } from '../../emoji/readable-text.js'
import { TextField } from '../../forms/fields.js'
import { bind, Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { MAX_SNIPPET_TITLE, sortSnippets } from '../../realm/snippets.js'
import { openOverlay } from '../../routing/location.js'
import { Dialog } from '../../ui/dialog.js'
import { moveFocus } from '../../ui/move-focus.js'
import type { InsertionProps } from './insertion-props.js'
import './insertions.css'

/** The dialog. Enter in the field inserts the first snippet that it finds; the arrow keys go to the others. */
export const SnippetForm = ({ text, onInsert, onClose }: InsertionProps) => {
  const chat = useChat()
  const root = useRef<HTMLDivElement>(null)
  const words = useSignal('')
  const snippets = sortSnippets(chat)
  const found = snippets.filter((snippet) => hasWords(snippet, words.value))
  useLayoutEffect(() => root.current?.querySelector('input')?.focus(), [])
  const search = {
    async submit() {
      const [first] = found
      if (first !== undefined) onInsert(first.content)
      return first !== undefined
    },
  }
  return (
    <Dialog title={t('Insert a snippet')} onClose={onClose}>
      <div class="insertion-form" ref={root}>
        {snippets.length > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: The keys belong to the field and the buttons in it.
          <div class="snippet-choice" onKeyDown={moveWithArrows}>
            <Form of={search}>
              <TextField label={t('Find a snippet')} type="search" {...bind(words)} />
            </Form>
            <ul class="snippet-list" aria-label={t('Snippets')}>
              {found.map(({ id, title, content }) => (
                <li key={id}>
                  <button type="button" class="snippet-button" onClick={() => onInsert(content)}>
                    <span class="snippet-title" dir="auto">
                      {title}
                    </span>
                    <span class="snippet-text" dir="auto">
                      {readableText(chat, content)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {found.length === 0 && <p class="soft-text">{t('No snippet has these words.')}</p>}
          </div>
        )}
        {snippets.length === 0 && <p class="soft-text">{t('You have no snippets yet.')}</p>}
        {text.trim() !== '' && <SaveText text={text} />}
        <div class="form-buttons">
          <button
            type="button"
            class="button"
            onClick={() => {
              onClose()
              openOverlay('settings', 'saved-snippets')
            }}
          >
            {snippets.length === 0 ? t('Write snippets in the settings') : t('Change snippets in the settings')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

const hasWords = ({ title, content }: SavedSnippet, words: string): boolean => {
  const text = `${title}\n${content}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const moveWithArrows = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  moveFocus(event.currentTarget, 'input, button', event.key === 'ArrowDown' ? 1 : -1)
}

/** Saves the text of the message. The list above shows it as soon as the server has it. */
const SaveText = ({ text }: { text: string }) => {
  const chat = useChat()
  const form = useForm({
    values: { title: '' },
    send: ({ title }) => chat.client.call('POST /saved_snippets', { title, content: text }),
    done: ({ title }) => t('“{title}” was saved.', { title: title.trim() }),
    renews: 'all',
  })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Save what is written')}</h3>
      <TextField label={t('Title')} isRequired most={MAX_SNIPPET_TITLE} {...form.bind('title')} />
      <FormEnd of={form} label={t('Save as a snippet')} isSecondary />
    </Form>
  )
}
