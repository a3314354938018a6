/**
 * Finds the users whose alert words a message contains. The case of letters does not matter, but a word must be a word
 * of its own in the message.
 *
 * The words of all users are in one tree of letters. The text is read once; at each position where a word can begin,
 * the tree is followed while letters match. So the time per message does not grow with the number of users and words.
 * In scripts that put no spaces between words, a word can begin and end beside any letter. A word that is an address is
 * found in the addresses of pages below it too. Source: protocol/messages.md 6.7.
 */
import { beginsWord, endsWord, isMarkAt, isUnspaced, signs } from '../text/characters.js'

interface LetterNode {
  next: Map<string, LetterNode> | undefined
  /** ids of the users whose word ends here */
  users: number[] | undefined
  /** the word is an address, such as `example.org/docs` */
  is_address: boolean
}

const before = signs(' \n(".,\';[*`>')
const after = signs(" \n):.,';]!?*`")

/** What can follow an address that continues with the rest of the address of a page below it. */
const afterAddress = signs('/?#')

/** A name of a host, with or without a scheme and a path. */
const address = /^(?:https?:\/\/[^\s/]+|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}(?::\d+)?)(?:[/?#]\S*)?$/u

/**
 * Builds a search for the alert words of all users.
 * @param words alert words by user id
 * @returns a function that returns the ids of the users whose words a content contains, in no particular order
 */
export const compileAlertWords = (words: ReadonlyMap<number, Iterable<string>>): ((content: string) => number[]) => {
  const root = createNode()
  for (const [user_id, list] of words) {
    for (const word of list) add(root, fold(word.trim()), user_id)
  }
  return (content) => {
    const found = new Set<number>()
    if (root.next !== undefined) walk(root, fold(content), (user_id) => found.add(user_id))
    return [...found]
  }
}

/** The same letters, however their accents are encoded. */
const fold = (text: string): string => {
  const folded = text.toLowerCase()
  return isAscii.test(folded) ? folded : folded.normalize('NFC')
}

const isAscii = /^\p{ASCII}*$/u

const createNode = (): LetterNode => ({ next: undefined, users: undefined, is_address: false })

const add = (root: LetterNode, word: string, user_id: number): void => {
  if (word === '') return
  const is_address = address.test(word)
  let node = root
  // The page `e.org/a/` is the page `e.org/a`.
  for (const letter of (is_address ? word.replace(/\/+$/, '') : word).split('')) {
    node.next ??= new Map()
    let next = node.next.get(letter)
    if (next === undefined) {
      next = createNode()
      node.next.set(letter, next)
    }
    node = next
  }
  node.users ??= []
  node.users.push(user_id)
  node.is_address ||= is_address
}

const SLASH = 47

const walk = (root: LetterNode, text: string, found: (user_id: number) => void): void => {
  for (let start = 0; start < text.length; start++) {
    if (isInsideWord(text, start)) continue
    let node = root.next?.get(text[start] as string)
    if (node === undefined) continue
    const begins = beginsWord(text, start, before) || isUnspaced(text.codePointAt(start))
    const begins_address = text.charCodeAt(start - 1) === SLASH
    if (!begins && !begins_address) continue
    for (let at = start + 1; node !== undefined; at++) {
      if (node.users !== undefined && (begins || node.is_address) && canEnd(text, at, node)) node.users.forEach(found)
      node = at < text.length ? node.next?.get(text[at] as string) : undefined
    }
  }
}

/** Whether both characters at a position are of ASCII, and no word begins between them: true for most positions. */
const isInsideWord = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at - 1)
  return code <= 0x7f && code !== SLASH && !before.has(code) && text.charCodeAt(at) <= 0x7f
}

const canEnd = (text: string, at: number, { is_address }: LetterNode): boolean =>
  endsWord(text, at, after) ||
  (is_address && afterAddress.has(text.charCodeAt(at))) ||
  (isUnspaced(lastCode(text, at)) && !isMarkAt(text, at))

/** Returns the code point of the character that ends at a position. */
const lastCode = (text: string, at: number): number | undefined =>
  text.codePointAt(/^[\udc00-\udfff]$/.test(text[at - 1] ?? '') ? at - 2 : at - 1)
