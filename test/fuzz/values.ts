/**
 * Values for parameters: valid ones of a zod schema, slightly wrong ones, and hostile ones.
 *
 * Texts and numbers come from small pools of things that exist, so that calls get past their first check.
 */
import type { z } from 'zod'
import type { Random } from '../setup/random.js'

/** What exists in the organization under test. */
export interface World {
  emails: readonly string[]
  user_ids: readonly number[]
  names: readonly string[]
  queue_ids: readonly string[]
}

const words = ['general', 'design', 'logo', 't', 'hello', 'tada', 'octopus', '1f389', 'unicode_emoji', 'en', 'member']
const moreWords = ['read', 'starred', 'add', 'remove', '#c2c2c2', 'http://127.0.0.1:1/', '[1]', '@**all**', 'x', '']

const markdown = [
  '@**Ada** #**general>t** :tada: **b** `c` $$x$$ https://example.com/a?b=c',
  '```python\nprint(1)\n```\n> quote\n\n* a\n  * b\n\n| a | b |\n|--|--|\n| 1 | 2 |',
  '/me waves',
  '/poll what?\na\nb',
  '![a](https://example.com/a.png) [x](javascript:alert(1)) <b onclick=x>',
]

/** Texts that have broken other servers. */
const hostileTexts: readonly ((random: Random) => string)[] = [
  () => '',
  () => ' ',
  () => '\0',
  () => 'a\u0000b',
  () => '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'.repeat(40),
  () => '\u202Eabc\u2066\uFEFF\u200B',
  () => '\uFFFF\uFFFE\u0085\u2028',
  () => "'; drop table messages; --",
  () => '<script>alert(1)</script>',
  () => '../../../../etc/passwd',
  () => '%00%2e%2e%2f',
  () => '__proto__',
  () => 'constructor',
  () => 'null',
  () => 'NaN',
  () => '1e999',
  () => '-0',
  () => '(a+)+$',
  () => '(?<x>a)\\1',
  () => '\r\nX-Injected: 1',
  () => '{{7*7}}',
  (random) => 'a'.repeat(random.pick([61, 201, 1_001, 10_001, 70_000])),
  (random) => '\u{1F389}'.repeat(random.pick([60, 61, 10_000])),
  (random) =>
    random.pick(['[', '*', '> ', '`', '$$', '@**', '~~~\n', '![](', '<', '&', '|', '\n\n', '_']).repeat(3_000),
  (random) => random.pick(['https://a.b/', '#**general>', ':a:', '@_**a|1**', '- ', '1. ', '\t', '**a*']).repeat(900),
  (random) => Array.from({ length: 30 }, () => String.fromCodePoint(random.integer(1, 0xd7ff))).join(''),
  // Postgres compresses texts in tables and indexes: those without repetition are the largest.
  (random) => composeText(random, 0x21, 0x7e),
  (random) => composeText(random, 0x1_2000, 0x1_2399),
]

/** A long text without repetition. @param from the least code point, @param to the greatest */
const composeText = (random: Random, from: number, to: number): string => {
  const length = random.pick([255, 600, 1_000, 2_600, 4_000, 9_000])
  return Array.from({ length }, () => String.fromCodePoint(random.integer(from, to))).join('')
}

const hostileNumbers = [
  ...[0, -1, 1.5, -0, 1e308, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 2 ** 63],
  ...[1e-7, 65_536, 32_768, 9_007_199_254_740_991],
]

const hostileValues: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ({ '': '' }),
  () => JSON.parse('{"__proto__": {"is_admin": true}, "constructor": 1}'),
  () => 'text',
  (random) => Array.from({ length: random.pick([300, 5_000]) }, (_, i) => i),
  (random) => Array.from({ length: 2_000 }, () => random.pick(words)),
  (random) => nest(random.pick([50, 99, 101, 3_000])),
  () => Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`k${i}`, i])),
]

const nest = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

/** A text that exists, or could. @param name the name of the parameter, which hints at its meaning */
const generateText = (name: string, random: Random, world: World): string => {
  if (/email/.test(name)) return random.pick([...world.emails, 'new@example.com', 'not an address'])
  if (/queue_id/.test(name)) return random.pick([...world.queue_ids, crypto.randomUUID()])
  if (/content|description|body/.test(name) && random.next() < 0.5) return random.pick(markdown)
  if (/name/.test(name) && random.next() < 0.5) return random.pick([...world.names, `new ${random.integer(1, 1e6)}`])
  if (/emoji/.test(name)) return random.pick(['tada', 'octopus', 'heart', '1f389', 'unicode_emoji'])
  if (/topic/.test(name)) return random.pick(['t', 'logo', '', '✔ t'])
  return random.pick(random.next() < 0.7 ? words : moreWords)
}

/** A small number: often the id of something that exists. */
export const generateNumber = (random: Random, world: World): number =>
  random.next() < 0.3 ? random.pick(world.user_ids) : random.integer(1, random.pick([5, 12, 40]))

/** One of the hostile texts. */
export const hostileText = (random: Random): string => random.pick(hostileTexts)(random)

/** Any value that JSON has, hostile ones included. */
export const hostileValue = (random: Random): unknown => {
  const kind = random.next()
  if (kind < 0.35) return hostileText(random)
  if (kind < 0.6) return random.pick(hostileNumbers)
  return random.pick(hostileValues)(random)
}

/** The parts of a schema that this reads; the other kinds are `unknown`. */
interface Definition {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: readonly z.ZodType[]
  items?: readonly z.ZodType[]
  keyType?: z.ZodType
  valueType?: z.ZodType
  values?: readonly unknown[]
  entries?: Record<string, unknown>
  in?: z.ZodType
  getter?: () => z.ZodType
}

/**
 * A value of the schema; with a small probability a part of it is hostile instead.
 * @param hostility the probability for each part
 */
export const generate = (schema: z.ZodType, name: string, random: Random, world: World, hostility: number): unknown => {
  if (random.next() < hostility) return hostileValue(random)
  const of = (inner: z.ZodType | undefined, as = name): unknown =>
    inner === undefined ? hostileValue(random) : generate(inner, as, random, world, hostility)
  const def = schema.def as unknown as Definition
  switch (def.type) {
    case 'string':
      return generateText(name, random, world)
    case 'number':
    case 'int': {
      const { minimum, maximum } = schema._zod.bag as { minimum?: number; maximum?: number }
      const value = generateNumber(random, world)
      return Math.max(minimum ?? 0, Math.min(value, maximum ?? value))
    }
    case 'boolean':
      return random.next() < 0.5
    case 'null':
      return null
    case 'literal':
      return random.pick(def.values ?? [])
    case 'enum':
      return random.pick(Object.values(def.entries ?? {}))
    case 'array':
      return Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => of(def.element))
    case 'tuple':
      return (def.items ?? []).map((item) => of(item))
    case 'object': {
      const fields = Object.entries(def.shape ?? {}).flatMap(([key, field]) => {
        const isLeftOut = random.next() < (isOptional(field) ? 0.5 : 0.03)
        return isLeftOut ? [] : [[key, of(field, key)] as const]
      })
      if (random.next() < 0.03) fields.push(['unknown_key', hostileValue(random)])
      return Object.fromEntries(fields)
    }
    case 'record':
      return Object.fromEntries(
        Array.from({ length: random.integer(0, 2) }, () => [String(of(def.keyType)), of(def.valueType)]),
      )
    case 'union':
      return of(random.pick(def.options ?? []))
    case 'nullable':
      return random.next() < 0.2 ? null : of(def.innerType)
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return of(def.innerType)
    case 'pipe':
      return of(def.in)
    case 'lazy':
      return of(def.getter?.())
    default:
      return random.next() < 0.5 ? generateText(name, random, world) : generateNumber(random, world)
  }
}

const isOptional = (schema: z.ZodType): boolean => ['optional', 'default', 'prefault'].includes(schema.def.type)
