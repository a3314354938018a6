/**
 * The OpenAPI 3.1 document, derived from the registry and the entry kinds; nothing in it is written twice.
 *
 * How a parameter travels (errors.md section 5) shows as its encoding: a JSON parameter is an `application/json` part
 * of the form or query. Who may call, and which errors have a code of their own, print from the declarations.
 */
import { z } from 'zod'
import { apiFeatureLevel } from '../../domain/limits/limits.js'
import type { EntryKind, EntryKinds } from '../../domain/log/entry-kind.js'
import { closes, errors } from '../../domain/protocol/errors.js'
import { who } from '../http/access-rules.js'
import type { Endpoint, Registry } from '../http/endpoint.js'
import type { Param } from '../http/params.js'
import { rateOf } from '../http/rate-limit.js'

type Json = Record<string, unknown>

/** Builds the document of these endpoints and entry kinds. */
export const openApiDocument = (registry: Registry, kinds: EntryKinds): Json => {
  const events = Object.fromEntries([...kinds.values()].map((kind) => [schemaName(kind), eventSchema(kind)]))
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: String(apiFeatureLevel), description },
    servers: [{ url: '/api/v1' }],
    security: [{ basic: [] }],
    paths: pathsOf(registry),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'The API email address, and the API key as password.' },
      },
      schemas: { Success: success, Error: failure, ...events },
    },
  }
}

const description = [
  'Parameters are form fields in the body or the query of any method; lists, objects, numbers and booleans are JSON',
  'text in one field. Every answer is a JSON object with `result` and `msg`; an error has a `code` too. Parameters',
  'that an endpoint does not know are named in `ignored_parameters_unsupported`.',
  '',
  'The same calls can be made over a WebSocket at `/events`: the frame',
  '`{"req":1,"method":"GET","path":"/users/me","params":{}}` is answered by `{"req":1,"status":200,"body":{…}}`. Other',
  'frames are events, each one of the `Event` schemas below. A socket may end with these codes:',
  '',
  ...Object.values(closes).map(({ code, reason }) => `- ${code}: ${reason}`),
].join('\n')

const success = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { const: '' },
    ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
  },
  required: ['result', 'msg'],
}

const failure = {
  type: 'object',
  properties: { result: { const: 'error' }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['result', 'msg'],
}

const pathsOf = (registry: Registry): Json => {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(registry)) {
    for (const [i, path] of endpoint.paths.entries()) {
      const item = paths[path] ?? (endpoint.site === true ? { servers: [{ url: '/' }] } : {})
      paths[path] = {
        ...item,
        [endpoint.method.toLowerCase()]: operation(i === 0 ? name : `${name}_${i}`, endpoint, i > 0),
      }
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const operation = (operationId: string, endpoint: Endpoint, isOtherName: boolean): Json => {
  const { method, summary, list, rateLimit } = endpoint
  const inPath = list.filter(([, { wire }]) => wire === 'path' || wire === 'rest')
  const fields = list.filter(([, { wire }]) => wire !== 'path' && wire !== 'rest')
  const tag = endpoint.paths[0].split('/')[1] ?? ''
  return {
    operationId,
    summary,
    tags: [tag],
    description: [
      `Who may call: ${who[endpoint.who].title}.`,
      ...(rateLimit === null ? ['Not counted against a rate limit.'] : [`Rate limit: ${rateOf(rateLimit)}.`]),
      ...(endpoint.streams ? ['Not available over a socket.'] : []),
      ...(isOtherName ? [`Another name of ${endpoint.paths[0]}, for existing clients.`] : []),
    ].join('\n\n'),
    ...(isOtherName ? { deprecated: true } : {}),
    ...securityOf(endpoint),
    parameters: [...inPath.map(pathParameter), ...(method === 'GET' ? fields.map(queryParameter) : [])],
    ...(method === 'GET' || fields.length === 0 ? {} : { requestBody: formOf(fields) }),
    responses: responsesOf(endpoint),
  }
}

const securityOf = ({ who: name }: Endpoint): Json => {
  if (name === 'anyone') return { security: [] }
  return name === 'spectator' ? { security: [{}, { basic: [] }] } : {}
}

type Entry = readonly [string, Param]

const pathParameter = ([name, param]: Entry): Json => ({
  name,
  in: 'path',
  required: true,
  ...describedBy(param),
  schema: jsonSchema(param.schema),
})

const queryParameter = ([name, param]: Entry): Json => ({
  name,
  in: 'query',
  required: param.required,
  ...describedBy(param),
  ...(isJsonText(param)
    ? { content: { 'application/json': { schema: valueSchema(param) } } }
    : { schema: valueSchema(param) }),
})

const formOf = (fields: readonly Entry[]): Json => {
  const required = fields.filter(([, param]) => param.required).map(([name]) => name)
  const encoded = fields.filter(([, param]) => isJsonText(param)).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, param]) => [name, { ...valueSchema(param), ...describedBy(param) }]),
    ),
    ...(required.length === 0 ? {} : { required }),
  }
  const encoding = Object.fromEntries(encoded.map((name) => [name, { contentType: 'application/json' }]))
  const media = { schema, ...(encoded.length === 0 ? {} : { encoding }) }
  return {
    required: required.length > 0,
    content: { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media },
  }
}

const describedBy = ({ description, otherName }: Param): Json => {
  const parts = [description, otherName === undefined ? undefined : `also accepted as \`${otherName}\``]
  const text = parts.filter((part) => part !== undefined).join('; ')
  return text === '' ? {} : { description: text }
}

/** Numbers and booleans look the same as JSON and as plain text; lists and objects do not. */
const isJsonText = ({ wire, schema }: Param): boolean => {
  if (wire !== 'json') return false
  const { type } = jsonSchema(schema)
  return type !== 'integer' && type !== 'number' && type !== 'boolean'
}

const valueSchema = (param: Param): Json => ({
  ...jsonSchema(param.schema),
  ...(param.fallback === undefined ? {} : { default: param.fallback }),
})

const responsesOf = (endpoint: Endpoint): Json => {
  const own = endpoint.errors ?? []
  const byStatus = new Map<number, typeof own>()
  for (const error of [...own, ...anyCall(endpoint)])
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  const refused = [...byStatus].map(([status, rows]) => [String(status), errorResponse(rows)] as const)
  const fields = { allOf: [{ $ref: '#/components/schemas/Success' }, jsonSchema(endpoint.response)] }
  return {
    '200': { description: 'The answer.', content: { 'application/json': { schema: fields } } },
    ...Object.fromEntries(refused.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

type Row = NonNullable<Endpoint['errors']>[number]

/** The errors that every call may meet, by who may make it. */
const anyCall = ({ who: name, list, rateLimit }: Endpoint): readonly Row[] => [
  errors.badRequest,
  ...(list.some(([, param]) => param.required && param.wire !== 'path') ? [errors.missing] : []),
  ...(name === 'anyone' ? [] : [errors.notLoggedIn, errors.nonexistentSubdomain]),
  ...(rateLimit === null ? [] : [errors.rateLimitHit]),
]

const errorResponse = (rows: readonly Row[]): Json => ({
  description: rows.map(({ code, msg }) => `${code ?? 'No code'}: ${msg}`).join('\n\n'),
  content: { 'application/json': { schema: { anyOf: rows.map(errorSchema) } } },
})

const errorSchema = ({ code, data }: Row): Json => {
  const { properties = {}, required = [] } = jsonSchema(data) as { properties?: Json; required?: string[] }
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    properties: { ...(code === undefined ? {} : { code: { const: code } }), ...properties },
    required: [...(code === undefined ? [] : ['code']), ...required],
  }
}

const schemaName = ({ kind }: EntryKind): string => `Event.${kind.replace(/[^\w.-]/g, '.')}`

const eventSchema = ({ type, event }: EntryKind): Json => ({
  title: type,
  allOf: [{ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }, jsonSchema(event)],
})

const jsonSchema = (schema: z.ZodType): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  return rest
}
