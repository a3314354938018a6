/**
 * The difference of two HTML texts, as HTML: the new one, with what came and what went marked in it.
 *
 * The tags are those of the new text, so what comes out is as well-formed as what went in; of the old text only words
 * are taken. Source: messages.md 4.7.
 */
import { diffArrays } from 'diff'
import { piecesOf } from './html-pieces.js'

/** Two texts that differ by more than this are shown one after the other: a full comparison would take seconds. */
const MOST_DIFFERENCES = 1_000

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

/** The new text, marked. Both are HTML that render.ts made. */
export const htmlDiff = (before: string, after: string): string => {
  const [from, to] = [piecesOf(before), piecesOf(after)]
  const changes = diffArrays(from, to, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ]
  let html = ''
  for (const { value, added, removed } of changes) {
    if (removed) html += wordsOf(value, deleted, false)
    else html += added ? wordsOf(value, inserted, true) : value.join('')
  }
  return html
}

/** The pieces with each run of words marked; tags stand outside of the marks, or are left out. */
const wordsOf = (pieces: readonly string[], mark: (text: string) => string, withTags: boolean): string => {
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
