/** The content of a message, built from its HTML. */

import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { ChatContext } from '../../realm/chat.js'
import { uses24Hours } from '../../ui/times.js'
import { setDirections } from './directions.js'
import { enliven, type MentionContext, rewriteTimes } from './enliven.js'
import { emojiSize } from './only-emoji.js'
import { addRunButtons, codePlaygrounds } from './playgrounds.js'
import { rebuildHtml } from './rebuild.js'
import { frameTables, watchWideParts } from './wide-parts.js'

let areFormulaStylesRequested = false

/** The styles and fonts of formulas are loaded with the first formula. */
const requestFormulaStyles = (): void => {
  if (areFormulaStylesRequested) return
  areFormulaStylesRequested = true
  void import('katex/dist/katex.min.css')
}

interface RenderedMessageProps {
  html: string
  mentions: MentionContext
  /** begins with `/me`, which is not shown: the name of the sender takes its place */
  isAction?: boolean
}

/** Shows the HTML of a message. Nothing that is not allowed gets into the page (rebuild.ts). */
export const RenderedMessage = ({ html, mentions, isAction = false }: RenderedMessageProps) => {
  const root = useRef<HTMLDivElement>(null)
  // The view before a session shows the description of the organization, and has no chat.
  const { emojiset, web_animate_image_previews: animation = 'on_hover' } = useContext(ChatContext)?.settings.value ?? {}
  const hasEmojiNames = emojiset === 'text'
  useLayoutEffect(() => {
    const element = root.current
    if (element === null) return
    const content = rebuildHtml(html)
    if (html.includes('katex')) requestFormulaStyles()
    if (isAction) makeInline(content)
    setDirections(content)
    frameTables(content)
    const size = hasEmojiNames ? undefined : emojiSize(content)
    enliven(content, mentions, { hasEmojiNames, animation })
    element.className = size === undefined ? 'rendered-message' : `rendered-message ${size}-emoji`
    element.replaceChildren(content)
    watchWideParts(element)
  }, [html, mentions, isAction, hasEmojiNames, animation])
  const playgrounds = codePlaygrounds.value
  useLayoutEffect(() => {
    if (root.current !== null) addRunButtons(root.current, playgrounds)
  }, [html, mentions, isAction, hasEmojiNames, animation, playgrounds])
  const clock = uses24Hours.value
  useLayoutEffect(() => {
    if (root.current !== null) rewriteTimes(root.current)
  }, [clock])
  return <div ref={root} />
}

/** Removes `/me`, and makes the first paragraph a part of the line that begins with the name. */
const makeInline = (content: DocumentFragment): void => {
  removeText(content, '/me '.length)
  const first = content.firstElementChild
  if (first?.localName !== 'p') return
  const line = document.createElement('span')
  line.append(...first.childNodes)
  first.replaceWith(line)
}

/** Removes the first characters. A search can have marked some of them. */
const removeText = (content: DocumentFragment, count: number): void => {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  for (let left = count; left > 0 && walker.nextNode() !== null; ) {
    const text = walker.currentNode as Text
    const removed = Math.min(left, text.length)
    text.deleteData(0, removed)
    left -= removed
  }
}
