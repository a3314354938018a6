/** Text that an organization's linkifiers turn into links. Source: messages.md 6.3. */

import { linkifierMatches, mayMatch } from './compiled-linkifier.js'
import { escapeText } from './escape.js'
import { safeHref } from './link-urls.js'
import { anchor, noteLink } from './links.js'
import { type Pass, put, Rewrite, STX } from './placeholders.js'

/** One linkifier after the other: what an earlier one took, a later one does not see. */
export const linkifiers: Pass = (text, inline) => {
  if (inline.in_link) return text
  const { context, findings } = inline
  let result = text
  for (const linkifier of context.linkifiers) {
    if (!mayMatch(linkifier, result)) continue
    const rewrite = new Rewrite(result)
    for (const { start, end, url } of linkifierMatches(linkifier, result, findings)) {
      const typed = result.slice(start, end)
      const href = typed.includes(STX) ? undefined : safeHref(url, context.realm_url)
      if (href === undefined) continue
      noteLink(inline, href, typed)
      rewrite.replace(start, end, put(inline, anchor(href, escapeText(typed)), typed))
    }
    result = rewrite.result()
  }
  return result
}
