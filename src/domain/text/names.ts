/**
 * Decides which names people can read, and which names look alike.
 *
 * A name with characters that nobody sees can look like another name, or like none. So names of users, bots, groups,
 * channels and folders have none. Three exceptions are seen: joiners between two visible characters, which change how
 * letters of some scripts are written; variation selectors, which choose the form of a character; and emoji.
 */
import { msg } from '../languages/texts.js'
import { errors } from '../protocol/errors.js'
import { kindOfCharacter } from './characters.js'

/** The flag of sequences in character classes, which the compiler allows in no literal for Node 22. */
const SETS = 'gv'

/** Emoji as the standard recommends them, some of which are sequences with joiners, selectors and tags. */
const emoji = new RegExp('\\p{RGI_Emoji}', SETS)
const joiner = /[\u200c\u200d]/
const selector = /[\ufe00-\ufe0f\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]/u
const unassignable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u
const mark = /\p{M}/u

/** Whether a character shows something of its own. */
const isVisible = (character: string | undefined): boolean => {
  if (character === undefined || mark.test(character)) return false
  const kind = kindOfCharacter(character.codePointAt(0) as number)
  return kind !== 'invisible' && kind !== 'space'
}

/** Whether the character at a position of a name is one of the exceptions. */
const isSeenThere = (characters: readonly string[], at: number): boolean => {
  const [before, character = '', after] = [characters[at - 1], characters[at], characters[at + 1]]
  const hasBase = isVisible(before) || (before !== undefined && mark.test(before))
  if (joiner.test(character)) return hasBase && isVisible(after)
  return selector.test(character) && hasBase && (before as string) > '\x7f'
}

/**
 * Finds the first character that a name cannot contain. Returns its position, counted from 1, or 0 if there is none.
 */
export const findInvisible = (name: string): number => {
  // A placeholder of the same length keeps the positions.
  const characters = [...name.replace(emoji, (sequence) => '\u{1f600}'.repeat([...sequence].length))]
  const at = characters.findIndex((character, i) => {
    if (unassignable.test(character)) return true
    return kindOfCharacter(character.codePointAt(0) as number) === 'invisible' && !isSeenThere(characters, i)
  })
  return at + 1
}

/** The errors of names with invisible characters, by the thing that has the name. */
const invisibleNameTexts = {
  user: {
    hidden: msg('The name contains a character that is not allowed, at position {position}.'),
    blank: msg('The name must have a character that readers can see.'),
  },
  channel: {
    hidden: msg('The channel name contains a character that is not allowed, at position {position}.'),
    blank: msg('The channel name must have a character that readers can see.'),
  },
  folder: {
    hidden: msg('The folder name contains a character that is not allowed, at position {position}.'),
    blank: msg('The folder name must have a character that readers can see.'),
  },
  group: {
    hidden: msg('The name of the user group contains a character that is not allowed, at position {position}.'),
    blank: msg('The name of the user group must have a character that readers can see.'),
  },
} as const

/** Throws BAD_REQUEST unless readers see the name. @param kind the thing that has the name, as the error calls it */
export const requireVisibleName = (name: string, kind: keyof typeof invisibleNameTexts): void => {
  const { hidden, blank } = invisibleNameTexts[kind]
  const position = findInvisible(name)
  if (position > 0) throw errors.badRequest({ text: hidden, values: { position } })
  if (![...name].some(isVisible)) throw errors.badRequest({ text: blank })
}

/** Letters and signs of other scripts that look like those of ASCII: each text, then what it looks like. */
const lookalikes = new Map(
  [
    ['АВСЕЅІЈКМНОРТХҮԚԜѴ', 'ABCESIJKMHOPTXYQWV'],
    ['асеѕіјорхуһԁԛԝѵӏ', 'acesijopxyhdqwvl'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['ονϳϲ', 'ovjc'],
    ['օսոհ', 'ounh'],
    ['ıɑɡʼ’‘‐−', "iag'''--"],
  ].flatMap(([signs = '', like = '']) => [...signs].map((sign, i) => [sign, [...like][i] ?? sign] as const)),
)

/** The name as it is seen: without what nobody sees, in one form of each character. */
const unify = (name: string): string => (isAscii.test(name) ? name.replace(/\s+/g, ' ').trim() : unifyAll(name))

const isAscii = /^\p{ASCII}*$/u

const unifyAll = (name: string): string =>
  [...name.normalize('NFKC')]
    .filter((character) => kindOfCharacter(character.codePointAt(0) as number) !== 'invisible')
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const replaceLookalikes = (name: string): string =>
  isAscii.test(name) ? name : Array.from(name, (character) => lookalikes.get(character) ?? character).join('')

/** Returns the forms in which a name is compared. Two names look alike if they have a form in common. */
export const lookForms = (name: string, ignoresCase: boolean): readonly string[] => {
  const seen = unify(name)
  const like = replaceLookalikes(seen)
  const forms = seen === like ? [seen] : [seen, like]
  return ignoresCase ? forms.map((form) => form.toLowerCase().normalize('NFKC')) : forms
}
