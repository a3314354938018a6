/** Renders the matches of an organization's linkifiers as links. Source: protocol/messages.md 6.3. */

import { escapeText } from '../../html/html.js'
import { findLinkifierMatches, hasMatch } from '../context/compiled-linkifier.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from '../context/placeholders.js'
import { completeSafeHref } from './link-urls.js'
import { recordLink, writeAnchor } from './links.js'

/** Applies the linkifiers in order. A later linkifier does not see the matches of an earlier one. */
export const renderLinkifierLinks: InlinePass = (text, inline) => {
  const { context, render_state } = inline
  let result = text
  for (const linkifier of context.linkifiers) {
    if (!hasMatch(linkifier, result)) continue
    const rewrite = new TextRewriter(result)
    for (const { start, end, url } of findLinkifierMatches(linkifier, result, render_state)) {
      const typed = result.slice(start, end)
      const href = typed.includes(STX) ? undefined : completeSafeHref(url, context.realm_url)
      if (href === undefined) continue
      recordLink(inline, href, typed)
      rewrite.replace(start, end, insertPlaceholder(inline, writeAnchor(href, escapeText(typed)), typed))
    }
    result = rewrite.result()
  }
  return result
}
