/**
 * The pictures that the server draws for accounts without one: what they show, and their addresses.
 *
 * 1. The address contains everything that is drawn: the id, which decides the colour, the initials, and whether the
 *    account is a bot. So the picture reveals nothing to a caller without credentials, not even whether there is such
 *    an account, and it never changes: an account with another name has a picture with another address.
 * 2. Only letters of data/letters.json are drawn. An accent that is not there is left out. An account without such a
 *    letter has a pattern of squares.
 */
import { findInitials } from '#rules/initials.js'
import drawn from '../data/letters.json' with { type: 'json' }
import type { UserRow } from '../log/rows.js'

const outlines: ReadonlyMap<string, string> = new Map(Object.entries(drawn.letters))

/** What a drawn picture shows. */
export interface DrawnPicture {
  user_id: number
  /** codes of letters, in hexadecimal digits, in the order of the name; none: a pattern of squares */
  letters: readonly string[]
  is_bot: boolean
  /** 500 pixels instead of 100 */
  medium: boolean
}

/** The outline of a letter (data/letters.json). Undefined: the letter is not drawn. */
export const findOutline = (letter: string): string | undefined => outlines.get(letter)

const codeOf = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16)

/** The code of the letter that is drawn for an initial; undefined: there is none (2). */
const findLetter = (initial: string): string | undefined => {
  const capital = initial.toUpperCase()
  return [capital, initial, capital.normalize('NFD')].map(codeOf).find((code) => outlines.has(code))
}

/** The path of an account's drawn picture, below `/user_avatars/`. */
export const composeDrawnPath = ({ id, full_name, is_bot }: UserRow, medium: boolean): string => {
  const letters = findInitials(full_name).flatMap((initial) => findLetter(initial) ?? [])
  return `drawn/${[id, ...letters, ...(is_bot ? ['bot'] : [])].join('.')}${medium ? '-medium' : ''}.png`
}

const drawnPath = /^drawn\/(\d{1,9})((?:\.[0-9a-f]{2,5}){0,2})(\.bot)?(-medium)?\.png$/

/** Reads what the picture with this path shows. Undefined: there is no such picture. */
export const readDrawnPath = (path: string): DrawnPicture | undefined => {
  const [, id, codes = '', bot, medium] = drawnPath.exec(path) ?? []
  if (id === undefined) return undefined
  const letters = codes.split('.').slice(1)
  if (!letters.every((letter) => outlines.has(letter))) return undefined
  return { user_id: Number(id), letters, is_bot: bot !== undefined, medium: medium !== undefined }
}
