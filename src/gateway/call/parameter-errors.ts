/**
 * Composes the error text of an invalid parameter.
 *
 * `{v}` in the table of protocol/errors.md 5.2 is the parameter's name with the path into it:
 * `subscriptions[0]["name"]`. Only the first error is reported; for a union, the first error of its first alternative.
 */
import { z } from 'zod'
import { type Sentence, sentence } from '../../domain/languages/texts.js'

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
): Sentence => {
  const [issue] = issues
  if (issue === undefined) return sentence('{name} is not valid.', { name })
  return describeIssue(name, schema, value, issue, [])
}

const describeIssue = (param: string, schema: z.ZodType, value: unknown, issue: Issue, outer: Path): Sentence => {
  const path = [...outer, ...issue.path]
  if (issue.code === 'invalid_union') {
    const inner = issue.errors[0]?.[0]
    if (inner !== undefined) return describeIssue(param, schema, value, inner, path)
  }
  const name = param + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('')
  const given = valueAt(value, path)
  if (path.length > 0 && given === undefined) return sentence('{name} is required.', { name })
  switch (issue.code) {
    case 'invalid_type':
      return describeTypeError(name, issue.expected, schemaAt(schema, path))
    case 'invalid_value':
      return sentence('{name} must be one of: {values}.', { name, values: issue.values.map(String).join(', ') })
    case 'too_small':
      if (issue.origin !== 'string') return sentence('{name} is too small.', { name })
      return issue.minimum === 1
        ? sentence('{name} must not be blank.', { name })
        : sentence('{name} is too short.', { name })
    case 'too_big': {
      const max = Number(issue.maximum)
      if (issue.origin === 'string') return sentence('{name} may have at most {max} characters.', { name, max })
      return issue.origin === 'array'
        ? sentence('{name} may have at most {max} items.', { name, max })
        : sentence('{name} is too large.', { name })
    }
    case 'invalid_format':
      return sentence('{name} does not have the required format.', { name })
    case 'unrecognized_keys':
      return sentence('{name} has no key {key}.', { name, key: issue.keys[0] })
    default:
      return describeCustomCheck(name, issue)
  }
}

type Path = readonly PropertyKey[]

const describeTypeError = (name: string, expected: string, schema: z.ZodType | undefined): Sentence => {
  switch (expected) {
    case 'int':
      return sentence('{name} must be an integer.', { name })
    case 'number':
      return schema instanceof z.ZodNumber && !schema.isInt
        ? sentence('{name} must be a number.', { name })
        : sentence('{name} must be an integer.', { name })
    case 'boolean':
      return sentence('{name} must be true or false.', { name })
    case 'string':
      return sentence('{name} must be text.', { name })
    case 'array':
    case 'tuple':
      return sentence('{name} must be a list.', { name })
    case 'record':
    case 'object':
      return sentence('{name} must be an object.', { name })
    default:
      return sentence('{name} is of the wrong type.', { name })
  }
}

/**
 * Describes the error of a custom check. Its message is a text with `{name}`. zod's message is `Invalid input` when the
 * check gives none.
 */
const describeCustomCheck = (name: string, { message }: Issue): Sentence =>
  message === 'Invalid input'
    ? sentence('{name} must be one of the possible values.', { name })
    : { text: message, values: { name } }

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
