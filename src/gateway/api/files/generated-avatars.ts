/**
 * The default pictures: the avatars of an unknown user and of accounts without a picture, and the icon of an
 * organization without one.
 *
 * They are drawn from a few shapes when they are first requested, so no image file has to be shipped.
 */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { DrawnPicture } from '../../../domain/users/drawn-pictures.js'
import { accountColours, drawLetters, SHADE_BITS } from './letter-pictures.js'

type Colour = readonly [red: number, green: number, blue: number]

const SIDE = 128
const background: Colour = [226, 230, 236]
const figure: Colour = [160, 170, 184]
const iconColour: Colour = [76, 110, 245]
const white: Colour = [255, 255, 255]

let avatar: Buffer | undefined
let icon: Buffer | undefined

/** The avatar of an unknown user, as PNG: a head and shoulders. */
export const unknownAvatar = (): Buffer => {
  avatar ??= drawSquare((x, y) => {
    const isHead = (x - 0.5) ** 2 + (y - 0.38) ** 2 < 0.18 ** 2
    const isShoulder = ((x - 0.5) / 0.34) ** 2 + ((y - 0.98) / 0.36) ** 2 < 1
    return isHead || isShoulder ? figure : background
  })
  return avatar
}

/** The icon of an organization without one, as PNG: a speech bubble. */
export const realmIcon = (): Buffer => {
  icon ??= drawSquare((x, y) => {
    const isBubble = ((x - 0.5) / 0.34) ** 2 + ((y - 0.46) / 0.26) ** 2 < 1
    const isTail = x > 0.3 && x < 0.46 && y > 0.6 && y < 0.84 && y - 0.6 < 1.5 * (0.46 - x)
    return isBubble || isTail ? white : iconColour
  })
  return icon
}

/** Squares in each row of a drawn avatar, and the part of its side that is margin. */
const CELLS = 5
const MARGIN = 0.1

/** The pictures that were drawn last, by what they show: most are asked for by several clients. */
const drawn = new Map<string, Buffer>()
const MOST_DRAWN = 500

/**
 * Draws the picture of an account without one, as PNG. It depends on these values alone, so every server draws the same
 * one.
 */
export const drawnAvatar = (realm_id: number, picture: DrawnPicture): Buffer => {
  const key = `${realm_id} ${picture.user_id} ${picture.letters.join()} ${picture.is_bot} ${picture.medium}`
  const cached = drawn.get(key)
  if (cached !== undefined) return cached
  const side = picture.medium ? 500 : 100
  const bytes =
    picture.letters.length > 0 || picture.is_bot
      ? composePng({ side, depth: SHADE_BITS, type: 3, ...drawLetters(picture, side) })
      : drawPattern(realm_id, picture.user_id, side)
  if (drawn.size >= MOST_DRAWN) drawn.delete(drawn.keys().next().value ?? '')
  drawn.set(key, bytes)
  return bytes
}

/** Draws a symmetric pattern of squares. */
const drawPattern = (realm_id: number, user_id: number, side: number): Buffer => {
  const bits = createHash('sha256').update(`avatar ${realm_id} ${user_id}`).digest()
  const colour = accountColours[user_id % accountColours.length] as Colour
  // Two colours are one bit for each pixel, and the pixels of a row of squares are equal: callers without credentials
  // ask for this picture, so it must cost little.
  const rowLength = 1 + Math.ceil(side / 8)
  const rows = Array.from({ length: CELLS }, (_, row) => drawRow(bits.subarray(1 + row * CELLS), side, rowLength))
  const pixels = new Uint8Array(side * rowLength)
  for (let y = 0; y < side; y++) {
    const row = rows[cellAt(y, side)]
    if (row !== undefined) pixels.set(row, y * rowLength)
  }
  return composePng({ side, depth: 1, type: 3, palette: Uint8Array.from([...background, ...colour]), pixels })
}

/** The square to which a pixel belongs; another number on the margin. */
const cellAt = (pixel: number, side: number): number =>
  Math.floor((((pixel + 0.5) / side - MARGIN) / (1 - 2 * MARGIN)) * CELLS)

/** The pixels of a row of squares: the right half mirrors the left one. */
const drawRow = (bits: Uint8Array, side: number, rowLength: number): Uint8Array => {
  const pixels = new Uint8Array(rowLength)
  for (let x = 0; x < side; x++) {
    const cell = cellAt(x, side)
    if (cell < 0 || cell >= CELLS || (bits[Math.min(cell, CELLS - 1 - cell)] as number) % 2 === 1) continue
    const byte = 1 + (x >> 3)
    pixels[byte] = (pixels[byte] as number) | (0x80 >> (x & 7))
  }
  return pixels
}

/** Draws a square picture, as PNG. @param colourAt the colour of a point, both coordinates from 0 to 1 */
const drawSquare = (colourAt: (x: number, y: number) => Colour): Buffer => {
  const rowLength = 1 + SIDE * 3
  const pixels = new Uint8Array(SIDE * rowLength)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) pixels.set(colourAt((x + 0.5) / SIDE, (y + 0.5) / SIDE), y * rowLength + 1 + x * 3)
  }
  // Eight bits per channel; red, green and blue.
  return composePng({ side: SIDE, depth: 8, type: 2, pixels })
}

interface Pixels {
  side: number
  /** bits of each sample, and the type of colour, as the PNG standard numbers them */
  depth: number
  type: number
  palette?: Uint8Array
  /** each row begins with the byte that names its filter: 0 for none */
  pixels: Uint8Array
}

const composePng = ({ side, depth, type, palette, pixels }: Pixels): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([depth, type], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(palette === undefined ? [] : [pngChunk('PLTE', palette)]),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
