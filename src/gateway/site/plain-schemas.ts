/**
 * JSON schemas in the few words that all generators of clients know: those of OpenAPI 3.0, without what its generators
 * read in different ways.
 *
 * 1. A schema has one type; null is `nullable`. A union of objects is one object with the fields of all of them, of
 *    which those are required that each has. Any other union is a schema without a type, which accepts every value.
 * 2. Every object with named fields is a component: under its name in the OpenAPI 3.1 document, or with a name that is
 *    made from the names of the objects around it.
 * 3. There are no limits, formats of text and defaults: the server checks its parameters, and a client that checks an
 *    answer would refuse that of a newer server. For the same reason answers have no lists of values.
 */
export interface Schema {
  type?: string
  format?: string
  description?: string
  nullable?: true
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | true
  allOf?: Schema[]
  $ref?: string
}

/** A JSON schema as the OpenAPI 3.1 document has it. */
export interface GivenSchema {
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  anyOf?: GivenSchema[]
  allOf?: GivenSchema[]
  items?: GivenSchema | boolean
  prefixItems?: GivenSchema[]
  properties?: Record<string, GivenSchema>
  required?: string[]
  additionalProperties?: GivenSchema | boolean
  $ref?: string
}

export interface PlainSchemas {
  /** Simplifies a schema. @param typeName names its component, unless it refers to one @param isSent by clients */
  simplify(input: GivenSchema, typeName: string, isSent: boolean): Schema
  /** the components so far */
  components: Record<string, Schema>
}

/** Makes a name of a type of the names of its parts, such as `MessageSender`. */
export const composeTypeName = (...parts: string[]): string =>
  parts
    .flatMap((part) => part.split(/[^A-Za-z0-9]+/))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** Components of the OpenAPI 3.1 document, to which `$ref` may point, by name. */
export type GivenSchemas = Record<string, GivenSchema>

/** Simplifies the schema of a parameter that is text, a number or a boolean. Returns undefined for other parameters. */
export const simplifyScalar = (input: GivenSchema, known: GivenSchemas): Schema | undefined => {
  const { forms } = expandForms(input, known)
  const types = new Set(forms.map(typeOf))
  const [type = 'object'] = types
  if (types.size !== 1 || type === 'object' || type === 'array') return undefined
  return composeScalar(type, forms, true)
}

/** Starts a collection of components. */
export const collectPlainSchemas = (known: GivenSchemas): PlainSchemas => {
  const components: Record<string, Schema> = {}

  const simplify = (input: GivenSchema, typeName: string, isSent: boolean): Schema => {
    const name = findTypeName(input) ?? typeName
    const { isNullable, forms } = expandForms(input, known)
    const description = input.description ?? resolve(input, known).description
    const described = description === undefined ? {} : { description }
    if (forms.length > 0 && forms.every(isRecord)) {
      const ref = add(name, mergeRecords(forms), isSent)
      return isNullable ? { allOf: [ref], nullable: true } : ref
    }
    const types = new Set(forms.map(typeOf))
    const [type] = types
    if (type === undefined || types.size > 1) return described
    const schema = simplifyForms(type, forms, name, isSent)
    return schema === undefined ? described : { ...schema, ...described, ...(isNullable ? { nullable: true } : {}) }
  }

  /** Simplifies alternatives of one type that are no objects with fields; undefined for different lists or objects. */
  const simplifyForms = (
    type: string,
    forms: readonly GivenSchema[],
    name: string,
    isSent: boolean,
  ): Schema | undefined => {
    const [form, another] = forms
    if (type !== 'array' && type !== 'object') return composeScalar(type, forms, isSent)
    if (form === undefined || another !== undefined) return undefined
    if (type === 'array') {
      const { items, prefixItems } = form
      return {
        type,
        items: typeof items === 'object' && prefixItems === undefined ? simplify(items, name, isSent) : {},
      }
    }
    const values = typeof form.additionalProperties === 'object' ? form.additionalProperties : {}
    const plain = simplify(values, composeTypeName(name, 'value'), isSent)
    return { type, additionalProperties: Object.keys(plain).length === 0 ? true : plain }
  }

  const add = (name: string, { properties = {}, required = [] }: GivenSchema, isSent: boolean): Schema => {
    const fields = Object.entries(properties).map(
      ([field, schema]) => [field, simplify(schema, composeTypeName(name, field), isSent)] as const,
    )
    const component = {
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(required.length === 0 ? {} : { required: [...required] }),
    }
    const earlier = components[name]
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(component))
      throw new Error(`Two objects have the name ${name}.`)
    components[name] = component
    return { $ref: `#/components/schemas/${name}` }
  }

  return { simplify, components }
}

const composeScalar = (type: string, forms: readonly GivenSchema[], isSent: boolean): Schema => {
  const format = { integer: 'int64', number: 'double' }[type]
  const lists = forms.map(({ enum: values, const: value }) => values ?? (value === undefined ? [] : [value]))
  const hasValues = isSent && type === 'string' && lists.every((list) => list.length > 0)
  return {
    type,
    ...(format === undefined ? {} : { format }),
    ...(hasValues ? { enum: [...new Set(lists.flat())] } : {}),
  }
}

/** Whether a schema is an object with named fields. */
const isRecord = ({ properties }: GivenSchema): boolean =>
  properties !== undefined && Object.keys(properties).length > 0

/** The name at the end of a reference to a component. */
const readName = ($ref: string): string => $ref.split('/').at(-1) ?? ''

/** The component to which a schema refers; the schema itself if it does not. */
export const resolve = (input: GivenSchema, known: GivenSchemas): GivenSchema =>
  input.$ref === undefined ? input : (known[readName(input.$ref)] ?? {})

/** The name of the only component that a schema stands for, maybe beside null. Names with a point are not of types. */
const findTypeName = ({ $ref, anyOf = [] }: GivenSchema): string | undefined => {
  if ($ref !== undefined) return $ref.includes('.') ? undefined : readName($ref)
  const [form, another] = anyOf.filter(({ type }) => type !== 'null')
  return form === undefined || another !== undefined ? undefined : findTypeName(form)
}

/** The alternatives of a schema, in its unions and references, without null. */
const expandForms = (input: GivenSchema, known: GivenSchemas): { isNullable: boolean; forms: GivenSchema[] } => {
  if (input.$ref !== undefined) return expandForms(resolve(input, known), known)
  if (input.allOf !== undefined) {
    const parts = input.allOf.map((part) => expandForms(part, known).forms)
    return { isNullable: false, forms: [joinRecords(parts.map(mergeRecords))] }
  }
  if (input.anyOf !== undefined) {
    const inner = input.anyOf.map((form) => expandForms(form, known))
    return { isNullable: inner.some((each) => each.isNullable), forms: inner.flatMap(({ forms }) => forms) }
  }
  if (input.type === 'null') return { isNullable: true, forms: [] }
  if (!Array.isArray(input.type)) return { isNullable: false, forms: [input] }
  const types = input.type.filter((type) => type !== 'null')
  return { isNullable: types.length < input.type.length, forms: types.map((type) => ({ ...input, type })) }
}

/** One object with the fields of all alternatives. */
const mergeRecords = (forms: readonly GivenSchema[]): GivenSchema => {
  const [first = {}] = forms
  if (forms.length === 1) return first
  const all = Object.assign({}, ...forms.map(({ properties }) => properties)) as Record<string, GivenSchema>
  const properties = Object.fromEntries(
    Object.keys(all).map((name) => {
      const values = forms.flatMap((form) => form.properties?.[name] ?? [])
      const distinct = new Map(values.map((value) => [JSON.stringify(value), value]))
      return [name, distinct.size === 1 ? (values[0] as GivenSchema) : { anyOf: [...distinct.values()] }]
    }),
  )
  return {
    properties,
    required: Object.keys(all).filter((name) => forms.every((form) => form.required?.includes(name))),
  }
}

/** One object with the fields of all parts. */
const joinRecords = (parts: readonly GivenSchema[]): GivenSchema => ({
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  required: [...new Set(parts.flatMap(({ required = [] }) => required))],
})

const typeOf = ({ type, const: value, enum: values }: GivenSchema): string | undefined => {
  if (typeof type === 'string') return type
  const [first = value] = values ?? []
  return first === undefined ? undefined : typeof first === 'number' ? 'integer' : typeof first
}
