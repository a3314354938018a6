/**
 * Pictures that the server draws itself: the one of somebody unknown, and the icon of an organization without one.
 *
 * They are drawn as PNG, pixel by pixel, from a few shapes: so there is no file to keep with the program.
 */
import { deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

const SIZE = 128
const background: Colour = [226, 230, 236]
const figure: Colour = [160, 170, 184]
const iconColour: Colour = [76, 110, 245]
const white: Colour = [255, 255, 255]

/** A head and shoulders. */
export const unknownAvatar = (): Buffer => {
  unknown ??= png((x, y) => {
    const isHead = (x - 0.5) ** 2 + (y - 0.38) ** 2 < 0.18 ** 2
    const isShoulder = ((x - 0.5) / 0.34) ** 2 + ((y - 0.98) / 0.36) ** 2 < 1
    return isHead || isShoulder ? figure : background
  })
  return unknown
}

/** A speech bubble. */
export const realmIcon = (): Buffer => {
  icon ??= png((x, y) => {
    const isBubble = ((x - 0.5) / 0.34) ** 2 + ((y - 0.46) / 0.26) ** 2 < 1
    const isTail = x > 0.3 && x < 0.46 && y > 0.6 && y < 0.84 && y - 0.6 < 1.5 * (0.46 - x)
    return isBubble || isTail ? white : iconColour
  })
  return icon
}

let unknown: Buffer | undefined
let icon: Buffer | undefined

/** A square picture. @param at the colour at a place, both coordinates from 0 to 1 */
const png = (at: (x: number, y: number) => Colour): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // eight bits per colour, red green blue
  header.set([8, 2], 8)
  const rows: number[] = []
  for (let y = 0; y < SIZE; y++) {
    rows.push(0)
    for (let x = 0; x < SIZE; x++) rows.push(...at((x + 0.5) / SIZE, (y + 0.5) / SIZE))
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.from(rows))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(checksum(body))
  return Buffer.concat([length, body, sum])
}

/** CRC-32, bit by bit: zlib's own is not in every Node 20. */
const checksum = (bytes: Uint8Array): number => {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
