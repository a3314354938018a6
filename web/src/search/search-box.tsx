/** The field in which the user searches messages, with operators such as `channel:` and `is:`. */

import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { KnownTopic } from '../finding/known-topics.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { open, view } from '../routing/location.js'
import { conversationOf } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { handleListKey, optionId, SuggestionList } from '../ui/suggestion-list.js'
import { forgetSearch, keepSearch } from './past-searches.js'
import { type SearchSuggestion, suggestSearch, topicsToFind } from './search-suggestions.js'
import { formatSearch, parseSearch } from './search-terms.js'
import './search.css'

/** After so long without a key, the server is asked for topics. */
const PAUSE_MS = 120

interface SearchBoxProps {
  /** Closes what the field is in. The view of a search takes its place in the history. */
  onClose?: () => void
}

/** The search field. It shows the search that is open. */
export const SearchBox = ({ onClose }: SearchBoxProps) => {
  const chat = useChat()
  const input = useRef<HTMLInputElement>(null)
  const text = useSignal('')
  const cursor = useSignal<number | undefined>(undefined)
  const chosen = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const found = useSignal<readonly KnownTopic[]>([])
  const id = useId()
  /** how many past searches were forgotten here */
  const forgotten = useSignal(0)
  const suggestions = useComputed(() => {
    forgotten.value
    return cursor.value === undefined ? [] : suggestSearch(chat, text.value, cursor.value, found.value)
  })
  useSignalEffect(() => {
    const wanted = cursor.value === undefined ? undefined : topicsToFind(chat, text.value, cursor.value)
    if (wanted === undefined || chat.ownUserId === undefined) return
    // While the next key follows at once, nothing is asked for.
    const timer = setTimeout(() => {
      const { begin, channelId } = wanted
      const parameters = channelId === undefined ? { begin } : { begin, stream_id: channelId }
      chat.client.call('GET /messages/matching_topics', parameters).then(
        ({ topics }) => {
          found.value = topics.map(({ stream_id, name, max_id }) => ({ channelId: stream_id, name, maxId: max_id }))
        },
        // Without an answer, only the topics that the page knows are proposed.
        () => {},
      )
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  const current = view.value
  useEffect(() => {
    const isSearch = current.name === 'messages' && conversationOf(current.terms) === undefined
    if (document.activeElement !== input.current) text.value = isSearch ? formatSearch(chat, current) : ''
  }, [current])
  const focus = () => {
    input.current?.focus()
    input.current?.select()
  }
  useShortcuts(onClose === undefined ? { search: focus } : {})

  const close = () => {
    cursor.value = undefined
    chosen.value = undefined
  }
  const search = () => {
    let wanted = text.peek().trim()
    if (wanted === '') return
    let result = parseSearch(chat, wanted)
    const [only, ...others] = suggestions.peek().filter(({ pastSearch }) => pastSearch === undefined)
    // A name of which the only completion is in sight is meant, also when it is not typed to its end.
    if ('problem' in result && others.length === 0 && only?.isComplete === true) {
      wanted = only.text.trim()
      result = parseSearch(chat, wanted)
    }
    problem.value = 'problem' in result ? result.problem : ''
    if ('problem' in result) return
    keepSearch(chat.ownUserId, wanted)
    close()
    input.current?.blur()
    open(result.view, { replace: onClose !== undefined })
    onClose?.()
  }
  const complete = (suggestion: SearchSuggestion) => {
    if (input.current !== null) {
      // At once, because the next key may follow before the page is drawn.
      input.current.value = suggestion.text
      input.current.setSelectionRange(suggestion.text.length, suggestion.text.length)
    }
    text.value = suggestion.text
    cursor.value = suggestion.text.length
    chosen.value = undefined
  }
  const pick = (suggestion: SearchSuggestion) => {
    complete(suggestion)
    if (suggestion.isComplete) search()
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const list = suggestions.value
    if (event.key === 'Escape') {
      event.preventDefault()
      if (list.length > 0 && onClose === undefined) close()
      else if (onClose !== undefined) onClose()
      else event.currentTarget.blur()
      return
    }
    if (list.length === 0 || event.isComposing) return
    const past = list[chosen.value ?? -1]?.pastSearch
    if (event.key === 'Delete' && event.shiftKey && past !== undefined) {
      event.preventDefault()
      forgetSearch(chat.ownUserId, past)
      forgotten.value += 1
      chosen.value = undefined
      return
    }
    // Enter searches, unless the user has gone to a completion.
    if (event.key === 'Enter' && chosen.value === undefined) return
    if (event.key === 'Tab' && (event.shiftKey || text.value === '')) return
    const action = handleListKey(event.key, chosen.value ?? (event.key === 'ArrowDown' ? -1 : 0), list.length)
    if (action === undefined) return
    event.preventDefault()
    const suggestion = list[chosen.value ?? 0] as SearchSuggestion
    if (typeof action === 'number') chosen.value = action
    else if (event.key === 'Tab') complete(suggestion)
    else if (action === 'pick') pick(suggestion)
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
          autoCapitalize="none"
          spellcheck={false}
          placeholder={t('Search')}
          aria-label={t('Search messages')}
          aria-autocomplete="list"
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
        {text.value !== '' && (
          <button
            type="button"
            class="icon-button search-clear"
            aria-label={t('Clear the search')}
            title={t('Clear the search')}
            onClick={() => {
              text.value = ''
              if (input.current !== null) input.current.value = ''
              focus()
              if (input.current !== null) note(input.current)
            }}
          >
            <Icon name="close" size={15} />
          </button>
        )}
        {isOpen && (
          <SuggestionList
            id={id}
            label={t('Searches')}
            items={suggestions.value}
            chosen={chosen.value ?? -1}
            keyOf={({ label, detail }) => `${label} ${detail}`}
            render={(suggestion) => <SuggestionRow suggestion={suggestion} />}
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

const SuggestionRow = ({
  suggestion: { label, detail, userId, channelId, pastSearch },
}: {
  suggestion: SearchSuggestion
}) => {
  const chat = useChat()
  const user = userId === undefined ? undefined : chat.users.value.get(userId)
  const channel = channelId === undefined ? undefined : chat.channels.value.get(channelId)
  return (
    <>
      {pastSearch !== undefined && <Icon name="history" size={15} />}
      {user !== undefined && <Avatar user={user} size="small" />}
      {channel !== undefined && <ChannelMark channel={channel} />}
      <span class="suggestion-label" dir="auto">
        {label}
      </span>
      <span class="suggestion-detail" dir="auto">
        {detail}
      </span>
    </>
  )
}
