/** The field in which the user searches messages, with operators such as `channel:` and `is:`. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useChat } from '../realm/chat.js'
import { open, view } from '../routing/location.js'
import { conversationOf } from '../routing/views.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { optionId, SuggestionList, steer } from '../ui/suggestion-list.js'
import { type SearchSuggestion, suggestSearch } from './search-suggestions.js'
import { formatSearch, parseSearch } from './search-terms.js'
import './search.css'

/** The search field. It shows the search that is open. */
export const SearchBox = () => {
  const chat = useChat()
  const input = useRef<HTMLInputElement>(null)
  const text = useSignal('')
  const cursor = useSignal<number | undefined>(undefined)
  const chosen = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const id = useId()
  const suggestions = useComputed(() =>
    cursor.value === undefined ? [] : suggestSearch(chat, text.value, cursor.value),
  )
  const current = view.value
  useEffect(() => {
    const isSearch = current.name === 'messages' && conversationOf(current.terms) === undefined
    if (document.activeElement !== input.current) text.value = isSearch ? formatSearch(chat, current) : ''
  }, [current])
  useShortcuts({
    search() {
      input.current?.focus()
      input.current?.select()
    },
  })

  const close = () => {
    cursor.value = undefined
    chosen.value = undefined
  }
  const search = () => {
    const wanted = text.value.trim()
    if (wanted === '') return
    const result = parseSearch(chat, wanted)
    problem.value = 'problem' in result ? result.problem : ''
    if ('problem' in result) return
    close()
    input.current?.blur()
    open(result.view)
  }
  const pick = (suggestion: SearchSuggestion) => {
    if (input.current !== null) {
      // At once, because the next key may follow before the page is drawn.
      input.current.value = suggestion.text
      input.current.setSelectionRange(suggestion.text.length, suggestion.text.length)
    }
    text.value = suggestion.text
    cursor.value = suggestion.text.length
    chosen.value = undefined
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const list = suggestions.value
    if (event.key === 'Escape') {
      event.preventDefault()
      if (list.length > 0) close()
      else event.currentTarget.blur()
      return
    }
    if (list.length === 0 || event.isComposing) return
    // Enter searches, unless the user has gone to a completion.
    if (event.key === 'Enter' && chosen.value === undefined) return
    if (event.key === 'Tab' && (event.shiftKey || text.value === '')) return
    const action = steer(event.key, chosen.value ?? (event.key === 'ArrowDown' ? -1 : 0), list.length)
    if (action === undefined) return
    event.preventDefault()
    if (typeof action === 'number') chosen.value = action
    else if (action === 'pick') pick(list[chosen.value ?? 0] as SearchSuggestion)
  }
  const isOpen = suggestions.value.length > 0
  const note = (field: HTMLInputElement) => {
    text.value = field.value
    cursor.value = field.selectionStart ?? undefined
    chosen.value = undefined
    problem.value = ''
  }
  return (
    <search class="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <input
          class="text-field"
          ref={input}
          enterKeyHint="search"
          role="combobox"
          autoComplete="off"
          placeholder="Search"
          aria-label="Search messages"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-activedescendant={isOpen && chosen.value !== undefined ? optionId(id, chosen.value) : undefined}
          aria-invalid={problem.value !== ''}
          value={text.value}
          onFocus={(event) => note(event.currentTarget)}
          onInput={(event) => note(event.currentTarget)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        {isOpen && (
          <SuggestionList
            id={id}
            label="Searches"
            items={suggestions.value}
            chosen={chosen.value ?? -1}
            keyOf={({ label }) => label}
            render={({ label, detail }) => (
              <>
                <span class="suggestion-label">{label}</span>
                <span class="suggestion-detail">{detail}</span>
              </>
            )}
            onPick={pick}
          />
        )}
        {problem.value !== '' && (
          <p class="search-problem" role="alert">
            {problem.value}
          </p>
        )}
      </form>
    </search>
  )
}
