/** Reading parameters: accepted values, and the error for each invalid value. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits/limits.js'
import { ApiError } from '../../src/domain/protocol/errors.js'
import {
  bool,
  declareParams,
  either,
  int,
  intIn,
  json,
  oneOf,
  type Param,
  type Params,
  readParams,
  str,
  text,
} from '../../src/gateway/call/params.js'
import type { Fields } from '../../src/gateway/contract/call-request.js'

/** The values of the parameters, or the body of the error. */
const read = (params: Params, fields: Fields, form: 'text' | 'json' = 'text') => {
  try {
    return readParams(declareParams(params), { fields, encoding: form, path: {} })
  } catch (error) {
    if (error instanceof ApiError) return error.body
    throw error
  }
}

const readValue = (params: Params, fields: Fields, form: 'text' | 'json' = 'text') =>
  (read(params, fields, form) as { values?: { v?: unknown } }).values?.v

const subscriptions = json(
  z.array(
    z.object({ name: text({ max: 5 }), color: z.string().regex(/^#/, 'bad').optional(), on: z.boolean().optional() }),
  ),
)
const hexColor = z.string().refine((value) => value.startsWith('#'), '{name} must be a hex color.')

/** Rows of a table of invalid values. Only the value and the error appear in the test's name. */
const invalidValues = (rows: readonly (readonly [Param, unknown, string])[]) =>
  rows.map(([param, given, msg]) => ({ param, given, msg }))

describe('Form fields', () => {
  test.each([
    ['an integer', int(), '12', 12],
    ['a negative integer', int(), '-3', -3],
    ['zero', int(), '0', 0],
    ['an integer of 15 digits', int(), '999999999999999', 999_999_999_999_999],
    ['the largest integer', int(), '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['a boolean', bool(), 'true', true],
    ['a boolean in Python', bool(), 'True', true],
    ['another one', bool(), 'False', false],
    ['text, without parsing it', str(), '"quoted"', '"quoted"'],
    ['text that looks like JSON', str(), '[1]', '[1]'],
    ['the text null', str().optional(), 'null', 'null'],
    ['empty text', str(), '', ''],
    ['text of the maximum length in code points', str({ max: 2 }), '👩👩', '👩👩'],
    ['a list', json(z.array(z.int())), '[1, 2]', [1, 2]],
    ['a long list', json(z.array(z.int())), JSON.stringify(Array(2_500).fill(7)), Array(2_500).fill(7)],
    ['a long list with a maximum', json(z.array(z.int()).max(2_500)), `[7${',7'.repeat(2_499)}]`, Array(2_500).fill(7)],
    ['a float', json(z.number()), '1.5', 1.5],
    ['a whole float', json(z.number()), '2.0', 2],
    ['an unquoted word of an enumeration', oneOf('add', 'remove'), 'add', 'add'],
    ['a quoted word of an enumeration', oneOf('add', 'remove'), '"add"', 'add'],
    ['a number for a word or number', either(z.union([z.literal('unlimited'), z.int()])), '30', 30],
    [
      'a quoted word for a word or number',
      either(z.union([z.literal('unlimited'), z.int()])),
      '"unlimited"',
      'unlimited',
    ],
    ['an integer of an enumeration', intIn(1, 3), '3', 3],
    ['null for a nullable integer', int().nullable(), 'null', null],
    ['null for nullable text', str().nullable(), 'null', null],
    ['null for an optional integer, as absent', int().optional(), 'null', undefined],
    ['null for a parameter with a default', bool().default(true), 'null', true],
    ['no field for a parameter with a default', bool().default(true), undefined, true],
    ['an object, without its unknown keys', json(z.object({ a: z.int() })), '{"a":1,"b":2}', { a: 1 }],
  ] as const)('A form field accepts %s.', (_, param, given, expected) => {
    expect(readValue({ v: param }, given === undefined ? {} : { v: given })).toEqual(expected)
  })

  test.each(
    invalidValues([
      [int(), 'x', 'v must be valid JSON.'],
      [int(), '"1"', 'v must be an integer.'],
      [int(), '1.0', 'v must be an integer.'],
      [int(), '', 'v must be valid JSON.'],
      [int(), '007', 'v must be valid JSON.'],
      [int(), '１２', 'v must be valid JSON.'],
      [int(), '9007199254740993', 'v is too large.'],
      [int(), '1e2', 'v must be an integer.'],
      [int(), '1.5', 'v must be an integer.'],
      [int(), 'true', 'v must be an integer.'],
      [int(), 'null', 'v must be an integer.'],
      [int(), '99999999999999999999', 'v is too large.'],
      [int({ min: 0 }), '-1', 'v is too small.'],
      [int({ max: 5 }), '6', 'v is too large.'],
      [intIn(1, 2), '9', 'v must be one of the possible values.'],
      [bool(), '1', 'v must be true or false.'],
      [bool(), 'Yes', 'v must be valid JSON.'],
      [int(), 'True', 'v must be an integer.'],
      [json(z.number()), '"x"', 'v must be a number.'],
      [json(z.string()), '5', 'v must be text.'],
      [json(z.array(z.int())), '{}', 'v must be a list.'],
      [json(z.array(z.int())), '[1,"x"]', 'v[1] must be an integer.'],
      [json(z.array(z.number())), '[1,"x"]', 'v[1] must be a number.'],
      [json(z.array(z.string())), 'a,b', 'v must be valid JSON.'],
      [json(z.record(z.string(), z.int())), '3', 'v must be an object.'],
      [json(z.record(z.string(), z.int())), '{"a":"b"}', 'v["a"] must be an integer.'],
      [json(z.object({ a: z.int() })), '3', 'v must be an object.'],
      [json(z.union([z.array(z.int()), z.array(z.string())])), '[true]', 'v[0] must be an integer.'],
      [json(z.union([z.int(), z.object({ a: z.int() })])), '"x"', 'v must be an integer.'],
      [oneOf('add', 'remove'), 'toggle', 'v must be one of: add, remove.'],
      [json(z.literal([1, 2])), '3', 'v must be one of: 1, 2.'],
      [str({ min: 1 }), '', 'v must not be blank.'],
      [str({ min: 2 }), 'a', 'v is too short.'],
      [str({ max: 2 }), '👩👩👩', 'v may have at most 2 characters.'],
      [str({ pattern: /^a+$/ }), 'b', 'v does not have the required format.'],
      [str(), 'a\0b', 'v does not have the required format.'],
      [json(z.array(z.string())), '["a\\u0000"]', 'v does not have the required format.'],
      [json(z.array(z.string())), '["\\ud800"]', 'v must be valid JSON.'],
      [json(z.array(z.int())), JSON.stringify([...Array(2_500).fill(1), 'x']), 'v[2500] must be an integer.'],
      [json(z.array(z.int()).max(1_500)), `["x"${',"x"'.repeat(1_400)}]`, 'v[0] must be an integer.'],
      [json(z.array(z.int()).max(1_500)), `[1${',1'.repeat(1_500)}]`, 'v may have at most 1500 items.'],
      [json(z.unknown()), '['.repeat(100_000) + ']'.repeat(100_000), 'v must be valid JSON.'],
      [json(z.unknown()), `[${'1,'.repeat(250_000)}1]`, 'v must be valid JSON.'],
      [
        json(z.union([z.array(z.int()), z.array(z.string())])),
        JSON.stringify([...Array(2_500).fill(1), true]),
        'v[2500] must be an integer.',
      ],
      [subscriptions, '[{}]', 'v[0]["name"] is required.'],
      [subscriptions, '[{"name":5}]', 'v[0]["name"] must be text.'],
      [subscriptions, '[{"name":"abcdef"}]', 'v[0]["name"] may have at most 5 characters.'],
      [subscriptions, '[{"name":"a","on":1}]', 'v[0]["on"] must be true or false.'],
      [json(hexColor), '"red"', 'v must be a hex color.'],
      [json(z.array(z.strictObject({ a: z.int() }))), '[{"a":1,"x":2}]', 'v[0] has no key x.'],
    ]),
  )('A form field refuses $given → $msg', ({ param, given, msg }) => {
    expect(read({ v: param }, { v: given })).toEqual({ msg, code: 'BAD_REQUEST' })
  })

  test('A form field accepts every list of different ids that fits into a body, and a user for each subscription.', () => {
    const ids = Array.from({ length: limits.max_subscriptions_at_once }, (_, i) => i + 1)
    expect(JSON.stringify(ids).length).toBeGreaterThan(1_048_576)
    expect(readValue({ v: json(z.array(z.int())) }, { v: JSON.stringify(ids) })).toEqual(ids)
  })

  test('A text parameter with allowNul accepts U+0000, for endpoints with their own error.', () => {
    expect(readValue({ v: str().allowNul() }, { v: 'a\0b' })).toBe('a\0b')
  })

  test('A missing required parameter is named in the error.', () => {
    expect(read({ v: int() }, {})).toEqual({
      msg: 'The parameter v is required.',
      var_name: 'v',
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  test('Only the first error is reported, in the order of declaration.', () => {
    expect(read({ a: int(), b: int() }, { b: 'x', a: 'y' })).toMatchObject({ msg: 'a must be valid JSON.' })
    expect(read({ a: int(), b: int() }, { b: 'x' })).toMatchObject({ msg: 'The parameter a is required.' })
  })
})

describe('Parameter aliases', () => {
  const params = { topic: str().optional().alias('subject') }

  test('A parameter can be sent by its alias.', () => {
    expect(read(params, { subject: 'x' })).toEqual({ values: { topic: 'x' }, ignored: [] })
  })

  test('Sending a parameter by both names is refused.', () => {
    expect(read(params, { subject: 'x', topic: 'y' })).toEqual({
      msg: 'topic and subject are two names of one parameter: send one of them.',
      var_name1: 'topic',
      var_name2: 'subject',
      code: 'REQUEST_CONFUSING_VAR',
    })
  })

  test('An error uses the name that the client sent.', () => {
    expect(read({ n: int().alias('number') }, { number: 'x' })).toMatchObject({ msg: 'number must be valid JSON.' })
  })
})

test('Unknown parameters are listed in order, without client.', () => {
  const { ignored } = read({ a: int().optional() }, { zebra: '1', client: 'x', a: '1', apple: '2' }) as {
    ignored: string[]
  }
  expect(ignored).toEqual(['apple', 'zebra'])
})

describe('Values of calls over a socket', () => {
  test.each([
    ['an integer', int(), 12, 12],
    ['an integer as text', int(), '12', 12],
    ['a list as text', json(z.array(z.int())), '[1]', [1]],
    ['text', str(), 'null', 'null'],
    ['a number for text', str(), 5, '5'],
    ['a list for text', str(), [1, 2], '[1,2]'],
    ['a JSON string', json(z.string()), 'plain', 'plain'],
    ['null for a nullable integer', int().nullable(), null, null],
    ['null for optional text, as absent', str().optional(), null, undefined],
    ['a word of an enumeration', oneOf('add', 'remove'), 'add', 'add'],
  ] as const)('A call over a socket accepts %s.', (_, param, given, expected) => {
    expect(readValue({ v: param }, { v: given }, 'json')).toEqual(expected)
  })

  test.each(
    invalidValues([
      [int(), 'x', 'v must be an integer.'],
      [int(), 1.5, 'v must be an integer.'],
      [bool(), 1, 'v must be true or false.'],
      [json(z.array(z.int())), ['x'], 'v[0] must be an integer.'],
      [json(z.array(z.string())), ['a\0'], 'v does not have the required format.'],
    ]),
  )('A call over a socket refuses $given → $msg', ({ param, given, msg }) => {
    expect(read({ v: param }, { v: given }, 'json')).toEqual({ msg, code: 'BAD_REQUEST' })
  })
})
