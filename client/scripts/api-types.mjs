/**
 * Generates client/src/kernel/api-types.ts from the OpenAPI document.
 *
 * The document has more than a caller needs. The types have, for each endpoint under its first name, one record of all
 * parameters and the answer of a call that succeeded. They have each event under the name of its kind, and the
 * components to which these refer under their names.
 */
import { printDescription, printProperties, printType } from './print-types.mjs'

const HEADER =
  '/** The types of all endpoints and events. Written by `npm run docs` from the OpenAPI document: do not edit. */'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the text of client/src/kernel/api-types.ts. @param document the OpenAPI document of a gateway */
export function generateApiTypes({ paths, components: { schemas } }) {
  const operations = Object.entries(paths)
    .filter(([, item]) => item.servers === undefined)
    .flatMap(([path, item]) => METHODS.filter((method) => isOffered(item[method])).map((method) => [method, path]))
    .map(([method, path]) => [`${method.toUpperCase()} ${path}`, composeOperation(paths[path][method], schemas)])
  const events = Object.entries(schemas)
    .filter(([name]) => name.startsWith('Event.'))
    .map(([name, schema]) => [name.slice('Event.'.length), joinParts(schema)])
  const components = listComponents([operations, events], schemas)
  return [
    HEADER,
    ...components.map((name) => printComponent(name, schemas[name])),
    `/** The calls: their parameters, and the answer of a call that succeeded. */\n${printRecord('Operations', operations)}`,
    `/** The events by their kind. */\n${printRecord('Events', events)}`,
  ].join('\n')
}

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
  const start = `export type ${name} =`
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
  return [...names].sort()
}

function composeOperation({ summary, parameters, requestBody, responses }, schemas) {
  const { $ref = '' } = requestBody?.content['application/json'].schema ?? {}
  const { properties = {}, required = [] } = schemas[$ref.slice('#/components/schemas/'.length)] ?? {}
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
