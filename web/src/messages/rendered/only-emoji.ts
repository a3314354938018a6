const emojiText = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\s])*$/u
/** So few are as large as can be. */
const FEW = 3

/** How large a message of nothing but emoji shows them; undefined for any other message. */
export const emojiSize = (content: ParentNode): 'few' | 'many' | undefined => {
  const emoji = content.querySelectorAll('.emoji').length
  const paragraphs = [...content.children]
  const isOnlyEmoji = paragraphs.every(
    (paragraph) => paragraph.localName === 'p' && [...paragraph.childNodes].every(isEmoji),
  )
  const text = [...(content.textContent ?? '')].filter((sign) => /\p{Extended_Pictographic}|\p{RI}/u.test(sign)).length
  if (!isOnlyEmoji || emoji + text === 0) return undefined
  return Math.max(emoji, text) <= FEW ? 'few' : 'many'
}

const isEmoji = (node: Node): boolean =>
  node instanceof Element
    ? node.matches('.emoji, br')
    : node.nodeType === Node.TEXT_NODE && emojiText.test(node.nodeValue ?? '')
