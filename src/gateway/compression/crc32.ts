/**
 * The CRC-32 of two texts together, from the CRCs of both, without reading them.
 *
 * A CRC is a polynomial over two elements modulo P, the lowest bit for the highest power. Appending n bytes multiplies
 * the CRC by x^(8n) modulo P, which is computed once for a text that is appended often. Source: crc32_combine of zlib.
 */

/** P without its highest power, with the bits reversed. */
const POLYNOMIAL = 0xedb88320
/** The polynomial 1. */
const ONE = 0x80000000

/** A text that can be appended. */
export interface AppendedText {
  crc: number
  /** `findShift` of its length */
  shift: number
}

/** The CRC-32 of a text with `crc` and an appended one together. */
export const appendCrc = (crc: number, appended: AppendedText): number =>
  (multiply(appended.shift, crc) ^ appended.crc) >>> 0

/** The product of two polynomials modulo P. */
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= b
    b = (b & 1) === 0 ? b >>> 1 : (b >>> 1) ^ POLYNOMIAL
  }
  return product
}

/** x^(8 * 2^i) modulo P, by i. */
const powers: readonly number[] = (() => {
  // x^8
  let power = ONE >>> 8
  return Array.from({ length: 32 }, () => {
    const current = power
    power = multiply(power, power)
    return current
  })
})()

/** x^(8 * length) modulo P. @param length in bytes */
export const findShift = (length: number): number => {
  let result = ONE
  for (let i = 0, rest = length; rest > 0; i++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(powers[i] ?? 0, result)
  }
  return result
}
