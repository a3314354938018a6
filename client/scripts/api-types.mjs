/**
 * Generates client/src/kernel/api-types.ts from the OpenAPI document.
 *
 * The document has more than a caller needs. The types have, for each endpoint under its first name, one record of all
 * parameters and the answer of a call that succeeded. They have each event under the name of its kind, and the
 * components to which these refer under their names. The parameters of a call have a name where those of another call
 * contain them.
 */
import { deriveSchema, mayDerive, selectBases } from './derived-types.mjs'
import { printDescription, printName, printProperties, printType } from './print-types.mjs'

const HEADER =
  '/** The types of all endpoints and events. Written by `npm run docs` from the OpenAPI document: do not edit. */'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the text of client/src/kernel/api-types.ts. @param document the OpenAPI document of a gateway */
export function generateApiTypes({ paths, components: { schemas } }) {
  const operations = Object.entries(paths)
    .filter(([, item]) => item.servers === undefined)
    .flatMap(([path, item]) => METHODS.filter((method) => isOffered(item[method])).map((method) => [method, path]))
    .map(([method, path]) => [`${method.toUpperCase()} ${path}`, paths[path][method]])
  const events = Object.entries(schemas)
    .filter(([name]) => name.startsWith('Event.'))
    .map(([name, schema]) => [name.slice('Event.'.length), joinParts(schema)])
  const bases = chooseBases(operations, schemas)
  const allOperations = operations.map(([name, operation]) => [
    name,
    deriveSchema(composeOperation(operation, schemas), bases),
  ])
  const allEvents = events.map(([name, schema]) => [name, deriveSchema(schema, bases)])
  const components = Object.fromEntries(
    Object.entries(schemas).map((named) => [
      named[0],
      deriveSchema(
        named[1],
        bases.filter((base) => mayDerive(named, base)),
      ),
    ]),
  )
  return [
    HEADER,
    '/** An object without properties. */\nexport type Nothing = Record<string, never>\n',
    ...listComponents([allOperations, allEvents], components).map((name) => printComponent(name, components[name])),
    `/** The calls: their parameters, and the answer of a call that succeeded. */\n${printRecord('Operations', allOperations)}`,
    `/** The events by their kind. */\n${printRecord('Events', allEvents)}`,
  ].join('\n')
}

/** The components from which others are derived: the named objects, and parameters that another call has too. */
function chooseBases(operations, schemas) {
  const bases = selectBases(schemas).filter(([name]) => !name.startsWith('Event.'))
  const named = bases.filter(([name]) => !isParameters(name))
  const shared = operations.flatMap(([, operation]) => {
    const own = nameParameters(operation)
    const others = bases.filter(([name]) => name !== own)
    const derived = JSON.stringify(deriveSchema(composeOperation(operation, schemas), others))
    return others.filter(([name]) => isParameters(name) && derived.includes(`"${REFERENCE}${name}"`))
  })
  return [...named, ...bases.filter((base) => shared.includes(base))]
}

const REFERENCE = '#/components/schemas/'

const isParameters = (name) => name.startsWith('Params.')

/** The component with the parameters that a call has in its body. */
const nameParameters = ({ requestBody }) => requestBody?.content['application/json'].schema.$ref.slice(REFERENCE.length)

/** One object with the properties of all parts of a schema; the schema itself if a part is no object. */
function joinParts({ description, allOf }) {
  if (!allOf.every(({ properties }) => properties !== undefined)) return { description, allOf }
  return {
    description,
    type: 'object',
    properties: Object.assign({}, ...allOf.map(({ properties }) => properties)),
    required: allOf.flatMap(({ required = [] }) => required),
  }
}

function printComponent(name, schema) {
  const start = `export type ${printName(`${REFERENCE}${name}`)} =`
  const printed = printType(schema, 0, start.length + 1)
  return `${printDescription(schema)}${start}${printed.startsWith('\n') ? '' : ' '}${printed}\n`
}

const isOffered = (operation) => operation !== undefined && operation.deprecated !== true

const record = (entries) => ({
  type: 'object',
  properties: Object.fromEntries(entries),
  required: entries.map(([name]) => name),
})

const printRecord = (name, entries) => `export interface ${name} ${printProperties(record(entries), 0)}\n`

/** The names of the components to which these schemas refer, directly or not, in alphabetical order. */
function listComponents(given, schemas) {
  const names = new Set()
  const visit = (schema) => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue
      names.add(name)
      visit(schemas[name])
    }
  }
  visit(given)
  return [...names].sort((a, b) => (printName(`${REFERENCE}${a}`) < printName(`${REFERENCE}${b}`) ? -1 : 1))
}

function composeOperation(operation, schemas) {
  const { summary, parameters, responses } = operation
  const { properties = {}, required = [] } = schemas[nameParameters(operation)] ?? {}
  const inAddress = parameters.map(({ name, description, schema, content }) => [
    name,
    { ...(schema ?? content['application/json'].schema), ...(description === undefined ? {} : { description }) },
  ])
  const params = {
    type: 'object',
    properties: { ...Object.fromEntries(inAddress), ...properties },
    required: [...parameters.filter((parameter) => parameter.required).map(({ name }) => name), ...required],
  }
  // The first part of an answer is its envelope, which the client library reads and removes.
  const [, result] = responses['200'].content['application/json'].schema.allOf
  return {
    ...record([
      ['params', params],
      ['result', result],
    ]),
    description: summary,
  }
}
