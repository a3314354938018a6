/**
 * Generates client/src/kernel/api-types.ts from the OpenAPI document.
 *
 * The document has more than a caller needs. The types have, for each endpoint under its first name, one record of all
 * parameters and the answer of a call that succeeded. They have each event under the name of its kind.
 */
import { installPackages } from '../../scripts/clone/packages.mjs'

installPackages('client/scripts')
const { default: openapiTS, astToString } = await import('openapi-typescript')

const HEADER = `/**
 * The types of all endpoints and events. Written by \`npm run docs\` from the OpenAPI document: do not edit.
 */
`

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the text of client/src/kernel/api-types.ts. @param document the OpenAPI document of a gateway */
export async function generateApiTypes(document) {
  const operations = Object.entries(document.paths)
    .filter(([, item]) => item.servers === undefined)
    .flatMap(([path, item]) => METHODS.filter((method) => isOffered(item[method])).map((method) => [method, path]))
    .map(([method, path]) => [
      `${method.toUpperCase()} ${path}`,
      composeOperation(document.paths[path][method], document.components.schemas),
    ])
  const events = Object.entries(document.components.schemas)
    .filter(([name]) => name.startsWith('Event.'))
    .map(([name, schema]) => [name.slice('Event.'.length), schema])
  const schemas = { Operations: record(operations), Events: record(events) }
  const reduced = { openapi: document.openapi, info: document.info, paths: {}, components: { schemas } }
  return (
    HEADER +
    astToString(await openapiTS(JSON.parse(JSON.stringify(reduced)), { alphabetize: true, defaultNonNullable: false }))
  )
}

const isOffered = (operation) => operation !== undefined && operation.deprecated !== true

const record = (entries) => ({
  type: 'object',
  properties: Object.fromEntries(entries),
  required: entries.map(([name]) => name),
})

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
