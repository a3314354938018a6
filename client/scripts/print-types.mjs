/**
 * Prints JSON schemas as types of TypeScript.
 *
 * 1. A type is in one line where it fits; the descriptions of its properties are comments in this line.
 * 2. In a line of its own, a property that is no object has its description before it, where that fits. All other
 *    descriptions are above what they describe.
 * 3. An object without properties has the type of a map of its values, or `Nothing`, which the file with the types
 *    declares.
 * 4. The names of a record, and those that a type leaves out, fill their lines.
 */
const WIDTH = 120

/** Prints a type. @param indent spaces before the line @param column the length of the line before the type */
export function printType(schema, indent, column) {
  const line = printInLine(schema)
  if (column + line.length <= WIDTH) return line
  const { type, items, additionalProperties, omit, keys } = schema
  if (omit !== undefined || keys !== undefined) return printNames(schema, indent)
  const whole = listParts(schema)
  if (whole !== undefined) return printParts(whole, indent, column)
  if (type === 'array' && items) return `${wrap(items, printType(items, indent, column + '[]'.length))}[]`
  if (hasProperties(schema)) return printProperties(schema, indent)
  if (isMap(schema))
    return `Record<string, ${printType(additionalProperties, indent, column + 'Record<string, >'.length)}>`
  return line
}

/** Prints the properties of an object, each in a line of its own. */
export function printProperties({ properties, required = [], additionalProperties }, indent) {
  const inner = indent + 2
  const space = ' '.repeat(inner)
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = `${printKey(name, required)}:`
    const printed = printType(schema, inner, inner + key.length + 1)
    const property = `${key}${printed.startsWith('\n') ? '' : ' '}${printed}`
    const line = `${space}${printComment(schema)}${property}`
    const isInLine = line.length <= WIDTH && !printed.includes('{')
    return isInLine ? `${line}\n` : `${printDescription(schema, inner)}${space}${property}\n`
  })
  const rest = isOpen(additionalProperties) ? `${space}${REST}\n` : ''
  return `{\n${lines.join('')}${rest}${' '.repeat(indent)}}`
}

/** Prints what is said about a schema as a comment; nothing if nothing is said. */
export function printDescription(schema, indent = 0) {
  const text = describe(schema)
  if (text === '') return ''
  const space = ' '.repeat(indent)
  const line = `${space}/** ${text} */`
  if (line.length <= WIDTH) return `${line}\n`
  const lines = [`${space} *`]
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + 1 + word.length > WIDTH) lines.push(`${space} *`)
    lines.push(`${lines.pop()} ${word}`)
  }
  return `${space}/**\n${lines.join('\n')}\n${space} */\n`
}

/** The other properties that an object may have. */
const REST = '[name: string]: unknown'

const describe = ({ description = '', default: fallback }) => {
  if (fallback === undefined) return description
  return `${description === '' ? '' : `${description.replace(/\.$/, '')}; `}default: ${JSON.stringify(fallback)}`
}

const printComment = (schema) => (describe(schema) === '' ? '' : `/** ${describe(schema)} */ `)

const hasProperties = ({ properties = {} }) => Object.keys(properties).length > 0

/** Whether an object may have properties without a name here. */
const isOpen = (additionalProperties) => typeof additionalProperties === 'object' || additionalProperties === true

const isMap = ({ type, additionalProperties }) => type === 'object' && isOpen(additionalProperties)

const printKey = (name, required) =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : printText(name)}${required.includes(name) ? '' : '?'}`

const printText = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const printValue = (value) => (typeof value === 'string' ? printText(value) : JSON.stringify(value))

/** The parts of a union or of an intersection; undefined: the schema is neither. */
const listParts = ({ anyOf, oneOf, allOf, enum: values, type }) => {
  if (allOf !== undefined) return { operator: '&', parts: allOf }
  const types = Array.isArray(type) ? type.map((each) => ({ type: each })) : undefined
  const parts = anyOf ?? oneOf ?? values?.map((value) => ({ const: value })) ?? types
  return parts && { operator: '|', parts }
}

/** Prints the parts of a union in lines of their own; those of an intersection one after the other. */
function printParts({ operator, parts }, indent, column) {
  if (operator === '&') {
    return parts.reduce((before, part) => {
      const start = before === '' ? '' : `${before} & `
      const last = start.split('\n').at(-1)
      const at = start.includes('\n') ? last.length : column + last.length
      return `${start}${wrap(part, printType(part, indent, at), operator)}`
    }, '')
  }
  const start = `\n${' '.repeat(indent + 2)}| `
  const inner = indent + 4
  return parts.map((part) => `${start}${wrap(part, printType(part, inner, inner), operator)}`).join('')
}

/** Prints a record of names, or a type that leaves out some, with the names in lines of their own (4). */
function printNames(schema, indent) {
  const { $ref, omit, keys, value } = schema
  const lines = ['']
  for (const name of keys ?? omit) {
    const next = ` | ${printText(name)}`
    if (indent + 1 + lines.at(-1).length + next.length > WIDTH) lines.push('')
    lines.push(`${lines.pop()}${next}`)
  }
  const names = lines.map((line) => `${' '.repeat(indent + 1)}${line}`).join('\n')
  const [start, end] = keys
    ? ['Record<', `,\n${' '.repeat(indent + 2)}${printInLine(value)}`]
    : [`Omit<${printName($ref)},`, '']
  return printPartial(schema, `${start}\n${names}${end}\n${' '.repeat(indent)}>`)
}

const printPartial = ({ partial }, printed) => (partial ? `Partial<${printed}>` : printed)

/** Prints the name of a component. The parameters of a call have that of the call, such as `CreateChannelParams`. */
export function printName($ref) {
  const name = $ref.slice('#/components/schemas/'.length)
  return name.replace(/^Params\.(.)(.*)$/, (_, first, rest) => `${first.toUpperCase()}${rest}Params`)
}

/** Puts a union or an intersection into parentheses, where it is an item of a list or a part of the other. */
function wrap(schema, printed, operator) {
  const { operator: own, parts = [] } = listParts(schema) ?? {}
  return parts.length < 2 || own === operator ? printed : `(${printed})`
}

function printInLine(schema) {
  const { $ref, const: value, type, items, prefixItems, properties, required = [], additionalProperties } = schema
  const { omit, keys } = schema
  const names = (keys ?? omit)?.map(printText).join(' | ')
  if (keys !== undefined) return printPartial(schema, `Record<${names}, ${printInLine(schema.value)}>`)
  if (omit !== undefined) return printPartial(schema, `Omit<${printName($ref)}, ${names}>`)
  if ($ref !== undefined) return printPartial(schema, printName($ref))
  if (value !== undefined) return printValue(value)
  const whole = listParts(schema)
  if (whole !== undefined) {
    const printed = whole.parts.map((part) => wrap(part, printInLine(part), whole.operator))
    return [...new Set(printed)].join(` ${whole.operator} `)
  }
  if (prefixItems !== undefined) return `[${prefixItems.map(printInLine).join(', ')}]`
  if (type === 'array') return items ? `${wrap(items, printInLine(items))}[]` : 'unknown[]'
  if (hasProperties(schema)) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${printComment(field)}${printKey(name, required)}: ${printInLine(field)}`,
    )
    return `{ ${[...fields, ...(isOpen(additionalProperties) ? [REST] : [])].join('; ')} }`
  }
  if (isMap(schema)) return `Record<string, ${printInLine(additionalProperties)}>`
  if (type === 'object') return 'Nothing'
  return type === 'integer' ? 'number' : (type ?? 'unknown')
}
