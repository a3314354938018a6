/** What the user may have meant, when a search finds no or few messages. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listElements } from '../languages/lists.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import type { Term } from '../routing/fragment.js'
import { linkTo } from '../routing/location.js'
import { viewKey } from '../routing/views.js'
import type { MessagesView } from './open-window.js'

/** With more messages, the words are no mistakes. */
const FEW = 3

const isSearch = ({ operator, negated }: Term): boolean => operator === 'search' && !negated

/** Whether the view is a search that found few messages. With so few, its words may be mistakes. */
export const hasFoundLittle = (view: MessagesView, found: number): boolean => found <= FEW && view.terms.some(isSearch)

/** Offers the searches that the server suggests, and nothing while there is none. */
export const SearchCorrections = ({ view }: { view: MessagesView }) => {
  const chat = useChat()
  const searches = useSignal<readonly MessagesView[]>([])
  const key = viewKey(view)
  useEffect(() => {
    let isCurrent = true
    searches.value = []
    const load = async () => {
      const narrow = view.terms.map((term) => ({ ...term }))
      const { corrections } = await chat.client.call('GET /messages/search_corrections', { narrow })
      if (isCurrent) searches.value = corrections.map((one) => ({ name: 'messages', terms: one.narrow as Term[] }))
    }
    // Without an answer, nothing is offered.
    load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [key])
  return (
    <p class="search-corrections" role="status">
      {searches.value.length > 0 &&
        t.rich('Did you mean {searches}?', {}, { searches: <>{listElements(searches.value.map(linkSearch), 'or')}</> })}
    </p>
  )
}

const linkSearch = (search: MessagesView) => (
  <a key={viewKey(search)} href={linkTo(search)} dir="auto">
    {searchedText(search)}
  </a>
)

const searchedText = ({ terms }: MessagesView): string =>
  terms
    .filter(isSearch)
    .map(({ operand }) => String(operand))
    .join(' ')
