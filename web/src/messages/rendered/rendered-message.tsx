/** The content of a message, built from its HTML. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { uses24Hours } from '../../ui/times.js'
import { enliven, type MentionContext, rewriteTimes } from './enliven.js'
import { rebuildHtml } from './rebuild.js'

let areFormulaStylesRequested = false

/** The styles and fonts of formulas are loaded with the first formula. */
const requestFormulaStyles = (): void => {
  if (areFormulaStylesRequested) return
  areFormulaStylesRequested = true
  void import('katex/dist/katex.min.css')
}

/** Shows the HTML of a message. Nothing that is not allowed gets into the page (rebuild.ts). */
export const RenderedMessage = ({ html, mentions }: { html: string; mentions: MentionContext }) => {
  const root = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = rebuildHtml(html)
    if (html.includes('katex')) requestFormulaStyles()
    enliven(content, mentions)
    root.current?.replaceChildren(content)
  }, [html, mentions])
  const clock = uses24Hours.value
  useLayoutEffect(() => {
    if (root.current !== null) rewriteTimes(root.current)
  }, [clock])
  return <div class="rendered-message" ref={root} />
}
