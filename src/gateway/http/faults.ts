/**
 * The sentence that tells a client what is wrong with a parameter.
 *
 * `{v}` in the table of errors.md section 5.2 is the parameter's name with the path into it:
 * `subscriptions[0]["name"]`. Only the first fault is told; of a union, the first alternative's.
 */
import { z } from 'zod'

type Issue = z.core.$ZodIssue

/** The first of `issues`, found in `value` by `schema`, in words. */
export const faultText = (name: string, schema: z.ZodType, value: unknown, issues: readonly Issue[]): string => {
  const [issue] = issues
  if (issue === undefined) return `Invalid ${name}`
  return describe(name, schema, value, issue, [])
}

const describe = (name: string, schema: z.ZodType, value: unknown, issue: Issue, outer: Path): string => {
  const path = [...outer, ...issue.path]
  if (issue.code === 'invalid_union') {
    const inner = issue.errors[0]?.[0]
    if (inner !== undefined) return describe(name, schema, value, inner, path)
  }
  const v = name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('')
  const given = at(value, path)
  if (path.length > 0 && given === undefined) return `${v} field is missing: Field required`
  switch (issue.code) {
    case 'invalid_type':
      return typeFault(v, issue.expected, schemaAt(schema, path))
    case 'invalid_value':
      return `Invalid ${v}`
    case 'too_small':
      if (issue.origin !== 'string') return `${v} is too small`
      return issue.minimum === 1 ? `${v} cannot be blank` : `${v} is too short.`
    case 'too_big':
      return issue.origin === 'string' ? `${v} is too long (limit: ${issue.maximum} characters)` : `${v} is too large`
    case 'invalid_format':
      return `${v} has invalid format`
    case 'unrecognized_keys':
      return `Argument "${issue.keys[0]}" at ${v}["${issue.keys[0]}"] is unexpected`
    default:
      return `Invalid ${v}: Value error, ${reasonOf(issue)}`
  }
}

type Path = readonly PropertyKey[]

const typeFault = (v: string, expected: string, schema: z.ZodType | undefined): string => {
  switch (expected) {
    case 'int':
      return `${v} is not an integer`
    case 'number':
      return schema instanceof z.ZodNumber && !schema.isInt ? `${v} is not a float` : `${v} is not an integer`
    case 'boolean':
      return `${v} is not a boolean`
    case 'string':
      return `${v} is not a string`
    case 'array':
    case 'tuple':
      return `${v} is not a list`
    case 'record':
      return `${v} is not a dict`
    case 'object':
      return `Invalid ${v}: Input should be an object`
    default:
      return `Invalid ${v}`
  }
}

/** zod says `Invalid input` where a check gave no reason of its own. */
const reasonOf = ({ message }: Issue): string =>
  message === 'Invalid input' ? 'Not in the list of possible values' : message

const at = (value: unknown, path: Path): unknown => {
  let inner = value
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined
    inner = (inner as Record<PropertyKey, unknown>)[step]
  }
  return inner
}

/** The schema that judges what stands at `path`, as far as it can be followed. */
const schemaAt = (schema: z.ZodType, path: Path): z.ZodType | undefined => {
  const plain = unwrapped(schema)
  const [step, ...rest] = path
  if (step === undefined) return plain
  let inner: z.core.$ZodType | undefined
  if (plain instanceof z.ZodArray) inner = plain.element
  else if (plain instanceof z.ZodObject) inner = plain.shape[String(step)]
  else if (plain instanceof z.ZodRecord) inner = plain.valueType
  else if (plain instanceof z.ZodTuple) inner = plain.def.items[Number(step)]
  return inner === undefined ? undefined : schemaAt(inner as z.ZodType, rest)
}

const unwrapped = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodUnion) return unwrapped(schema.options[0] as z.ZodType)
  return schema
}
