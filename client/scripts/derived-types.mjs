/**
 * Derives the objects of JSON schemas from types that have the same properties, so that each property is read once.
 *
 * 1. An object that has most properties of a type, and not many more, is this type: without those that differ (`Omit`),
 *    or with all of them optional (`Partial`), and together with an object of the others.
 * 2. Nothing is lost: a property that differs in anything, also in what is said about it, is written again.
 * 3. A type is derived from one that has fewer properties, or as many and an earlier name. So there is no circle.
 * 4. An object of many properties that have one type, and no word for any of them, is a `Record` of their names.
 *
 * A derived schema is the intersection (`allOf`) of `{ $ref, omit, partial }` and an object; a record of names is
 * `{ keys, value, partial }` (print-types.mjs).
 */

/** The least number of lines that a derived type saves. */
const LEAST_SAVED = 4
/** The least number of properties of a record of names. */
const LEAST_KEYS = 8

const REFERENCE = '#/components/schemas/'

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a schema is an object with properties, and with no others than these. */
const isObject = ({ properties, additionalProperties }) =>
  properties !== undefined && Object.keys(properties).length > 0 && !additionalProperties

/** The objects among the schemas from which others can be derived. */
export const selectBases = (schemas) => Object.entries(schemas).filter(([, schema]) => isObject(schema))

/** Whether a type may be derived from another (3). */
export function mayDerive([name, { properties }], [base, { properties: ofBase }]) {
  const difference = Object.keys(properties ?? {}).length - Object.keys(ofBase).length
  return difference > 0 || (difference === 0 && base < name)
}

/**
 * Derives a schema and all that it contains (1-4).
 * @param bases from which it may be derived
 */
export function deriveSchema(schema, bases) {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map((part) => deriveSchema(part, bases))
  const inner = { ...schema }
  for (const part of ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'])
    if (part in schema) inner[part] = deriveSchema(schema[part], bases)
  if (!isObject(schema)) return inner
  const { description, default: fallback } = schema
  const said = JSON.parse(JSON.stringify({ description, default: fallback }))
  const parts = deriveObject(schema, bases)
  return parts.length === 1 ? { ...parts[0], ...said } : { ...said, allOf: parts }
}

/** The parts of a derived object. */
function deriveObject(schema, bases) {
  const { properties, required = [] } = schema
  const names = Object.keys(properties)
  const record = findRecord(schema)
  if (record !== undefined) return [record]
  const derivation = findDerivation(schema, bases)
  if (derivation === undefined) {
    const derived = names.map((name) => [name, deriveSchema(properties[name], bases)])
    return [{ type: 'object', properties: Object.fromEntries(derived), required }]
  }
  const { base, covered, omit, partial } = derivation
  const others = names.filter((name) => !covered.includes(name))
  const first = {
    $ref: `${REFERENCE}${base}`,
    ...(omit.length === 0 ? {} : { omit }),
    ...(partial ? { partial } : {}),
  }
  if (others.length === 0) return [first]
  const rest = {
    type: 'object',
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: required.filter((name) => others.includes(name)),
  }
  return [first, ...deriveObject(rest, bases)]
}

/** The record of names that an object is (4). */
function findRecord({ properties, required = [] }) {
  const names = Object.keys(properties)
  const [first] = Object.values(properties)
  if (names.length < LEAST_KEYS || 'description' in first || 'default' in first) return undefined
  if (required.length !== 0 && required.length !== names.length) return undefined
  if (!Object.values(properties).every((property) => same(property, first))) return undefined
  return { keys: names, value: first, ...(required.length === 0 ? { partial: true } : {}) }
}

/** The derivation of an object that saves the most lines. */
function findDerivation(schema, bases) {
  const all = bases.flatMap(([base, { properties, required = [] }]) =>
    [false, true].map((partial) => ({
      base,
      partial,
      ...compare(schema, { properties, required: partial ? [] : required }),
    })),
  )
  const count = Object.keys(schema.properties).length
  const useful = all.filter(
    ({ covered, omit, saved }) => saved >= LEAST_SAVED && covered.length * 2 >= Math.max(count, omit.length * 4),
  )
  return useful.reduce((best, one) => (best === undefined || one.saved > best.saved ? one : best), undefined)
}

/** Compares an object with one from which it could be derived. */
function compare({ properties, required = [] }, { properties: ofBase, required: requiredInBase }) {
  const covered = []
  const omit = []
  for (const [name, property] of Object.entries(ofBase)) {
    const [isRequired, isRequiredInBase] = [required.includes(name), requiredInBase.includes(name)]
    const isSame = name in properties && same(properties[name], property)
    if (isSame && isRequired === isRequiredInBase) covered.push(name)
    // A property that both have, and that must be there in one of them, must be there in their intersection.
    else if (!(isSame && isRequired)) omit.push(name)
  }
  return { covered, omit, saved: covered.length - 1 - omit.length / 2 }
}
