/**
 * Composes the error text of an invalid parameter.
 *
 * `{v}` in the table of protocol/errors.md 5.2 is the parameter's name with the path into it:
 * `subscriptions[0]["name"]`. Only the first error is reported; for a union, the first error of its first alternative.
 */
import { z } from 'zod'

type Issue = z.core.$ZodIssue

/**
 * Describes an error of a parameter as a sentence for the client. The error is the first of the `issues` that `schema`
 * found in `value`.
 */
export const describeParameterError = (
  name: string,
  schema: z.ZodType,
  value: unknown,
  issues: readonly Issue[],
): string => {
  const [issue] = issues
  if (issue === undefined) return `${name} is not valid.`
  return describeIssue(name, schema, value, issue, [])
}

const describeIssue = (name: string, schema: z.ZodType, value: unknown, issue: Issue, outer: Path): string => {
  const path = [...outer, ...issue.path]
  if (issue.code === 'invalid_union') {
    const inner = issue.errors[0]?.[0]
    if (inner !== undefined) return describeIssue(name, schema, value, inner, path)
  }
  const v = name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('')
  const given = valueAt(value, path)
  if (path.length > 0 && given === undefined) return `${v} is required.`
  switch (issue.code) {
    case 'invalid_type':
      return describeTypeError(v, issue.expected, schemaAt(schema, path))
    case 'invalid_value':
      return `${v} must be one of: ${issue.values.map(String).join(', ')}.`
    case 'too_small':
      if (issue.origin !== 'string') return `${v} is too small.`
      return issue.minimum === 1 ? `${v} must not be blank.` : `${v} is too short.`
    case 'too_big':
      if (issue.origin === 'string') return `${v} may have at most ${issue.maximum} characters.`
      return issue.origin === 'array' ? `${v} may have at most ${issue.maximum} items.` : `${v} is too large.`
    case 'invalid_format':
      return `${v} does not have the required format.`
    case 'unrecognized_keys':
      return `${v} has no key ${issue.keys[0]}.`
    default:
      return `${v} must be ${issueReason(issue)}.`
  }
}

type Path = readonly PropertyKey[]

const describeTypeError = (v: string, expected: string, schema: z.ZodType | undefined): string => {
  switch (expected) {
    case 'int':
      return `${v} must be an integer.`
    case 'number':
      return schema instanceof z.ZodNumber && !schema.isInt ? `${v} must be a number.` : `${v} must be an integer.`
    case 'boolean':
      return `${v} must be true or false.`
    case 'string':
      return `${v} must be text.`
    case 'array':
    case 'tuple':
      return `${v} must be a list.`
    case 'record':
      return `${v} must be an object.`
    case 'object':
      return `${v} must be an object.`
    default:
      return `${v} is of the wrong type.`
  }
}

/** The message of a custom check. zod's message is `Invalid input` when the check gives none. */
const issueReason = ({ message }: Issue): string =>
  message === 'Invalid input' ? 'one of the possible values' : message

const valueAt = (value: unknown, path: Path): unknown => {
  let inner = value
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined
    inner = (inner as Record<PropertyKey, unknown>)[step]
  }
  return inner
}

/** The schema of the value at `path`; undefined when the path cannot be followed through the schemas. */
const schemaAt = (schema: z.ZodType, path: Path): z.ZodType | undefined => {
  const plain = unwrapSchema(schema)
  const [step, ...rest] = path
  if (step === undefined) return plain
  let inner: z.core.$ZodType | undefined
  if (plain instanceof z.ZodArray) inner = plain.element
  else if (plain instanceof z.ZodObject) inner = plain.shape[String(step)]
  else if (plain instanceof z.ZodRecord) inner = plain.valueType
  else if (plain instanceof z.ZodTuple) inner = plain.def.items[Number(step)]
  return inner === undefined ? undefined : schemaAt(inner as z.ZodType, rest)
}

const unwrapSchema = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapSchema(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodUnion) return unwrapSchema(schema.options[0] as z.ZodType)
  return schema
}
