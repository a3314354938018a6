/**
 * Marks the user's alert words in the content of a message that has the flag `has_alert_word`.
 *
 * The server sets the flag by the text as it was typed (domain/markdown/alert-words.ts); here the words are searched in
 * what is shown. So a word in the address of a link sets the flag, and nothing is marked.
 */

const letter = '[\\p{L}\\p{M}\\p{N}_]'
/** Scripts that put no spaces between words: a word begins and ends beside any letter. */
const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]$/u

/** Builds the pattern that finds words of their own. It is undefined without words. */
export const alertPattern = (words: readonly string[]): RegExp | undefined => {
  const longestFirst = [...words].sort((one, other) => other.length - one.length)
  return words.length === 0 ? undefined : new RegExp(longestFirst.map(wordPattern).join('|'), 'giu')
}

const wordPattern = (word: string): string => {
  const characters = [...word]
  const begin = isInWord(characters[0]) ? `(?<!${letter})` : ''
  const end = isInWord(characters.at(-1)) ? `(?!${letter})` : ''
  return begin + word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + end
}

const isInWord = (character = ''): boolean => /^[\p{L}\p{M}\p{N}_]$/u.test(character) && !unspaced.test(character)

/** Where no words are marked: in formulas, and in what the page added. */
const skipped = '.katex, button, time'

/** Marks what the pattern finds. */
export const markAlertWords = (content: ParentNode & Node, pattern: RegExp): void => {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest(skipped) == null) markInText(text, pattern)
  }
}

const markInText = (text: Text, pattern: RegExp): void => {
  const parts: (string | Node)[] = []
  let end = 0
  for (const { 0: found, index } of text.data.matchAll(pattern)) {
    const mark = document.createElement('mark')
    mark.className = 'alert-word'
    mark.textContent = found
    parts.push(text.data.slice(end, index), mark)
    end = index + found.length
  }
  if (parts.length > 0) text.replaceWith(...parts, text.data.slice(end))
}
