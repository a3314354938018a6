/**
 * Draws outlines as pixels. The outlines are ours, and callers without credentials ask for the pictures: so no decoder
 * of images is involved, and a picture must cost little.
 *
 * Each edge adds the area to its right to a buffer, whose sums along a row are the covered parts of the pixels. Source:
 * the accumulation buffer of font-rs (Raph Levien, 2016).
 */

/** A closed line; its points as x, y, x, y. */
export type Polygon = readonly number[]

/** Segments that replace a curve. */
const CURVE_STEPS = 8

/** Reads a path of SVG with the absolute commands M, L, Q and Z. Throws an Error for any other. */
export const readPath = (path: string): Polygon[] => {
  const polygons: number[][] = []
  let points: number[] = []
  for (const [, command = '', text = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (text.match(/-?[\d.]+/g) ?? []).map(Number)
    if (command === 'M') {
      points = [...numbers]
      polygons.push(points)
    } else if (command === 'L') points.push(...numbers)
    else if (command === 'Q') addCurve(points, numbers as [number, number, number, number])
    else if (command !== 'Z') throw new Error(`a path has the command ${command}`)
  }
  return polygons
}

const addCurve = (points: number[], [cx, cy, x, y]: [number, number, number, number]): void => {
  const [fromX, fromY] = points.slice(-2) as [number, number]
  for (let step = 1; step <= CURVE_STEPS; step++) {
    const t = step / CURVE_STEPS
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    points.push(a * fromX + b * cx + c * x, a * fromY + b * cy + c * y)
  }
}

/** Moves and scales polygons. */
export const moveAndScale = (polygons: readonly Polygon[], scale: number, dx: number, dy: number): Polygon[] =>
  polygons.map((points) => points.map((value, i) => value * scale + (i % 2 === 0 ? dx : dy)))

/** The rectangle around polygons. */
export const findBounds = (polygons: readonly Polygon[]) => {
  const points = polygons.flat()
  const xs = points.filter((_, i) => i % 2 === 0)
  const ys = points.filter((_, i) => i % 2 === 1)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

/** Computes which part of each pixel of a square the polygons cover, from 0 to 1. They must be inside of the square. */
export const fill = (polygons: readonly Polygon[], side: number): Float32Array => {
  const width = side + 2
  const areas = new Float32Array(width * (side + 1))
  for (const points of polygons) {
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length
      addEdge(
        areas,
        width,
        points[i] as number,
        points[i + 1] as number,
        points[next] as number,
        points[next + 1] as number,
      )
    }
  }
  const covered = new Float32Array(side * side)
  const { top, height } = findBounds(polygons)
  for (let y = Math.floor(top); y < top + height; y++) {
    let sum = 0
    for (let x = 0; x < side; x++) {
      sum += areas[y * width + x] as number
      covered[y * side + x] = Math.min(1, Math.abs(sum))
    }
  }
  return covered
}

const addEdge = (areas: Float32Array, width: number, x0: number, y0: number, x1: number, y1: number): void => {
  if (y0 === y1) return
  const direction = y0 < y1 ? 1 : -1
  const [fromX, top, toX, bottom] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
  const slope = (toX - fromX) / (bottom - top)
  let x = fromX
  for (let y = Math.floor(top); y < bottom; y++) {
    const height = Math.min(y + 1, bottom) - Math.max(y, top)
    const nextX = x + slope * height
    addRow(areas, y * width, Math.min(x, nextX), Math.max(x, nextX), height * direction)
    x = nextX
  }
}

/** Adds an edge within one row of pixels, from `left` to `right`. Each pixel that it crosses gets its part. */
const addRow = (areas: Float32Array, row: number, left: number, right: number, height: number): void => {
  let before = 0
  for (let pixel = Math.floor(left); ; pixel++) {
    // The part of the height whose area is to the right, averaged over this pixel.
    const covered = averageCover(left, right, pixel)
    const at = row + pixel
    areas[at] = (areas[at] as number) + height * (covered - before)
    before = covered
    if (pixel >= right) return
  }
}

/** The average over the pixel of how far an edge, which runs evenly from `left` to `right`, has come. */
const averageCover = (left: number, right: number, pixel: number): number => {
  if (right - left < 1e-9) return Math.min(1, Math.max(0, pixel + 1 - left))
  const integral = (x: number) => {
    if (x <= left) return 0
    if (x >= right) return (right - left) / 2 + (x - right)
    return (x - left) ** 2 / (2 * (right - left))
  }
  return integral(pixel + 1) - integral(pixel)
}
