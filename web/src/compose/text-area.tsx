/** A field for Markdown: completions, keys for formatting, and files that are pasted. Editing a message uses it too. */

import { useComputed, useSignal } from '@preact/signals'
import type { Ref } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { EmojiMark } from '../emoji/emoji-mark.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Avatar } from '../ui/avatar.js'
import { handleListKey, optionId, SuggestionList } from '../ui/suggestion-list.js'
import { Insertion, writeInto } from './insertions/insertion.js'
import { type Completion, complete, type Suggestion } from './suggestions.js'
import { replaceText } from './text-edits.js'
import { formatByKey } from './text-keys.js'

interface TextAreaProps {
  id?: string
  label: string
  value: string
  /** the channel to which the text goes */
  channelId: number | undefined
  fieldRef: Ref<HTMLTextAreaElement>
  /** the id of the counter of the text */
  limitId: string
  onChange: (value: string) => void
  onSubmit: () => void
  onEscape: () => void
  onFiles: (field: HTMLTextAreaElement, files: Iterable<File>) => void
  onBlur?: () => void
  /** Is called when the user goes up from an empty text. */
  onArrowUp?: (() => void) | undefined
}

/** Shows the field. */
export const TextArea = (props: TextAreaProps) => {
  const { label, value, channelId, fieldRef, onChange, onSubmit, onEscape, onFiles } = props
  const chat = useChat()
  const cursor = useSignal<number | undefined>(undefined)
  const text = useSignal(value)
  const chosen = useSignal(0)
  const composing = useRef(false)
  const listId = useId()
  const completion = useComputed<Completion | undefined>(() =>
    cursor.value === undefined ? undefined : complete(chat, text.value, cursor.value, { channelId }),
  )
  const timeAt = useSignal<{ start: number; end: number } | undefined>(undefined)

  const note = (field: HTMLTextAreaElement) => {
    text.value = field.value
    cursor.value = field.selectionStart === field.selectionEnd ? field.selectionStart : undefined
    chosen.value = 0
  }
  const pick = (field: HTMLTextAreaElement, { start, end }: Completion, suggestion: Suggestion) => {
    const { text: inserted, cursorFromEnd = 0, opensTime } = suggestion
    const at = inserted.length - cursorFromEnd
    if (opensTime === true) timeAt.value = { start, end }
    else replaceText(field, start, end, inserted, [at, at])
    cursor.value = undefined
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    const field = event.currentTarget
    if (event.isComposing) return
    const open = completion.value
    if (open !== undefined && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const action = handleListKey(event.key, chosen.value, open.suggestions.length)
      if (action !== undefined) {
        event.preventDefault()
        if (typeof action === 'number') chosen.value = action
        else if (action === 'close') cursor.value = undefined
        else pick(field, open, open.suggestions[chosen.value] as Suggestion)
        return
      }
    }
    const channel = open?.suggestions[chosen.value]
    if (event.key === '>' && open !== undefined && channel?.key.startsWith('channel')) {
      // The name of the channel is complete; its topics are next.
      event.preventDefault()
      replaceText(field, open.start, open.end, channel.text.replace(/\*\* $/, '>'))
      note(field)
      return
    }
    if (isSubmit(event, chat.settings.peek().enter_sends !== false)) {
      event.preventDefault()
      onSubmit()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onEscape()
    } else if (isPlainArrowUp(event) && field.value === '' && props.onArrowUp !== undefined) {
      event.preventDefault()
      props.onArrowUp()
    } else if (formatByKey(event, field)) event.preventDefault()
  }
  const open = completion.value
  const at = timeAt.value
  const field = useRef<HTMLTextAreaElement | null>(null)
  return (
    <div class="markdown-field">
      {open !== undefined && (
        <SuggestionList
          id={listId}
          label={t('Completions')}
          items={open.suggestions}
          chosen={chosen.value}
          keyOf={({ key }) => key}
          render={(suggestion) => <SuggestionRow suggestion={suggestion} />}
          onPick={(suggestion) => field.current !== null && pick(field.current, open, suggestion)}
        />
      )}
      <textarea
        class="text-field compose-text"
        id={props.id}
        ref={(element) => {
          field.current = element
          if (typeof fieldRef === 'function') fieldRef(element)
          else if (fieldRef !== null && fieldRef !== undefined) fieldRef.current = element
        }}
        rows={2}
        placeholder={label}
        aria-label={label}
        aria-describedby={props.limitId}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={open === undefined ? undefined : listId}
        aria-activedescendant={open === undefined ? undefined : optionId(listId, chosen.value)}
        value={value}
        onCompositionStart={() => {
          composing.current = true
        }}
        onCompositionEnd={() => {
          composing.current = false
        }}
        onInput={(event) => {
          onChange(event.currentTarget.value)
          if (!composing.current) note(event.currentTarget)
        }}
        onKeyDown={onKeyDown}
        onClick={() => {
          cursor.value = undefined
        }}
        onBlur={() => {
          cursor.value = undefined
          props.onBlur?.()
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files
          if (files === undefined || files.length === 0) return
          event.preventDefault()
          onFiles(event.currentTarget, files)
        }}
      />
      {at !== undefined && (
        <Insertion
          name="time"
          text={field.current?.value.slice(at.start, at.end) ?? ''}
          onClose={() => {
            timeAt.value = undefined
          }}
          onInsert={(time) => writeInto(field.current, (element) => replaceText(element, at.start, at.end, time))}
        />
      )}
    </div>
  )
}

/** Enter sends, or only Control and Enter, as the user has set. Shift and Enter always begin a new line. */
const isSubmit = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, enterSends: boolean): boolean =>
  key === 'Enter' && !shiftKey && (enterSends || ctrlKey || metaKey)

const isPlainArrowUp = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === 'ArrowUp' && !shiftKey && !ctrlKey && !metaKey && !altKey

const SuggestionRow = ({ suggestion }: { suggestion: Suggestion }) => {
  const chat = useChat()
  const user = suggestion.userId === undefined ? undefined : chat.users.value.get(suggestion.userId)
  return (
    <>
      {suggestion.emoji !== undefined && <EmojiMark {...suggestion.emoji} isDrawn />}
      {user !== undefined && <Avatar user={user} size="small" />}
      <span class="suggestion-label">{suggestion.label}</span>
      <span class="suggestion-detail">{suggestion.detail}</span>
    </>
  )
}
