/** The layout mirrors itself where lines begin at the right, because styles name sides by the direction of writing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

/** Declarations that name the left or the right side, each with the reason why that is right in every language. */
const exceptions: Readonly<Record<string, string>> = {
  'styles/tokens.css: --start: left': 'what has no logical property is written with --start',
  'styles/tokens.css: --start: right': 'the same, where lines begin at the right',
  'search/search.css: padding-right: 2.1rem': 'the field has the direction of its text, its button that of the page',
  'search/search.css: padding-left: 2.1rem': 'the same, where lines begin at the right',
}

/** Scripts that set a side. */
const scripts: Readonly<Record<string, string>> = {
  'ui/popup.tsx': 'a panel is placed in pixels of the screen, which the direction decides',
}

const source = join(root, 'web/src')

const listFiles = (pattern: RegExp): string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .sort()

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '')

/** The declarations of a style sheet: a name and a value. */
const readDeclarations = (css: string): [name: string, value: string][] =>
  [...withoutComments(css).matchAll(/([\w-]+)\s*:\s*([^;{}]+);/g)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\s+/g, ' ').trim(),
  ])

const namesSide = /(^|-)(left|right)(-|$)/
const sideValue = /\b(left|right)\b/
const valuesOfSides = new Set(['text-align', 'float', 'clear', 'transform-origin', 'background-position', '--start'])
const corner = /^border-(top|bottom)-(left|right)-radius$/

/** Whether a declaration means the left or the right of the screen. */
const isPhysical = (name: string, value: string): boolean => {
  if (name.startsWith('grid-') || (name.startsWith('--') && name !== '--start')) return false
  if (namesSide.test(name) || corner.test(name)) return true
  if (valuesOfSides.has(name)) return sideValue.test(value)
  if (/^(margin|padding|inset|border-(width|style|color))$/.test(name)) {
    const [, right, , left] = splitValue(value)
    return left !== undefined && left !== right
  }
  if (/gradient\(\s*to (left|right)/.test(value)) return true
  return /translateX\((?!.*--mirror)/.test(value) || /translate\(\s*-?[1-9]/.test(value)
}

/** The parts of a value; those in brackets are one. */
const splitValue = (value: string): string[] => value.match(/(?:[^\s(]+\([^)]*\)|[^\s()]+)/g) ?? []

test('A style sheet names sides by the direction of writing, except where a reason is given.', () => {
  const found = listFiles(/\.css$/).flatMap((file) =>
    readDeclarations(readFileSync(join(source, file), 'utf8'))
      .filter(([name, value]) => isPhysical(name, value))
      .map(([name, value]) => `${file}: ${name}: ${value}`),
  )
  expect(found.sort()).toEqual(Object.keys(exceptions).sort())
})

test('Only the named scripts set the left or the right side of an element.', () => {
  const sets =
    /style=\{\{[^}]*(?:left|right)\b|\.style\.\w*(?:left|right)\b|setProperty\(\s*['"][\w-]*(?:left|right)\b/i
  const found = listFiles(/\.tsx?$/).filter((file) => sets.test(readFileSync(join(source, file), 'utf8')))
  expect(found).toEqual(Object.keys(scripts).sort())
})

test('The check finds each way in which a declaration can name a side.', () => {
  const physical = [
    ['margin-left', '1rem'],
    ['border-right', '0'],
    ['left', '0'],
    ['border-top-left-radius', '2px'],
    ['text-align', 'left'],
    ['inset', '0 auto 0 0'],
    ['padding', '0 var(--a) 0 calc(1px + 2px)'],
    ['transform', 'translateX(100%)'],
    ['mask-image', 'linear-gradient(to left, transparent, #000)'],
  ] as const
  const logical = [
    ['margin-inline-start', '1rem'],
    ['text-align', 'start'],
    ['inset', '0 0 auto'],
    ['padding', '0 1rem 2rem 1rem'],
    ['grid-template-areas', '"left centre right"'],
    ['transform', 'translateX(calc(100% * var(--mirror)))'],
  ] as const
  expect(physical.filter(([name, value]) => !isPhysical(name, value))).toEqual([])
  expect(logical.filter(([name, value]) => isPhysical(name, value))).toEqual([])
})
