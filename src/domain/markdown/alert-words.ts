/**
 * Finds the users whose alert words a message contains. The case of letters does not matter, but a word must be a word
 * of its own in the message.
 *
 * The words of all users are in one tree of letters. The text is read once; at each position where a word can begin,
 * the tree is followed while letters match. So the time per message does not grow with the number of users and words.
 * Source: messages.md 6.7.
 */

interface LetterNode {
  next: Map<string, LetterNode> | undefined
  /** ids of the users whose word ends here */
  users: number[] | undefined
}

const before = new Set(' \n("\u002e,\';[*`>')
const after = new Set(" \n):.,';]!?*`")

/**
 * Builds a search for the alert words of all users.
 * @param words alert words by user id
 * @returns a function that returns the ids of the users whose words a content contains, in no particular order
 */
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
