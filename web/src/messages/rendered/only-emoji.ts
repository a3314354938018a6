const emojiText = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\s])*$/u
/** So few are as large as can be. */
const FEW = 3

/** Returns how large a message of nothing but emoji shows them. Undefined for any other message. */
export const emojiSize = (content: ParentNode): 'few' | 'many' | undefined => {
  const isOnlyEmoji = [...content.children].every(
    (paragraph) => paragraph.localName === 'p' && [...paragraph.childNodes].every(isEmoji),
  )
  if (!isOnlyEmoji) return undefined
  const images = content.querySelectorAll('img.emoji').length
  const signs = (content.textContent ?? '').match(/\p{Extended_Pictographic}|\p{RI}{2}/gu)?.length ?? 0
  const count = Math.max(content.querySelectorAll('.emoji').length, images + signs)
  if (count === 0) return undefined
  return count <= FEW ? 'few' : 'many'
}

const isEmoji = (node: Node): boolean =>
  node instanceof Element
    ? node.matches('.emoji, br')
    : node.nodeType === Node.TEXT_NODE && emojiText.test(node.nodeValue ?? '')
