/**
 * The CRC-32 of two texts together, from the CRCs of both, without reading them.
 *
 * A CRC is a polynomial over two elements modulo P, the lowest bit for the highest power. Appending n bytes multiplies
 * the CRC by x^(8n) modulo P. Source: crc32_combine of zlib.
 */

/** P without its highest power, with the bits reversed. */
const POLYNOMIAL = 0xedb88320
/** The polynomial 1. */
const ONE = 0x80000000

/** The CRC-32 of a text whose first part has `crc`, and whose last `length` bytes have `appended`. */
export const appendCrc = (crc: number, appended: number, length: number): number =>
  (multiply(shift(length), crc) ^ appended) >>> 0

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

/** x^(8 * length) modulo P. */
const shift = (length: number): number => {
  let result = ONE
  for (let i = 0, rest = length; rest > 0; i++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(powers[i] ?? 0, result)
  }
  return result
}
