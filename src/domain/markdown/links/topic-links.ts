/** Finds the links of a topic: matches of linkifiers, and addresses, in its text. Source: protocol/messages.md 2.2. */

import { findLinkifierMatches, LINKIFIER_BUDGET } from '../context/compiled-linkifier.js'
import type { RenderContext } from '../context/render-context.js'
import { findAddresses } from './autolinks.js'
import { completeSafeUrl } from './link-urls.js'

/**
 * Returns the links of a topic in order of position. If two overlap, the match of the earlier linkifier wins, and a
 * match of a linkifier wins over an address.
 */
export const findTopicLinks = (
  topic: string,
  context: Pick<RenderContext, 'linkifiers'>,
): { text: string; url: string }[] => {
  const found: { start: number; end: number; url: string }[] = []
  const add = (start: number, end: number, url: string | undefined): void => {
    if (url === undefined || found.some((other) => start < other.end && other.start < end)) return
    found.push({ start, end, url })
  }
  const budget = { linkifier_budget: LINKIFIER_BUDGET }
  for (const linkifier of context.linkifiers) {
    for (const { start, end, url } of findLinkifierMatches(linkifier, topic, budget))
      add(start, end, completeSafeUrl(url))
  }
  for (const { start, end } of findAddresses(topic)) {
    const address = topic.slice(start, end)
    if (/^https?:\/\//i.test(address)) add(start, end, address)
    else if (!address.includes('@')) add(start, end, `https://${address}`)
  }
  found.sort((a, b) => a.start - b.start)
  return found.map(({ start, end, url }) => ({ text: topic.slice(start, end), url }))
}
