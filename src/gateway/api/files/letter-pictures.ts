/**
 * Draws the picture of an account without one: its initials in white on a colour, or those of a bot in the head of a
 * robot. The colours are those of the page (web/src/ui/avatar.css), so that all clients of a user show one picture.
 */
import { type DrawnPicture, findOutline } from '../../../domain/users/drawn-pictures.js'
import { fill, findBounds, moveAndScale, type Polygon, readPath } from './outlines.js'

type Colour = readonly [red: number, green: number, blue: number]

/** The colours of accounts; which one is the last digit of the id. */
export const accountColours: readonly Colour[] = [
  [0x4a, 0x5b, 0xb8],
  [0x8a, 0x4b, 0x9c],
  [0x2e, 0x7d, 0x6b],
  [0xa3, 0x5a, 0x2a],
  [0x3b, 0x6f, 0xa0],
  [0x9c, 0x3f, 0x5a],
  [0x5c, 0x6b, 0x2f],
  [0x6b, 0x4f, 0xb3],
  [0x2a, 0x72, 0x86],
  [0x8c, 0x5a, 0x3c],
]

/** Shades from the colour to white: bits of each pixel, and their number. */
export const SHADE_BITS = 4
const SHADES = 2 ** SHADE_BITS

/** The outline of the head, in a square of 256 units: an antenna with a ball, ears, and the face. */
const robot =
  'M128 20Q142 20 142 34Q142 48 128 48Q114 48 114 34Q114 20 128 20M122 44L134 44L134 82L122 82' +
  'M72 78L184 78Q212 78 212 106L212 188Q212 216 184 216L72 216Q44 216 44 188L44 106Q44 78 72 78' +
  'M24 120L44 120L44 172L24 172M212 120L232 120L232 172L212 172'
/** The eyes of a robot whose name has no letter that can be drawn. */
const eyes = 'M96 124L112 124L112 164L96 164M144 124L160 124L160 164L144 164'

/** The part of the side that letters may take, of the whole picture and of the face of a robot. */
const ROOM = { width: 0.62, height: 0.36, middle: 0.5 }
const FACE_ROOM = { width: 0.5, height: 0.28, middle: 147 / 256 }
/** Space between two letters, in the units of the outlines. */
const GAP = 18

/** Whether a letter, as its code, belongs to a script that is written from right to left: Hebrew or Arabic. */
const isRightToLeft = (letter: string): boolean => {
  const code = Number.parseInt(letter, 16)
  return code >= 0x590 && code < 0x700
}

/** Places the letters beside each other in the middle of the room. */
const placeLetters = (letters: readonly string[], side: number, room: typeof ROOM): Polygon[] => {
  const inOrder = letters.every(isRightToLeft) ? [...letters].reverse() : letters
  const line: Polygon[] = []
  let x = 0
  for (const letter of inOrder) {
    const polygons = readPath(findOutline(letter) ?? '')
    if (polygons.length === 0) continue
    const { left, width } = findBounds(polygons)
    line.push(...moveAndScale(polygons, 1, x - left, 0))
    x += width + GAP
  }
  if (line.length === 0) return []
  const { left, top, width, height } = findBounds(line)
  const scale = Math.min((room.width * side) / width, (room.height * side) / height)
  const dx = side / 2 - (left + width / 2) * scale
  const dy = room.middle * side - (top + height / 2) * scale
  return moveAndScale(line, scale, dx, dy)
}

/** The head in each size, which all bots share. */
const heads = new Map<number, Float32Array>()

const fillHead = (side: number): Float32Array => {
  const head = heads.get(side) ?? fill(moveAndScale(readPath(robot), side / 256, 0, 0), side)
  heads.set(side, head)
  return head
}

/** A drawn picture: for each pixel its shade, two in a byte, in rows that begin with a byte of 0; and the shades. */
export interface ShadedPicture {
  palette: Uint8Array
  pixels: Uint8Array
}

/** Draws the letters of a picture. A picture of a person has at least one. @param side in pixels */
export const drawLetters = ({ user_id, letters, is_bot }: DrawnPicture, side: number): ShadedPicture => {
  const room = is_bot ? FACE_ROOM : ROOM
  const scale = side / 256
  const isFace = is_bot && letters.length === 0
  const inked = fill(isFace ? moveAndScale(readPath(eyes), scale, 0, 0) : placeLetters(letters, side, room), side)
  const head = is_bot ? fillHead(side) : undefined
  const rowLength = 1 + Math.ceil((side * SHADE_BITS) / 8)
  const pixels = new Uint8Array(side * rowLength)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const ink = inked[y * side + x] as number
      const white = head === undefined ? ink : (head[y * side + x] as number) * (1 - ink)
      if (white === 0) continue
      const at = y * rowLength + 1 + (x >> 1)
      const shade = Math.round(white * (SHADES - 1))
      pixels[at] = (pixels[at] as number) | (x % 2 === 0 ? shade << SHADE_BITS : shade)
    }
  }
  return { palette: composePalette(accountColours[user_id % accountColours.length] as Colour), pixels }
}

const composePalette = (colour: Colour): Uint8Array =>
  Uint8Array.from({ length: SHADES * 3 }, (_, i) => {
    const from = colour[i % 3] as number
    return Math.round(from + ((255 - from) * Math.floor(i / 3)) / (SHADES - 1))
  })
