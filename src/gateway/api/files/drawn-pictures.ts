/**
 * The default pictures: the avatar of an unknown user, and the icon of an organization without one.
 *
 * They are drawn from a few shapes when they are first requested, so no image file has to be shipped.
 */
import { crc32, deflateSync } from 'node:zlib'

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

/** Draws a square picture, as PNG. @param colourAt the colour of a point, both coordinates from 0 to 1 */
const drawSquare = (colourAt: (x: number, y: number) => Colour): Buffer => {
  // Each row begins with the byte that names its filter: 0 for none.
  const rowLength = 1 + SIDE * 3
  const pixels = new Uint8Array(SIDE * rowLength)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) pixels.set(colourAt((x + 0.5) / SIDE, (y + 0.5) / SIDE), y * rowLength + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Eight bits per channel; red, green and blue.
  header.set([8, 2], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels)), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
