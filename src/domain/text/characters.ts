/**
 * Decides what a character is: part of a word, punctuation, space, or invisible.
 *
 * Names, mentions, links, alert words and search ask this file, so they agree about “quotes”, 「brackets」 and letters
 * of every script. For ASCII each syntax has its own signs, because existing clients know them; it passes them in.
 *
 * 1. A kind depends on the character only: the table below is filled when a character is first seen.
 * 2. Looking at a neighbour reads at most MAX_STEPS characters, so that a search is linear whatever is typed.
 */

/**
 * - letter: a letter, digit or mark that is part of a word between spaces
 * - unspaced: a letter of a script that puts no spaces between words, so a word can begin and end beside it
 * - punctuation: punctuation and symbols, emoji among them
 * - space: what separates words
 * - invisible: what no reader sees, or sees as a gap although it counts as a letter
 */
export type CharacterKind = 'letter' | 'unspaced' | 'punctuation' | 'space' | 'invisible'

const kinds: readonly CharacterKind[] = ['letter', 'unspaced', 'punctuation', 'space', 'invisible']

const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}\u{16fe4}]/u
const space = /[\s\p{Z}\p{Cc}]/u
const wordPart = /[\p{L}\p{N}\p{M}_]/u
const mark = /\p{M}/u
const enclosingMark = /\p{Me}/u

/** The scripts without spaces between words, as JavaScript and RE2 name them. */
const unspacedScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Yi',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Balinese',
  'Javanese',
  'Tai_Le',
  'New_Tai_Lue',
  'Tai_Tham',
  'Tai_Viet',
]

const unspacedBy = (property: string): RegExp =>
  new RegExp(`[${unspacedScripts.map((script) => `\\p{${property}=${script}}`).join('')}]`, 'u')

/** Letters that scripts share, such as `ー`, belong to each of them. */
const unspaced = unspacedBy('Script_Extensions')
/** Marks are shared with scripts that put spaces between words. */
const unspacedMark = unspacedBy('Script')

const classify = (character: string): CharacterKind => {
  if (invisible.test(character)) return 'invisible'
  if (space.test(character)) return 'space'
  if (!wordPart.test(character) || enclosingMark.test(character)) return 'punctuation'
  return (mark.test(character) ? unspacedMark : unspaced).test(character) ? 'unspaced' : 'letter'
}

/** For each character of the first plane, the position of its kind in `kinds`, plus one; 0: not seen yet. */
const table = new Uint8Array(0x1_0000)

/** Returns the kind of a character. @param code its code point */
export const kindOfCharacter = (code: number): CharacterKind => {
  if (code >= table.length) return classify(String.fromCodePoint(code))
  const known = table[code] as number
  if (known > 0) return kinds[known - 1] as CharacterKind
  const kind = classify(String.fromCharCode(code))
  table[code] = kinds.indexOf(kind) + 1
  return kind
}

const MAX_STEPS = 8
const ZERO_WIDTH_SPACE = 0x200b

const isHidden = (code: number): boolean => code !== ZERO_WIDTH_SPACE && kindOfCharacter(code) === 'invisible'

/** Whether a character changes the one before it. */
const isMark = (code: number): boolean =>
  mark.test(String.fromCodePoint(code)) && kindOfCharacter(code) !== 'punctuation'

/** Whether a neighbour is looked through. */
const isAttached = (code: number): boolean => code > 0x7f && (isHidden(code) || isMark(code))

/** Returns the code point of the character that ends before a position; undefined: the text begins there. */
const codeBefore = (text: string, at: number): number | undefined => {
  let code: number | undefined
  for (let end = at, steps = 0; end > 0 && steps < MAX_STEPS; steps++) {
    const low = text.charCodeAt(end - 1)
    const isPair = low >= 0xdc00 && low <= 0xdfff && end > 1
    code = isPair ? text.codePointAt(end - 2) : low
    if (code === undefined || !isAttached(code)) return code
    end -= code > 0xffff ? 2 : 1
    if (end === 0) return undefined
  }
  return code
}

/** Returns the code point of the character that begins at or after a position; undefined: the text ends there. */
const codeAfter = (text: string, at: number): number | undefined => {
  let code: number | undefined
  for (let start = at, steps = 0; start < text.length && steps < MAX_STEPS; steps++) {
    code = text.codePointAt(start) as number
    if (!isHidden(code)) return code
    start += code > 0xffff ? 2 : 1
    if (start >= text.length) return undefined
  }
  return code
}

/** Signs of ASCII, as code points. */
export type Signs = ReadonlySet<number>

/** Returns the set of the characters of a text, which are of ASCII. */
export const signs = (characters: string): Signs => new Set(Array.from(characters, (sign) => sign.charCodeAt(0)))

/** Whether a word can begin or end beside this character. @param ascii the characters of ASCII for which this holds */
const separates = (code: number | undefined, ascii: Signs): boolean => {
  if (code === undefined) return true
  if (code <= 0x7f) return ascii.has(code)
  return code === ZERO_WIDTH_SPACE || kindOfCharacter(code) !== 'letter'
}

/** Whether a word can begin at a position of the text. @param ascii the characters of ASCII after which it can */
export const beginsWord = (text: string, at: number, ascii: Signs): boolean => separates(codeBefore(text, at), ascii)

/** Whether a word can end at a position of the text. @param ascii the characters of ASCII before which it can */
export const endsWord = (text: string, at: number, ascii: Signs): boolean => {
  const code = codeAfter(text, at)
  return separates(code, ascii) && (code === undefined || code <= 0x7f || !isMark(code))
}

const latin = /\p{Script=Latin}/u

/**
 * Whether syntax of Latin letters or signs can begin at a position of the text. Such syntax is `@**` or `https://`, for
 * example. It can begin after letters of other scripts too: nobody writes them as a part of it.
 * @param ascii the characters of ASCII after which it can begin
 */
export const canBegin = (text: string, at: number, ascii: Signs): boolean => {
  const code = codeBefore(text, at)
  if (code === undefined) return true
  return code <= 0x7f ? ascii.has(code) : !latin.test(String.fromCodePoint(code))
}

/** Whether a character is a letter of a script that puts no spaces between words. */
export const isUnspaced = (code: number | undefined): boolean =>
  code !== undefined && code > 0x7f && kindOfCharacter(code) === 'unspaced'

/** Whether the character at a position changes the one before it. */
export const isMarkAt = (text: string, at: number): boolean =>
  at < text.length && isMark(text.codePointAt(at) as number)

const closing = /[\p{Pe}\p{Pf}\p{Pi}\p{Terminal_Punctuation}]/u

/**
 * Whether a character beyond ASCII closes a quotation, a bracket or a sentence. Such characters are `”`, `）` and `。`,
 * for example.
 */
export const closesText = (code: number): boolean => code > 0x7f && closing.test(String.fromCodePoint(code))

/**
 * The text of a regular expression for a character of a word between spaces. The character is a letter or a digit, and
 * the expression has the flag u.
 */
export const wordCharacter = `(?!${unspaced.source})[\\p{L}\\p{N}_]`

/** The class of RE2 for letters of scripts without spaces between words. RE2 knows no signs that scripts share. */
export const unspacedInRe2 = `[${unspacedScripts.map((script) => `\\p{${script}}`).join('')}\\x{3005}-\\x{3007}\\x{30fc}]`

/** Zero-width space, marks of direction, and the selector of emoji: a word never continues after them. */
const formatsInRe2 = '\\x{200b}\\x{200e}\\x{200f}\\x{2066}-\\x{2069}\\x{fe0f}'

/**
 * The classes of RE2 for the characters beyond ASCII that separate words. They separate words as `beginsWord` decides.
 */
export const separatorsInRe2 = `[^\\x00-\\x7f\\pL\\pN\\pM\\p{Cf}]|[${formatsInRe2}]|${unspacedInRe2}`
