/**
 * The difference of two HTML texts, as HTML: the new text with inserted and deleted words marked.
 *
 * The tags are those of the new text, so the result is as well-formed as the input; of the old text only words are
 * taken. Source: messages.md 4.7.
 */
import { diffArrays } from 'diff'
import { splitHtml } from './html-pieces.js'

/** Texts with more differences are shown one after the other: a full comparison would take seconds. */
const MOST_DIFFERENCES = 1_000

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

/** The new text with marks. Both texts are HTML of our own renderer. */
export const htmlDiff = (before: string, after: string): string => {
  const [from, to] = [splitHtml(before), splitHtml(after)]
  const changes = diffArrays(from, to, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ]
  let html = ''
  for (const { value, added, removed } of changes) {
    if (removed) html += markWords(value, deleted, false)
    else html += added ? markWords(value, inserted, true) : value.join('')
  }
  return html
}

/** Marks each run of words. Tags stay outside of the marks, or are omitted. */
const markWords = (pieces: readonly string[], mark: (text: string) => string, withTags: boolean): string => {
  let html = ''
  let run = ''
  const end = () => {
    if (run !== '') html += run.trim() === '' ? run : mark(run)
    run = ''
  }
  for (const piece of pieces) {
    if (!piece.startsWith('<')) {
      run += piece
      continue
    }
    end()
    if (withTags) html += piece
  }
  end()
  return html
}
