/** The content of a message, built from its HTML. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { enliven, type MentionContext } from './enliven.js'
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
  return <div class="rendered-message" ref={root} />
}
