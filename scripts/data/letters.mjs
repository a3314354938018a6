/**
 * Composes src/domain/data/letters.json: the outlines of letters that the server draws in pictures of accounts.
 *
 * 1. The letters are those with which names begin: digits, capitals, and letters of scripts without capitals. An Arabic
 *    letter has its isolated form.
 * 2. A script is here if DejaVu Sans has it and its letters stand alone. Others would need a larger font, or shaping.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { composeDataFile } from './data-file.mjs'
import { installNpmPackage } from './npm.mjs'

const FONT = 'dejavu-fonts-ttf@2.37.3'
const PARSER = 'opentype.js@2.0.0'
/** Units of the square of a letter, in which all coordinates are integers. */
const UNITS = 256

/** The first and last letter of each block. */
const blocks = ['09', 'AZ', 'Àſ', 'ͰϿ', 'Ѐԯ', 'ԱՖ', 'את', 'ءي', 'ٱۓ', 'აჺ']

/** Composes the file. */
export async function composeLetters() {
  const folder = installNpmPackage(FONT)
  const { parse } = await import(pathToFileURL(`${installNpmPackage(PARSER)}/dist/opentype.mjs`).href)
  const bytes = readFileSync(`${folder}/ttf/DejaVuSans-Bold.ttf`)
  const font = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const isDrawn = (letter) => font.charToGlyphIndex(letter) !== 0
  const letters = blocks.flatMap((block) => {
    const [first, last] = [...block].map((letter) => letter.codePointAt(0))
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
  })
  const isListed = (letter) => {
    const capital = letter.toUpperCase()
    const hasCapital = capital !== letter && [...capital].length === 1 && isDrawn(capital)
    return /^[\p{L}\p{Nd}]$/u.test(letter) && isDrawn(letter) && !hasCapital
  }
  const outline = (letter) => font.charToGlyph(letter).getPath(0, 0, UNITS).toPathData(0)
  return composeDataFile(
    [
      `The outlines of letters in a square of ${UNITS} units, as paths of SVG whose y is 0 at the base line, by the code of`,
      'the letter: those of DejaVu Sans Bold. Written by scripts/data/letters.mjs: do not edit.',
    ].join(' '),
    Object.fromEntries([FONT, PARSER].map((one) => one.split('@'))),
    {
      letters: letters.filter(isListed).map((letter) => [letter.codePointAt(0).toString(16), outline(letter)]),
      licence: [['text', readFileSync(`${folder}/LICENSE`, 'utf8')]],
    },
  )
}
