/**
 * Links to channels and topics in Markdown. A name can contain characters that end such a link or are syntax of their
 * own: it is then written in a link with an address. The server writes its notices in the same way
 * (src/domain/messages/quoting.ts).
 */
import { encodePart } from '../routing/fragment.js'

const syntax = /[*`]|\$\$|&#?[0-9a-z]+;/i

const address = (id: number, name: string): string => `#narrow/channel/${id}-${encodePart(name.replaceAll(' ', '-'))}`

/** The text of a link, in which no character is syntax. */
const escapeLabel = (text: string): string =>
  text.replace(/[&<>`*[\]$\\]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns a link to a channel. */
export const channelLink = (id: number, name: string): string =>
  syntax.test(name) || name.includes('>') ? `[#${escapeLabel(name)}](${address(id, name)})` : `#**${name}**`

/** Returns a link to a topic. @param shown the name under which the page shows the topic */
export const topicLink = (id: number, name: string, topic: string, shown: string): string =>
  syntax.test(name) || name.includes('>') || syntax.test(topic) || /@\d+$/.test(topic)
    ? `[#${escapeLabel(name)} &gt; ${escapeLabel(shown)}](${address(id, name)}/topic/${encodePart(topic)})`
    : `#**${name}>${topic}**`
