/** Rendered HTML in one line, as in the header of a channel: its blocks stand behind each other. */
import { useChat } from '../../realm/chat.js'
import { plainText } from '../rendered/plain-text.js'
import { RenderedMessage } from '../rendered/rendered-message.js'
import { useMentions } from './mentions.js'

/** Shows the line. What does not fit is cut off, and is in its title. */
export const RenderedLine = ({ html, class: name }: { html: string; class: string }) => {
  const mentions = useMentions(useChat())
  return (
    <div class={`rendered-line ${name}`} dir="auto" title={plainText(html)}>
      <RenderedMessage html={html} mentions={mentions} />
    </div>
  )
}
