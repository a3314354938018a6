/**
 * The difference of two HTML texts, as HTML: the new text with inserted and deleted words marked.
 *
 * The tags are those of the new text, so the result is as well-formed as the input; of the old text only words are
 * taken. Source: protocol/messages.md 4.7.
 */
import { diffArrays } from 'diff'
import { appendHtml, element, empty, type Html, joinHtml } from '../../html/html.js'
import { splitHtml } from './html-pieces.js'

/** Texts with more differences are shown one after the other: a full comparison would take seconds. */
const MOST_DIFFERENCES = 1_000

const inserted = (text: Html) => element('span', { class: 'highlight_text_inserted' }, text)
const deleted = (text: Html) => element('span', { class: 'highlight_text_deleted' }, text)

/** The new text with marks. Both texts are HTML of our own renderer. */
export const htmlDiff = (before: string, after: string): Html => {
  const [from, to] = [splitHtml(before), splitHtml(after)]
  const changes = diffArrays(from, to, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ]
  return joinHtml(
    changes.map(({ value, added, removed }) => {
      if (removed) return markWords(value, deleted, false)
      return added ? markWords(value, inserted, true) : joinHtml(value)
    }),
  )
}

/** Marks each run of words. Tags stay outside of the marks, or are omitted. */
const markWords = (pieces: readonly Html[], mark: (text: Html) => Html, withTags: boolean): Html => {
  let html = empty
  let run = empty
  const end = () => {
    if (run !== '') html = appendHtml(html, run.trim() === '' ? run : mark(run))
    run = empty
  }
  for (const piece of pieces) {
    if (!piece.startsWith('<')) {
      run = appendHtml(run, piece)
      continue
    }
    end()
    if (withTags) html = appendHtml(html, piece)
  }
  end()
  return html
}
