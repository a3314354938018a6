/** What rendered HTML says, as one line of text: for titles, rows of lists and notifications. */
import { rewriteTimes, showEmoji } from './enliven.js'
import { rebuildHtml } from './rebuild.js'

/** The text of rendered HTML. What a spoiler hides stays hidden, and a picture is its name. */
export const plainText = (html: string): string => {
  if (!/[<&]/.test(html)) return html
  const content = rebuildHtml(html)
  for (const hidden of content.querySelectorAll('.spoiler-content')) hidden.textContent = ' (…)'
  for (const embedded of content.querySelectorAll('.message_inline_image, .message_embed')) embedded.remove()
  for (const emoji of content.querySelectorAll<HTMLElement>('span.emoji')) showEmoji(emoji)
  for (const image of content.querySelectorAll('img')) image.replaceWith(image.alt)
  // A formula is there twice: as MathML, with its source, and as boxes.
  for (const formula of content.querySelectorAll('.katex')) {
    formula.textContent = formula.querySelector('annotation')?.textContent ?? formula.textContent
  }
  rewriteTimes(content)
  // Words of two blocks, or of two lines, are not one word.
  for (const block of content.querySelectorAll('br, p, li, td, th, blockquote, pre, h1, h2, h3, h4, h5, h6'))
    block.after(' ')
  return (content.textContent ?? '').trim().replace(/\s+/g, ' ')
}
