/** The types of the client library, which `npm run docs` generates from the OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error A script of the client library, without types.
import { generateApiTypes } from '../../client/scripts/api-types.mjs'
// @ts-expect-error A script of the client library, without types.
import { deriveSchema, mayDerive } from '../../client/scripts/derived-types.mjs'
// @ts-expect-error A script of the client library, without types.
import { printType } from '../../client/scripts/print-types.mjs'
import { root } from '../../src/dev/root.js'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { registry } from '../../src/gateway/api/index.js'
import { composeOpenApiDocument } from '../../src/gateway/site/openapi.js'

test('The types of the client library are those of the endpoints and events: otherwise run `npm run docs`.', {
  timeout: 60_000,
}, async () => {
  const generated = generateApiTypes(await composeOpenApiDocument(registry, entryKinds))
  const committed = readFileSync(join(root, 'client/src/kernel/api-types.ts'), 'utf8')
  expect(generated === committed, 'client/src/kernel/api-types.ts is out of date: run `npm run docs`').toBe(true)
})

test.each([
  [{ type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }, '(number | string)[]'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ["it's", 1] }, "'it\\'s' | 1"],
  [{ prefixItems: [{ type: 'string' }, {}] }, '[string, unknown]'],
  [{ type: 'object', properties: {} }, 'Nothing'],
  [{ type: 'object', additionalProperties: { $ref: '#/components/schemas/User' } }, 'Record<string, User>'],
  [{ allOf: [{ $ref: '#/components/schemas/A' }, { enum: [1, 2] }] }, 'A & (1 | 2)'],
  [
    {
      type: 'object',
      properties: { id: { type: 'integer' }, 'a-b': { type: 'boolean', default: false, description: 'What.' } },
      required: ['id'],
    },
    "{ id: number; /** What; default: false */ 'a-b'?: boolean }",
  ],
])('%j is printed as %s.', (schema, type) => {
  expect(printType(schema, 0, 0)).toBe(type)
})

test('A type that does not fit in a line has a line for each property.', () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string', description: 'the full name' } }
  expect(printType({ type: 'object', properties, required: ['id'] }, 2, 100)).toBe(
    '{\n    id: number\n    /** the full name */ name?: string\n  }',
  )
})

const integer = { type: 'integer' }
const said = { type: 'integer', description: 'in seconds' }

/** An object with the properties a to g, and with others. */
const objectWith = (others: object = {}, required: readonly string[] = [...'abcdefg']) => ({
  type: 'object',
  properties: { ...Object.fromEntries([...'abcdefg'].map((name) => [name, integer])), ...others },
  required,
})
const bases = [['Base', objectWith()]]

test.each([
  ['the same', objectWith(), 'Base'],
  ['another property', objectWith({ x: said }), 'Base & { /** in seconds */ x?: number }'],
  ['a property with a description', objectWith({ g: said }), "Omit<Base, 'g'> & { /** in seconds */ g: number }"],
  ['optional properties', objectWith({}, []), 'Partial<Base>'],
  ['one required property', objectWith({}, ['a']), 'Partial<Base> & { a: number }'],
  ['open', { ...objectWith(), additionalProperties: {} }, expect.stringContaining('a: number; b: number')],
])('An object that differs from a type by this is derived from the type: %s.', (_, schema, type) => {
  expect(printType(deriveSchema(schema, bases), 0, 0)).toEqual(type)
})

test('An object of many properties with one type is a record of their names.', () => {
  const schema = objectWith({ h: integer }, [])
  expect(printType(deriveSchema(schema, []), 0, 0)).toBe(
    "Partial<Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h', number>>",
  )
  expect(printType(deriveSchema(schema, []), 0, 60)).toBe(
    "Partial<Record<\n  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h',\n  number\n>>",
  )
})

test('No two types are derived from each other.', () => {
  const [one, other, larger] = [
    ['A', objectWith()],
    ['B', objectWith()],
    ['A', objectWith({ x: said })],
  ]
  expect([mayDerive(one, other), mayDerive(other, one)]).toEqual([false, true])
  expect([mayDerive(larger, other), mayDerive(other, larger)]).toEqual([true, false])
})
