/**
 * The OpenAPI 3.1 document, derived from the declarations of the endpoints and the entry kinds.
 *
 * The wire form of a parameter (protocol/errors.md 5) is its encoding: a JSON parameter is an `application/json` part
 * of the form or query. Access rules and error codes come from the declarations too.
 */
import { apiFeatureLevel } from '../../domain/limits/limits.js'
import { type EntryKind, type EntryKinds, hasEvent } from '../../domain/log/entry-kind.js'
import { closes, errors } from '../../domain/protocol/errors.js'
import { describeLevel, levelKey } from '../../domain/protocol/later-levels.js'
import { accessRules } from '../call/access-rules.js'
import { ackParam, takesAck } from '../call/acknowledge.js'
import type { Endpoint, Registry } from '../call/endpoint.js'
import { requiredScope } from '../call/key-scope.js'
import type { Param } from '../call/params.js'
import { describeRate } from '../fairness/rate-limit.js'
import { composeNamedSchemas, toJsonSchema } from './component-schemas.js'
import { type CallExample, type Examples, noExamples } from './examples.js'
import { mapInPieces } from './map-in-pieces.js'
import { resourceOf, resources } from './resources.js'

type Json = Record<string, unknown>

/** Builds the document of these endpoints and entry kinds. This takes at most about two seconds. */
export const composeOpenApiDocument = async (
  registry: Registry,
  kinds: EntryKinds,
  examples: Examples = noExamples,
): Promise<Json> => {
  const events = await mapInPieces(
    [...kinds.values()].filter(hasEvent),
    (kind) => [schemaName(kind), composeEventSchema(kind, examples.events[kind.kind])] as const,
  )
  const { paths, parameterSchemas } = await composePaths(registry, examples.calls)
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: String(apiFeatureLevel), description },
    servers: [{ url: '/api/v1' }],
    security: [{ basic: [] }, { session: [] }],
    tags: resources.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'The API email address, and the API key as password.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'parley_session',
          description:
            'The cookie of POST /sessions; behind TLS its name is `__Host-parley_session`. Calls that are not a GET also ' +
            'send the header `X-CSRF-Token`.',
        },
      },
      responses: composeSharedResponses(),
      schemas: {
        Success: successSchema,
        Error: errorBaseSchema,
        ...(await composeNamedSchemas()),
        ...Object.fromEntries(events),
        ...parameterSchemas,
      },
    },
  }
}

const description = [
  'Parameters are form fields in the body or the query of any method; lists, objects, numbers and booleans are JSON',
  'text in one field. Every answer is a JSON object with `result` and `msg`; an error has a `code` too. The `msg` of an',
  'error is a sentence in the language of the account, otherwise in that of `Accept-Language`. Parameters',
  'that an endpoint does not know, and settings that it only stores for other clients, are listed in',
  '`ignored_parameters_unsupported`.',
  '',
  'The same calls can be made over a WebSocket at `/events`: the frame',
  '`{"req":1,"method":"GET","path":"/users/me","params":{}}` is answered by `{"req":1,"status":200,"body":{…}}`. Other',
  'frames are events, each one of the `Event` schemas below. The server closes a socket with these codes:',
  '',
  ...Object.values(closes).map(({ code, reason }) => `- ${code}: ${reason}`),
].join('\n')

const successSchema = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { const: '' },
    ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
  },
  required: ['result', 'msg'],
}

const errorBaseSchema = {
  type: 'object',
  properties: { result: { const: 'error' }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['result', 'msg'],
}

/** The operations by path and method, and the parameters that they have in bodies. */
const composePaths = async (
  registry: Registry,
  examples: Examples['calls'],
): Promise<{ paths: Json; parameterSchemas: Json }> => {
  const paths: Record<string, Json> = {}
  const parameterSchemas: Record<string, Json> = {}
  await mapInPieces(Object.entries(registry), ([name, endpoint]) => {
    const fields = bodyFields(endpoint)
    if (fields.length > 0) parameterSchemas[`Params.${name}`] = composeParameterSchema(fields, examples[name]?.params)
    for (const [i, path] of endpoint.paths.entries()) {
      const item = paths[path] ?? (endpoint.site === true ? { servers: [{ url: '/' }] } : {})
      paths[path] = {
        ...item,
        [endpoint.method.toLowerCase()]: composeOperation(name, endpoint, i, examples[name]),
      }
    }
  })
  return { paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))), parameterSchemas }
}

const composeOperation = (name: string, endpoint: Endpoint, pathIndex: number, example?: CallExample): Json => {
  const isAlias = pathIndex > 0
  const { method, summary, list, rateLimit, level } = endpoint
  const inPath = list.filter(([, { wire }]) => wire === 'path' || wire === 'rest')
  const inQuery = method === 'GET' ? list.filter(([, { wire }]) => wire !== 'path' && wire !== 'rest') : []
  return {
    operationId: isAlias ? `${name}_${pathIndex}` : name,
    summary,
    tags: [resourceOf(endpoint.paths[0]).name],
    description: [
      describeCallers(endpoint),
      ...(rateLimit === null ? ['Not counted against a rate limit.'] : [`Rate limit: ${describeRate(rateLimit)}.`]),
      ...(endpoint.streams ? ['Not available over a socket.'] : []),
      ...(level === undefined ? [] : [describeLevel(level)]),
      ...(isAlias ? [`Another name of ${endpoint.paths[0]}, for existing clients.`] : []),
    ].join('\n\n'),
    ...(isAlias ? { deprecated: true } : {}),
    ...(level === undefined ? {} : { [levelKey]: level }),
    ...composeSecurity(endpoint),
    parameters: [
      ...inPath.map((param) => composePathParameter(param, example)),
      ...inQuery.map((param) => composeQueryParameter(param, example)),
    ],
    ...(bodyFields(endpoint).length === 0 ? {} : { requestBody: composeRequestBody(name, endpoint, example) }),
    responses: composeResponses(endpoint, example),
  }
}

const describeCallers = (endpoint: Endpoint): string => {
  const { callers, permission, condition } = endpoint
  const holders = permission === undefined ? '' : `, with the permission \`${permission}\``
  return `Who may call: ${accessRules[callers].title}${holders}.${condition === undefined ? '' : ` ${condition}`}${describeScope(endpoint)}`
}

const describeScope = (endpoint: Endpoint): string => {
  if (endpoint.callers === 'anyone') return ''
  const required = requiredScope(endpoint)
  return required === 'none' ? ' No API key with a name.' : ` The scope of an API key with a name: \`${required}\`.`
}

const composeSecurity = ({ callers: name }: Endpoint): Json => {
  if (name === 'anyone') return { security: [] }
  return name === 'spectator' ? { security: [{}, { basic: [] }] } : {}
}

type NamedParam = readonly [string, Param]

/** The recorded value of a parameter; absent when the example does not send it. */
const composeExample = (name: string, example: CallExample | undefined): Json =>
  example?.params[name] === undefined ? {} : { example: example.params[name] }

const composePathParameter = ([name, param]: NamedParam, example?: CallExample): Json => ({
  name,
  in: 'path',
  required: true,
  ...composeDescription(param),
  schema: toJsonSchema(param.schema),
  ...composeExample(name, example),
})

const composeQueryParameter = ([name, param]: NamedParam, example?: CallExample): Json => ({
  name,
  in: 'query',
  required: param.required,
  ...composeDescription(param),
  ...(isJsonEncoded(param)
    ? { content: { 'application/json': { schema: composeValueSchema(param), ...composeExample(name, example) } } }
    : { schema: composeValueSchema(param), ...composeExample(name, example) }),
})

/** The schema of the parameters in a body. It is a component, because a body can have three forms. */
const composeParameterSchema = (fields: readonly NamedParam[], values: CallExample['params'] = {}): Json => {
  const required = fields.filter(([, param]) => param.required).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, param]) => [
        name,
        {
          ...composeValueSchema(param),
          ...composeDescription(param),
          ...(values[name] === undefined ? {} : { examples: [values[name]] }),
        },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  }
}

const bodyFields = (endpoint: Endpoint): NamedParam[] => {
  const { method, list } = endpoint
  if (method === 'GET') return []
  const own = list.filter(([, { wire }]) => wire !== 'path' && wire !== 'rest')
  return takesAck(endpoint) ? [...own, ['ack', ackParam]] : own
}

const composeRequestBody = (name: string, endpoint: Endpoint, example?: CallExample): Json => {
  const fields = bodyFields(endpoint)
  const encoded = fields.filter(([, param]) => isJsonEncoded(param)).map(([field]) => field)
  const schema = { $ref: `#/components/schemas/Params.${name}` }
  const encoding = Object.fromEntries(encoded.map((field) => [field, { contentType: 'application/json' }]))
  const media = { schema, ...(encoded.length === 0 ? {} : { encoding }) }
  return {
    required: fields.some(([, param]) => param.required),
    content: {
      'application/x-www-form-urlencoded': media,
      'multipart/form-data': media,
      'application/json': { schema, ...(example === undefined ? {} : { example: selectFields(fields, example) }) },
    },
  }
}

const selectFields = (fields: readonly NamedParam[], { params }: CallExample): Json =>
  Object.fromEntries(fields.flatMap(([name]) => (params[name] === undefined ? [] : [[name, params[name]]])))

/** The description of a parameter, in front of that of its schema. */
const composeDescription = ({ description, aliasName, schema }: Param): Json => {
  const parts = [description, aliasName === undefined ? undefined : `also accepted as \`${aliasName}\``]
  const own = parts.filter((part) => part !== undefined).join('; ')
  const text = [own, schema.meta()?.description ?? ''].filter((part) => part !== '').join('. ')
  return text === '' ? {} : { description: text }
}

/** Whether the encoding has to be declared: numbers and booleans are the same as JSON and as plain text. */
const isJsonEncoded = ({ wire, schema }: Param): boolean => {
  if (wire !== 'json') return false
  const { type } = toJsonSchema(schema)
  return type !== 'integer' && type !== 'number' && type !== 'boolean'
}

const composeValueSchema = (param: Param): Json => ({
  ...toJsonSchema(param.schema),
  ...(param.fallback === undefined ? {} : { default: param.fallback }),
})

const composeResponses = (endpoint: Endpoint, example?: CallExample): Json => {
  const own = endpoint.errors ?? []
  const byStatus = new Map<number, typeof own>()
  for (const error of [...own, ...commonErrors(endpoint)])
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  const refused = [...byStatus].map(([status, rows]) => {
    const shared = sharedResponses.find(
      ([, kinds]) => kinds.length === rows.length && kinds.every((kind, i) => kind === rows[i]),
    )
    const response = shared === undefined ? composeErrorResponse(rows) : { $ref: `#/components/responses/${shared[0]}` }
    return [String(status), response] as const
  })
  const fields = { allOf: [{ $ref: '#/components/schemas/Success' }, toJsonSchema(endpoint.response)] }
  const answer = example === undefined ? {} : { example: example.answer }
  return {
    '200': { description: 'The answer.', content: { 'application/json': { schema: fields, ...answer } } },
    ...Object.fromEntries(refused.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

type ErrorDeclaration = NonNullable<Endpoint['errors']>[number]

/** The errors that are possible for every endpoint with the same access rule, parameters and rate limit. */
const commonErrors = ({ callers: name, list, rateLimit }: Endpoint): readonly ErrorDeclaration[] => [
  errors.badRequest,
  ...(list.some(([, param]) => param.required && param.wire !== 'path') ? [errors.missing] : []),
  ...(name === 'anyone' ? [] : [errors.notLoggedIn, errors.nonexistentSubdomain]),
  ...(rateLimit === null ? [] : [errors.rateLimitHit]),
]

/** The answers of most endpoints, as components: they would be a third of the document. */
const sharedResponses: readonly (readonly [name: string, kinds: readonly ErrorDeclaration[]])[] = [
  ['BadRequest', [errors.badRequest]],
  ['BadParameters', [errors.badRequest, errors.missing]],
  ['Unauthorized', [errors.notLoggedIn]],
  ['NoOrganization', [errors.nonexistentSubdomain]],
  ['RateLimited', [errors.rateLimitHit]],
]

const composeSharedResponses = (): Json =>
  Object.fromEntries(sharedResponses.map(([name, kinds]) => [name, composeErrorResponse(kinds)]))

const composeErrorResponse = (rows: readonly ErrorDeclaration[]): Json => ({
  description: rows.map(({ code, msg }) => `${code ?? 'No code'}: ${msg}`).join('\n\n'),
  content: { 'application/json': { schema: { anyOf: rows.map(composeErrorSchema) } } },
})

const composeErrorSchema = ({ code, data }: ErrorDeclaration): Json => {
  const { properties = {}, required = [] } = toJsonSchema(data) as { properties?: Json; required?: string[] }
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    properties: { ...(code === undefined ? {} : { code: { const: code } }), ...properties },
    required: [...(code === undefined ? [] : ['code']), ...required],
  }
}

const schemaName = ({ kind }: EntryKind): string => `Event.${kind.replace(/[^\w.-]/g, '.')}`

const composeEventSchema = ({ type, description, event }: EntryKind, example: unknown): Json => ({
  title: type,
  ...(example === undefined ? {} : { examples: [example] }),
  description,
  allOf: [{ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }, toJsonSchema(event)],
})
