/**
 * Declares, reads and validates the parameters of endpoints.
 *
 * A parameter is declared once, with its schema and its wire form: `text` is literal text; `json` is JSON text in one
 * form field; `either` is literal text if that is valid, else JSON text (for enumerations, which some clients send in
 * quotes); `path` is one segment of the path, and `rest` is the rest of the path. A call over a socket sends JSON
 * values, which are not parsed from text. Source: protocol/errors.md 5.
 */

import { z } from 'zod'
import { type Sentence, sentence } from '../../domain/languages/texts.js'
import { LAST_TIMESTAMP } from '../../domain/limits/timestamps.js'
import { errors } from '../../domain/protocol/errors.js'
import { integerChoice } from '../../domain/settings/integer-choice.js'
import { hasNul, parseJson } from '../body/json-values.js'
import type { Fields } from '../contract/call-request.js'
import { describeParameterError } from './parameter-errors.js'

export type WireForm = 'text' | 'json' | 'either' | 'path' | 'rest'

/** One parameter. `Value` is the type of the value that the handler receives. */
export interface Param<Value = unknown> {
  readonly schema: z.ZodType
  readonly wire: WireForm
  readonly required: boolean
  readonly fallback: unknown
  /** whether null is a value, and does not mean absent (section 5.3) */
  readonly isNullable: boolean
  /** whether U+0000, which Postgres cannot store, is passed to the handler, which has an error of its own for it */
  readonly allowsNul: boolean
  /** a second name, which existing clients send */
  readonly aliasName: string | undefined
  readonly description: string | undefined
  /** whether the server only stores a value: the answer names such a parameter among those without effect */
  readonly isOnlyStored: ((value: unknown) => boolean) | undefined
  optional(): Param<Value | undefined>
  default(value: Value): Param<Value>
  nullable(): Param<Value | null>
  alias(name: string): Param<Value>
  allowNul(): Param<Value>
  describe(text: string): Param<Value>
  onlyStored(isOnlyStored: (value: Value) => boolean): Param<Value>
  /** carries the type for the compiler; never set */
  readonly value?: Value
}

export type Params = Readonly<Record<string, Param>>

type ParamOutput<T> = T extends Param<infer Value> ? Value : never

/** The parameters as the handler receives them. */
export type ParamValues<P extends Params> = { readonly [K in keyof P]: ParamOutput<P[K]> }

type ParamOptions = Omit<
  Param,
  'optional' | 'default' | 'nullable' | 'alias' | 'allowNul' | 'describe' | 'onlyStored' | 'value'
>

const buildParam = <Value>(row: ParamOptions): Param<Value> => ({
  ...row,
  optional: () => buildParam({ ...row, required: false }),
  default: (value) => buildParam({ ...row, required: false, fallback: value }),
  nullable: () => buildParam({ ...row, isNullable: true, schema: row.schema.nullable() }),
  alias: (name) => buildParam({ ...row, aliasName: name }),
  allowNul: () => buildParam({ ...row, allowsNul: true }),
  describe: (text) => buildParam({ ...row, description: text }),
  onlyStored: (isOnlyStored) => buildParam({ ...row, isOnlyStored: isOnlyStored as ParamOptions['isOnlyStored'] }),
})

const declareParam = <S extends z.ZodType>(wire: WireForm, schema: S): Param<z.output<S>> =>
  buildParam({
    wire,
    schema,
    required: true,
    fallback: undefined,
    isNullable: false,
    allowsNul: false,
    aliasName: undefined,
    description: undefined,
    isOnlyStored: undefined,
  })

/** Literal text. Lengths count code points. */
export const str = (limits: TextLimits = {}): Param<string> => declareParam('text', text(limits))

/** Literal text of this schema. */
export const literal = <S extends z.ZodType<string>>(schema: S): Param<z.output<S>> => declareParam('text', schema)

/** An integer, as JSON text: `1`, not `"1"` and not `1.0`. */
export const int = (limits: { min?: number; max?: number } = {}): Param<number> => {
  let schema = z.int()
  if (limits.min !== undefined) schema = schema.min(limits.min)
  if (limits.max !== undefined) schema = schema.max(limits.max)
  return declareParam('json', schema)
}

/** A time in UNIX seconds. */
export const timestamp = (): Param<number> => int({ max: LAST_TIMESTAMP }).describe('UNIX seconds')

/** One of a few integers. */
export const intIn = (...values: number[]): Param<number> => declareParam('json', integerChoice(...values))

/** `true` or `false`; also `True` or `False`, as programs in Python write them. */
export const bool = (): Param<boolean> => declareParam('json', z.boolean())

/** Any other value (a list, an object, a union), as JSON text. */
export const json = <S extends z.ZodType>(schema: S): Param<z.output<S>> => declareParam('json', schema)

/** One of a few words, as literal text or as JSON text. */
export const oneOf = <const W extends readonly [string, ...string[]]>(...words: W): Param<W[number]> =>
  declareParam('either', z.enum(words))

/** Literal text if the schema accepts that, else JSON text. */
export const either = <S extends z.ZodType>(schema: S): Param<z.output<S>> => declareParam('either', schema)

/** Declares the same parameter, or the same schema, under several names. */
export const declareEach = <const N extends readonly string[], P extends Param | z.ZodType>(names: N, declared: P) =>
  Object.fromEntries(names.map((name) => [name, declared])) as Record<N[number], P>

/** A decimal id in the path. A path with anything else in this segment is unknown. */
export const idInPath = (): Param<number> => declareParam('path', z.int())

/** One segment of the path, percent-decoded. */
export const textInPath = (): Param<string> => declareParam('path', z.string())

/** The rest of the path, slashes included. */
export const restInPath = (): Param<string> => declareParam('rest', z.string())

export interface TextLimits {
  min?: number
  max?: number
  pattern?: RegExp
}

/** A string schema whose limits count code points, for use inside JSON values too. */
export const text = ({ min = 0, max, pattern }: TextLimits = {}): z.ZodString => {
  let schema = z.string()
  if (min > 0) schema = schema.min(min)
  if (max !== undefined) {
    schema = schema
      .check((context) => {
        if (context.value.length > max && countCodePoints(context.value) > max) {
          context.issues.push({ code: 'too_big', origin: 'string', maximum: max, input: context.value })
        }
      })
      .meta({ maxLength: max })
  }
  return pattern === undefined ? schema : schema.regex(pattern)
}

const countCodePoints = (value: string): number => {
  let count = 0
  for (const _ of value) count++
  return count
}

/** The declared parameters of an endpoint. */
export interface DeclaredParams {
  /** in the order of their declaration */
  readonly list: readonly (readonly [string, Param])[]
  /** every field name that is read: with aliases and always `client` and `ack`, without path parameters */
  readonly names: ReadonlySet<string>
}

/** Computes once per endpoint what each of its requests needs. */
export const declareParams = (params: Params): DeclaredParams => {
  const list = Object.entries(params)
  const fields = list.filter(([, { wire }]) => wire !== 'path' && wire !== 'rest')
  const names = fields.flatMap(([name, { aliasName }]) => (aliasName === undefined ? [name] : [name, aliasName]))
  return { list, names: new Set([...names, 'client', 'ack']) }
}

export interface ReceivedParams {
  /** the fields of the body and the query, or the `params` of a socket call */
  fields: Fields
  /** whether the fields are text or JSON values */
  encoding: 'text' | 'json'
  /** values from the path, decoded */
  path: Fields
}

/**
 * Reads and validates the parameters in the order of their declaration.
 * @returns their values, and the received names that have no effect, sorted: the endpoint does not know them, or only
 * stores their values
 * Throws the first error: REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR or a BAD_REQUEST of section 5.2.
 */
export const readParams = ({ list, names }: DeclaredParams, received: ReceivedParams) => {
  const { fields, encoding } = received
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [name, param] of list) {
    if (param.wire === 'path' || param.wire === 'rest') {
      values[name] = received.path[name]
      continue
    }
    const used = selectName(name, param, fields)
    values[name] = readValue(used, param, fields[used], encoding)
    if (values[name] !== undefined && param.isOnlyStored?.(values[name]) === true) ignored.push(used)
  }
  for (const name in fields) if (!names.has(name)) ignored.push(name)
  return { values, ignored: ignored.length > 1 ? ignored.sort() : ignored }
}

const selectName = (name: string, { aliasName }: Param, fields: Fields): string => {
  if (aliasName === undefined || fields[aliasName] === undefined) return name
  if (fields[name] !== undefined) throw errors.confusing({ var_name1: name, var_name2: aliasName })
  return aliasName
}

const readValue = (name: string, param: Param, given: unknown, encoding: ReceivedParams['encoding']): unknown => {
  const isAbsent = given === undefined || (!param.isNullable && !param.required && isNull(given, param.wire, encoding))
  if (isAbsent) {
    if (param.required) throw errors.missing({ var_name: name })
    return param.fallback
  }
  const mayHaveNul = !param.allowsNul && (typeof given !== 'string' || /\0|\\u0000/.test(given))
  const candidates = encoding === 'json' ? valueCandidates(given, param) : textCandidates(name, given as string, param)
  let first: Sentence | undefined
  for (const candidate of candidates) {
    if (mayHaveNul && hasNul(candidate)) throw errors.badRequest('{name} does not have the required format.', { name })
    const parsed = parseValue(param.schema, candidate)
    if ('data' in parsed) return parsed.data
    first ??= describeParameterError(name, param.schema, candidate, parsed.issues)
  }
  throw errors.badRequest(first ?? sentence('{name} must be valid JSON.', { name }))
}

/** A long list or map is validated in chunks of this many items. */
const CHUNK_LENGTH = 1_000

type ParsedValue = { data: unknown } | { issues: readonly z.core.$ZodIssue[] }

/**
 * Parses a value by its schema. A long list or map is validated up to the first chunk with an error, because zod makes
 * an object of each error: those of 50,000 items block the process for a tenth of a second.
 */
const parseValue = (schema: z.ZodType, value: unknown): ParsedValue => {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value) && value.length > CHUNK_LENGTH) return parseLongList(schema, value)
    if (schema instanceof z.ZodRecord) {
      if (Object.hasOwn(value, '__proto__')) return parseMapWithProto(schema, value)
      if (isLongMap(value)) return parseLongMap(schema, value)
    }
  }
  return parseWhole(schema, value)
}

const parseWhole = (schema: z.ZodType, value: unknown): ParsedValue => {
  const parsed = schema.safeParse(value)
  return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues }
}

const parseLongList = (schema: z.ZodType, list: readonly unknown[]): ParsedValue => {
  if (schema instanceof z.ZodUnion && !hasChecks(schema)) return parseFirstThatFits(schema, list)
  if (!(schema instanceof z.ZodArray)) return parseWhole(schema, list)
  const most = longestList(schema)
  if (most === undefined) return parseWhole(schema, list)
  // Too long: the error does not depend on the rest of the items.
  if (list.length > most) return parseWhole(schema, list.slice(0, most + 1))
  const chunkSchema = z.array(schema.element as z.ZodType)
  const data: unknown[] = []
  for (let at = 0; at < list.length; at += CHUNK_LENGTH) {
    const parsed = parseWhole(chunkSchema, list.slice(at, at + CHUNK_LENGTH))
    if ('issues' in parsed) {
      const shiftPath = ([first, ...rest]: readonly PropertyKey[]) => [at + Number(first), ...rest]
      return { issues: parsed.issues.map((issue) => ({ ...issue, path: shiftPath(issue.path) })) }
    }
    for (const item of parsed.data as unknown[]) data.push(item)
  }
  return { data }
}

const hasChecks = (schema: z.ZodType): boolean => (schema.def.checks ?? []).length > 0

/** The `max` of a list that has no other checks; undefined: it has others, so only the whole list can be validated. */
const longestList = (schema: z.ZodArray): number | undefined => {
  if (!hasChecks(schema)) return Number.POSITIVE_INFINITY
  const { maximum } = schema._zod.bag as { maximum?: number }
  return schema.def.checks?.length === 1 ? maximum : undefined
}

/** The result of the first alternative that the list fits; the issues of the first one if it fits none. */
const parseFirstThatFits = (schema: z.ZodUnion, list: readonly unknown[]): ParsedValue => {
  let first: ParsedValue | undefined
  for (const option of schema.options) {
    const parsed = parseLongList(option as z.ZodType, list)
    if ('data' in parsed) return parsed
    first ??= parsed
  }
  return first ?? parseWhole(schema, list)
}

const isLongMap = (value: object): boolean => {
  let count = 0
  for (const _ in value) if (++count > CHUNK_LENGTH) return true
  return false
}

const parseLongMap = (schema: z.ZodRecord, map: object): ParsedValue => {
  if (hasChecks(schema)) return parseWhole(schema, map)
  const entries = Object.entries(map)
  const data: [string, unknown][] = []
  for (let at = 0; at < entries.length; at += CHUNK_LENGTH) {
    const parsed = parseWhole(schema, Object.fromEntries(entries.slice(at, at + CHUNK_LENGTH)))
    if ('issues' in parsed) return parsed
    data.push(...Object.entries(parsed.data as object))
  }
  return { data: Object.fromEntries(data) }
}

/** The name under which the key `__proto__` is validated, which zod leaves out. Postgres stores no key with NUL. */
const STAND_IN = '\0__proto__'

/** Parses a map with a key of its own that is called `__proto__`: it is a key as any other. */
const parseMapWithProto = (schema: z.ZodRecord, map: object): ParsedValue => {
  const rename = (value: object, from: string, to: string) =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key === from ? to : key, item]))
  const parsed = parseValue(schema, rename(map, '__proto__', STAND_IN))
  if ('data' in parsed) return { data: rename(parsed.data as object, STAND_IN, '__proto__') }
  const nameKey = (key: PropertyKey) => (key === STAND_IN ? '__proto__' : key)
  return { issues: parsed.issues.map((issue) => ({ ...issue, path: issue.path.map(nameKey) })) }
}

/** Some clients send the text `null` for an absent value. In literal text `null` is an ordinary word. */
const isNull = (given: unknown, wire: WireForm, encoding: ReceivedParams['encoding']): boolean =>
  encoding === 'json' ? given === null : given === 'null' && wire !== 'text'

/** The possible values of a form field, in the order in which they are tried. */
const textCandidates = (name: string, given: string, param: Param): Iterable<unknown> => {
  if (param.wire === 'text') return [param.isNullable && given === 'null' ? null : given]
  if (param.wire === 'either') return eitherCandidates(given)
  const id = parseDigits(given)
  if (id !== undefined) return [id]
  const value = parseJsonOrWord(given)
  if (value === undefined) throw errors.badRequest('{name} must be valid JSON.', { name })
  // JSON.parse reads 1.0 and 1e0 as the integer 1.
  if (Number.isInteger(value) && !/^\s*-?\d+\s*$/.test(given)) {
    if (!param.schema.safeParse(0.5).success) throw errors.badRequest('{name} must be an integer.', { name })
  }
  return [value]
}

const [ZERO, NINE] = [0x30, 0x39]
/** Numbers with so many digits are exact. */
const MAX_DIGITS = 15

/** The integer of a text of digits; undefined: it is another JSON text, or none. Most of them are ids and cursors. */
const parseDigits = (source: string): number | undefined => {
  if (source === '' || source.length > MAX_DIGITS || (source.length > 1 && source.charCodeAt(0) === ZERO))
    return undefined
  let value = 0
  for (let at = 0; at < source.length; at++) {
    const character = source.charCodeAt(at)
    if (character < ZERO || character > NINE) return undefined
    value = 10 * value + character - ZERO
  }
  return value
}

/** The text is parsed only if it is no valid value itself: `JSON.parse` throws for most words. */
function* eitherCandidates(given: string): Iterable<unknown> {
  yield given
  const value = parseJsonOrWord(given)
  if (value !== undefined) yield value
}

/** The value of a JSON text, or of the word for a truth value in another spelling; undefined: it is neither. */
const parseJsonOrWord = (given: string): unknown => {
  const value = parseJson(given)
  if (value !== undefined || !/^(true|false)$/i.test(given)) return value
  return given.toLowerCase() === 'true'
}

/** The possible values of a parameter in a JSON body or a socket call: the value, or that of its text as JSON. */
function* valueCandidates(given: unknown, { wire }: Param): Iterable<unknown> {
  if (wire === 'text') {
    yield typeof given === 'string' || given === null ? given : JSON.stringify(given)
    return
  }
  yield given
  const value = typeof given === 'string' ? parseJsonOrWord(given) : undefined
  if (value !== undefined) yield value
}
