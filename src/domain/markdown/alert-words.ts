/**
 * Alert words: which of them a message contains, whatever the case, as words of their own.
 *
 * All words of all people are one tree of letters. The text is read once; wherever a word may begin, the tree is
 * walked as long as letters match. So the number of people and words costs nothing per message. Source: messages.md 6.7.
 */

interface LetterNode {
  next: Map<string, LetterNode> | undefined
  /** whose word ends here */
  users: number[] | undefined
}

const before = new Set(' \n("\u002e,\';[*`>')
const after = new Set(" \n):.,';]!?*`")

/** Makes everybody's words ready; the function returns the ids of those whose words occur, in no order. */
export const compileAlertWords = (words: ReadonlyMap<number, Iterable<string>>): ((content: string) => number[]) => {
  const root: LetterNode = { next: undefined, users: undefined }
  for (const [user_id, list] of words) {
    for (const word of list) add(root, word.trim().toLowerCase(), user_id)
  }
  return (content) => {
    const found = new Set<number>()
    if (root.next !== undefined) walk(root, content.toLowerCase(), (user_id) => found.add(user_id))
    return [...found]
  }
}

/** Whether any of these words occurs. */
export const alertWordMatches = (content: string, words: Iterable<string>): boolean =>
  compileAlertWords(new Map([[0, words]]))(content).length > 0

const add = (root: LetterNode, word: string, user_id: number): void => {
  if (word === '') return
  let node = root
  for (const letter of word.split('')) {
    node.next ??= new Map()
    let next = node.next.get(letter)
    if (next === undefined) {
      next = { next: undefined, users: undefined }
      node.next.set(letter, next)
    }
    node = next
  }
  node.users ??= []
  node.users.push(user_id)
}

const walk = (root: LetterNode, text: string, found: (user_id: number) => void): void => {
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && !before.has(text[start - 1] as string)) continue
    let node = root.next?.get(text[start] as string)
    for (let at = start + 1; node !== undefined; at++) {
      if (node.users !== undefined && (at === text.length || after.has(text[at] as string))) node.users.forEach(found)
      node = at < text.length ? node.next?.get(text[at] as string) : undefined
    }
  }
}
