/**
 * The default pictures: the avatar of an unknown user, and the icon of an organization without one.
 *
 * They are drawn from a few shapes when they are first requested, so no image file has to be shipped.
 */
import { encodePng } from '../../../store/files/image-processing.js'

type Colour = readonly [red: number, green: number, blue: number]

const SIDE = 128
const background: Colour = [226, 230, 236]
const figure: Colour = [160, 170, 184]
const iconColour: Colour = [76, 110, 245]
const white: Colour = [255, 255, 255]

let avatar: Promise<Buffer> | undefined
let icon: Promise<Buffer> | undefined

/** The avatar of an unknown user, as PNG: a head and shoulders. */
export const unknownAvatar = (): Promise<Buffer> => {
  avatar ??= drawSquare((x, y) => {
    const isHead = (x - 0.5) ** 2 + (y - 0.38) ** 2 < 0.18 ** 2
    const isShoulder = ((x - 0.5) / 0.34) ** 2 + ((y - 0.98) / 0.36) ** 2 < 1
    return isHead || isShoulder ? figure : background
  })
  return avatar
}

/** The icon of an organization without one, as PNG: a speech bubble. */
export const realmIcon = (): Promise<Buffer> => {
  icon ??= drawSquare((x, y) => {
    const isBubble = ((x - 0.5) / 0.34) ** 2 + ((y - 0.46) / 0.26) ** 2 < 1
    const isTail = x > 0.3 && x < 0.46 && y > 0.6 && y < 0.84 && y - 0.6 < 1.5 * (0.46 - x)
    return isBubble || isTail ? white : iconColour
  })
  return icon
}

/** Draws a square picture. @param colourAt the colour of a point, both coordinates from 0 to 1 */
const drawSquare = (colourAt: (x: number, y: number) => Colour): Promise<Buffer> => {
  const pixels = new Uint8Array(SIDE * SIDE * 3)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) pixels.set(colourAt((x + 0.5) / SIDE, (y + 0.5) / SIDE), (y * SIDE + x) * 3)
  }
  return encodePng(pixels, SIDE, SIDE)
}
