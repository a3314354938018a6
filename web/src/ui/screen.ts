/** How much room the page has, for parts that a style sheet alone cannot arrange. */

import { type ReadonlySignal, signal } from '@preact/signals'

const follow = (query: string): ReadonlySignal<boolean> => {
  const list = matchMedia(query)
  const matches = signal(list.matches)
  list.addEventListener('change', () => {
    matches.value = list.matches
  })
  return matches
}

/** The size of the text that the user chose, as a multiple of the standard one. */
export const textScale = signal(1)

/** The bar at the top has no room for a search field. layout.css arranges the bar for the same width. */
export const isBarNarrow = follow('(width < 60rem)')

/** What is touched has to be larger: `--finger` of tokens.css. */
export const isForFingers = follow('(pointer: coarse)')
