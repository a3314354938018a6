/** The field in which the user searches messages. */
import { useRef } from 'preact/hooks'
import { open } from '../routing/location.js'
import { searchView } from '../routing/views.js'
import { useShortcuts } from '../ui/shortcuts.js'
import './search.css'

/** The search field. */
export const SearchBox = () => {
  const input = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: ['/'], label: 'Search', run: () => input.current?.focus() }])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const words = input.current?.value.trim() ?? ''
    if (words !== '') open(searchView(words))
  }
  return (
    <search class="search-box">
      <form onSubmit={submit}>
        <input class="text-field" ref={input} type="search" placeholder="Search" aria-label="Search messages" />
      </form>
    </search>
  )
}
