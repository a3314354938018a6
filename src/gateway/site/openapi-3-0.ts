/**
 * The OpenAPI 3.0 document for generators of clients, composed from the 3.1 document.
 *
 * It describes the same calls in the plainest way: one schema per answer (plain-schemas.ts), JSON bodies only, lists
 * and objects in the address as JSON text, every call under its first path only, one schema for all refusals, and one
 * for all events. Pages and files for browsers are left out.
 */
import { mapInPieces } from './map-in-pieces.js'
import {
  collectPlainSchemas,
  composeTypeName,
  type GivenSchema,
  type GivenSchemas,
  type PlainSchemas,
  resolve,
  type Schema,
  simplifyScalar,
} from './plain-schemas.js'

type Json = Record<string, unknown>

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema?: GivenSchema
  content?: { 'application/json': { schema: GivenSchema } }
}

interface Operation {
  operationId: string
  deprecated?: true
  summary: string
  description: string
  tags: string[]
  security?: Json[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: GivenSchema } } }
  responses: Record<string, { content?: { 'application/json': { schema: GivenSchema } } }>
}

interface Document {
  info: Json & { description: string }
  tags: Json[]
  /** operations by path and method; a path that is not of the API also has `servers` */
  paths: Record<string, Record<string, Operation>>
  components: { schemas: GivenSchemas }
}

/** Composes the document. @param source the OpenAPI 3.1 document */
export const composeOpenApi30Document = async (source: Json): Promise<Json> => {
  const { info, tags, paths, components } = source as unknown as Document
  const schemas = collectPlainSchemas(components.schemas)
  addEvents(schemas, components.schemas)
  const calls = Object.entries(paths).filter(([, item]) => !('servers' in item))
  const items = await mapInPieces(calls, ([path, item]) => {
    const operations = Object.entries(item).filter(([, { deprecated }]) => deprecated !== true)
    return [
      path,
      Object.fromEntries(
        operations.map(([method, input]) => [method, composeOperation(schemas, components.schemas, method, input)]),
      ),
    ] as const
  })
  return {
    openapi: '3.0.3',
    info: { ...info, description },
    servers: [{ url: 'http://127.0.0.1:9991/api/v1', description: 'The address of your organization, and /api/v1.' }],
    security: [{ basic: [] }],
    tags,
    paths: Object.fromEntries(items.filter(([, operations]) => Object.keys(operations).length > 0)),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'The API email address, and the API key as password.' },
      },
      responses: {
        Refusal: {
          description: 'The call was refused.',
          content: { 'application/json': { schema: refusalReference } },
        },
      },
      schemas: { Refusal: refusal, ...schemas.components },
    },
  }
}

const description = [
  'The form of the API description for programs that generate clients. The complete one is `/api/v1/openapi.json`.',
  '',
  'Where a field accepts values of several types, it has no type here. Parameters in the address that are lists or',
  'objects are JSON text.',
].join('\n')

const refusalReference: Schema = { $ref: '#/components/schemas/Refusal' }
const refusal: Schema = {
  type: 'object',
  description: 'Why a call was refused. `code` is for programs, `msg` for people; some codes have more fields.',
  properties: { result: { type: 'string' }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['result', 'msg'],
}

/** One schema for the events of all types: a generated client reads any list of events with it. */
const addEvents = (schemas: PlainSchemas, input: GivenSchemas): void => {
  const kinds = Object.entries(input).flatMap(([name, schema]) => (name.startsWith('Event.') ? [schema] : []))
  const { $ref } = schemas.simplify({ anyOf: kinds }, 'Event', false)
  const event = schemas.components.Event
  if ($ref === undefined || event === undefined) throw new Error('The events are not objects.')
  event.description = 'An event. `type`, and for some types `op`, says which: it has the fields of that type.'
  // An event of a kind that is not for queues, such as a heartbeat, may lack what all others have.
  event.required = ['id', 'type']
}

const composeOperation = (
  schemas: PlainSchemas,
  known: GivenSchemas,
  method: string,
  { operationId, summary, description: text, tags, security, parameters, requestBody, responses }: Operation,
): Json => {
  const body = requestBody?.content['application/json'].schema
  // A body of DELETE has no meaning in OpenAPI 3.0. The server reads parameters of any method in the address, too.
  const isInAddress = method === 'delete'
  const moved = body !== undefined && isInAddress ? listFields(resolve(body, known)) : []
  return {
    operationId,
    summary,
    description: text,
    tags,
    ...(security?.length === 0 ? { security } : {}),
    parameters: [...parameters, ...moved].map((parameter) => composeParameter(known, parameter)),
    ...(body === undefined || isInAddress
      ? {}
      : {
          requestBody: {
            required: requestBody?.required,
            content: {
              'application/json': { schema: schemas.simplify(body, composeTypeName(operationId, 'body'), true) },
            },
          },
        }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { content }]) => [
        status,
        status === '200' && content !== undefined
          ? composeAnswer(schemas, operationId, content['application/json'].schema)
          : { $ref: '#/components/responses/Refusal' },
      ]),
    ),
  }
}

const listFields = ({ properties = {}, required = [] }: GivenSchema): Parameter[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema.description === undefined ? {} : { description: schema.description }),
  }))

const composeParameter = (
  known: GivenSchemas,
  { name, in: place, required, description: text, schema, content }: Parameter,
): Json => {
  const given = content?.['application/json'].schema ?? schema ?? {}
  // Text, numbers and booleans are the same in an address as in JSON.
  const scalar = simplifyScalar(given, known)
  const described = [...(scalar === undefined ? ['JSON text.'] : []), text ?? given.description ?? ''].join(' ').trim()
  return {
    name,
    in: place,
    required,
    ...(described === '' ? {} : { description: described }),
    schema: scalar ?? { type: 'string' },
  }
}

const composeAnswer = (schemas: PlainSchemas, operationId: string, input: GivenSchema): Json => {
  const schema = schemas.simplify(input, composeTypeName(operationId, 'answer'), false)
  // The complete description declares no more of these events than `id` and `type`.
  const events = schemas.components.GetEventsAnswer?.properties?.events
  if (operationId === 'getEvents' && events !== undefined) {
    delete schemas.components.GetEventsAnswerEvents
    events.items = { $ref: '#/components/schemas/Event' }
  }
  return { description: 'The answer.', content: { 'application/json': { schema } } }
}
