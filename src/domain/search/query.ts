/**
 * What a search text asks for.
 *
 * 1. Quoted words are one term: this sequence of words, whose last one may have an ending. Straight and curly quotes
 *    are quotes. Existing clients expect that a message contains the quoted text.
 * 2. Words that signs join, such as `sess.quince`, `AT&T` or an address, are one term: a sequence of words or stems.
 * 3. Every other word is a term: one of its forms.
 * 4. `*` after a word stands for any end of it. The last word stands for its beginnings too, because a user may still
 *    type it; a short one does not.
 * 5. Words that nearly every message has are asked for only if the text has nothing else. In sequences they count.
 *
 * A message matches if it has every term.
 */
import { foldWord, spellOut } from './folding.js'
import { detectLanguages, isCommonWord } from './languages.js'
import { stopWords } from './stop-words.js'
import { plainForm, type ReadWord, readWords, signedForm, stemForms } from './tokenize.js'

/** A word of a sequence: one of the forms, or with `prefix` a form that begins so. */
export interface Step {
  /** the position of the word after the first word's */
  offset: number
  forms: readonly string[]
  /** a plain form */
  prefix?: string
  /** or one of these forms together with one that begins so: endings of the word */
  endings?: { forms: readonly string[]; beginning: string }
}

/** One of these sequences of words. A single word is a sequence of one step. */
export interface SearchTerm {
  sequences: readonly (readonly Step[])[]
}

/** A search text in its terms. */
export interface SearchQuery {
  /** A message must have all of them; none: it finds nothing. */
  terms: readonly SearchTerm[]
  /** the common words that messages need not have (5) */
  ignored: readonly SearchTerm[]
}

/** More words of a sequence, and more terms, are not compared. */
const MAX_STEPS = 100
const MAX_TERMS = 60

/** Shorter words at the end of a text are not beginnings of words (4). */
const MIN_BEGINNING = 3

const quotes = /[“”„‟＂]/g
const joiners = /^[-‐‑./\\:@#&=?+%'’~$_]+$/
const apostrophe = /^['’ʼ]$/
const elided = new Set(['l', 'd', 'j', 'm', 'n', 's', 't', 'c', 'qu', 'dell', 'dall', 'nell', 'all', 'sull', 'un'])
const english = new Set(stopWords)

/** Parses a search text. */
export const parseSearch = (text: string): SearchQuery => {
  const pieces = text.replace(quotes, '"').split('"')
  // Without a second quote, the last piece is not quoted.
  const isQuoted = (i: number) => i % 2 === 1 && i < pieces.length - 1
  const loose = pieces.filter((_, i) => !isQuoted(i)).join(' ')
  const quoted = pieces.filter((_, i) => isQuoted(i)).flatMap(parsePhrase)
  const last = pieces.length - 1
  const endsLoose = (pieces[last] ?? '').trim() !== '' && !isQuoted(last)
  const { terms, common } = parseLoose(loose, endsLoose)
  const required = [...quoted, ...terms]
  return required.length > 0
    ? { terms: dropRepeated(required).slice(0, MAX_TERMS), ignored: common }
    : { terms: dropRepeated(common).slice(0, MAX_TERMS), ignored: [] }
}

const dropRepeated = (terms: readonly SearchTerm[]): SearchTerm[] => [
  ...new Map(terms.map((term) => [JSON.stringify(term), term])).values(),
]

const parsePhrase = (text: string): SearchTerm[] => {
  const words = readWords(text)
  return words.length === 0 ? [] : [{ sequences: [buildSequence(text, words, { isQuoted: true })] }]
}

/** The words of a text in groups: those of a group are joined by signs or letters of a script without spaces (2). */
const groupWords = (text: string): ReadWord[][] => {
  const groups: ReadWord[][] = []
  let before: ReadWord | undefined
  for (const word of readWords(text)) {
    const between = before === undefined ? ' ' : text.slice(before.end, word.start)
    if (between === '' || joiners.test(between)) groups.at(-1)?.push(word)
    else groups.push([word])
    before = word
  }
  return groups
}

const parseLoose = (text: string, endsLoose: boolean): { terms: SearchTerm[]; common: SearchTerm[] } => {
  const groups = groupWords(text)
  const languages = detectLanguages(groups.flatMap((group) => group.map(({ lower }) => lower)))
  const isCommon = ({ lower }: ReadWord) => english.has(lower) || (groups.length > 2 && isCommonWord(lower, languages))
  const terms: SearchTerm[] = []
  const common: SearchTerm[] = []
  for (const [i, group] of groups.entries()) {
    const words = dropClitics(text, group, isCommon)
    const last = words.at(-1) as ReadWord
    const isTyped = endsLoose && i === groups.length - 1 && last === group.at(-1) && isBeginning(last)
    const hasStar = text[last.end] === '*'
    const term = buildTerm(text, words, { isQuoted: false, isPrefix: hasStar || isTyped })
    if (words.length === 1 && isCommon(last) && !hasStar) common.push(buildTerm(text, words, { isQuoted: false }))
    else terms.push(term)
  }
  return { terms, common }
}

const isBeginning = ({ lower, isLetter }: ReadWord): boolean => !isLetter && [...lower].length >= MIN_BEGINNING

/** Drops the article of `l’eau` and the ending of `quince’s`: messages may have the word without them. */
const dropClitics = (text: string, group: ReadWord[], isCommon: (word: ReadWord) => boolean): ReadWord[] => {
  const [first, second] = group
  if (first === undefined || second === undefined || group.length !== 2) return group
  if (!apostrophe.test(text.slice(first.end, second.start))) return group
  if (second.lower === 's') return isCommon(first) ? group : [first]
  return elided.has(first.lower) && second.lower.length > 2 && !isCommon(second) ? [second] : group
}

interface SequenceOptions {
  isQuoted: boolean
  /** the last word stands for its beginnings too */
  isPrefix?: boolean
}

const buildTerm = (text: string, words: readonly ReadWord[], options: SequenceOptions): SearchTerm => {
  const sequence = buildSequence(text, words, options)
  const joined = joinWords(text, words)
  return { sequences: joined === undefined ? [sequence] : [sequence, [{ offset: 0, forms: [joined] }]] }
}

/** The form of `email` for `e-mail`. */
const joinWords = (text: string, words: readonly ReadWord[]): string | undefined => {
  const [first, second] = words
  if (first === undefined || second === undefined || words.length !== 2 || first.isLetter || second.isLetter) return
  if (!/^[-‐‑]$/.test(text.slice(first.end, second.start)) || /\p{N}/u.test(first.lower + second.lower)) return
  return plainForm(foldWord(first.lower + second.lower))
}

const buildSequence = (
  text: string,
  words: readonly ReadWord[],
  { isQuoted, isPrefix = false }: SequenceOptions,
): Step[] => {
  const steps: Step[] = []
  for (const [offset, word] of words.slice(0, MAX_STEPS).entries()) {
    const folded = foldWord(word.lower)
    const isLast = offset === words.length - 1
    if (word.isLetter) {
      const next = words[offset + 1]
      const isPair = next?.isLetter === true && next.start === word.end
      const before = words[offset - 1]
      const isSecond = before?.isLetter === true && before.end === word.start
      // The last letter of a run is in the pair before it.
      if (isPair) steps.push({ offset, forms: [plainForm(folded + foldWord(next.lower))] })
      else if (!isSecond) steps.push({ offset, forms: [], prefix: plainForm(folded) })
      continue
    }
    const signed = signedForm(text, word.end, word.lower)
    if (signed !== undefined) {
      steps.push({ offset, forms: [plainForm(signed)] })
      continue
    }
    const spelled = spellOut(word.lower)
    const forms = [
      plainForm(folded),
      ...(spelled === undefined ? [] : [plainForm(spelled)]),
      ...(isQuoted ? [] : stemForms(word.lower)),
    ]
    const isOpen = (isLast && isPrefix) || (isQuoted && text[word.end] === '*')
    if (isOpen) steps.push({ offset, forms, prefix: plainForm(folded) })
    else if (isQuoted && isLast) steps.push({ offset, forms, ...allowEndings(word.lower) })
    else steps.push({ offset, forms })
  }
  return steps
}

const allowEndings = (word: string): Pick<Step, 'endings'> => {
  const forms = stemForms(word)
  return forms.length === 0 ? {} : { endings: { forms, beginning: plainForm(foldWord(word)) } }
}
