/** Text that an organization's linkifiers turn into links. Source: messages.md 6.3. */

import { findLinkifierMatches, hasMatch } from './compiled-linkifier.js'
import { escapeText } from './escape.js'
import { completeSafeHref } from './link-urls.js'
import { recordLink, writeAnchor } from './links.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from './placeholders.js'

/** One linkifier after the other: what an earlier one took, a later one does not see. */
export const renderLinkifierLinks: InlinePass = (text, inline) => {
  if (inline.in_link) return text
  const { context, render_state: findings } = inline
  let result = text
  for (const linkifier of context.linkifiers) {
    if (!hasMatch(linkifier, result)) continue
    const rewrite = new TextRewriter(result)
    for (const { start, end, url } of findLinkifierMatches(linkifier, result, findings)) {
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
