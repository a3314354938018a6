/** The OpenAPI document, which is derived from the registry: it is valid and describes how calls are read. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { escapeCode } from '../../src/domain/html/html.js'
import { errors } from '../../src/domain/protocol/errors.js'
import { registry } from '../../src/gateway/api/index.js'
import { endpoint, type Registry } from '../../src/gateway/call/endpoint.js'
import { bool, idInPath, int, json, oneOf, str } from '../../src/gateway/call/params.js'
import { renderErrorsPage } from '../../src/gateway/site/errors-page.js'
import { renderEventsPage } from '../../src/gateway/site/events-page.js'
import { readExamples } from '../../src/gateway/site/examples.js'
import { composeOpenApiDocument } from '../../src/gateway/site/openapi.js'
import { composeOpenApi30Document } from '../../src/gateway/site/openapi-3-0.js'
import { resourceOf, resources } from '../../src/gateway/site/resources.js'

/** A document, in which the tests look up any path. */
interface Tree {
  [name: string]: Tree
}

const createDocument = async (from: Registry) =>
  (await composeOpenApiDocument(from, entryKinds, await readExamples())) as unknown as Tree

/** Returns the node at a path of names, which must exist. */
const nodeAt = (tree: Tree | undefined, ...names: string[]): Tree => {
  let inner = tree
  for (const name of names) inner = inner?.[name]
  if (inner === undefined) throw new Error(`nothing at ${names.join(' → ')}`)
  return inner
}

const message = z.object({ id: z.int() })
const example = {
  react: endpoint({
    method: 'POST',
    path: ['/messages/{message_id}/reactions', '/old/{message_id}/reactions'],
    summary: 'Reacts to a message.',
    callers: 'member',
    permission: 'can_create_groups',
    condition: 'The caller can read the message.',
    params: {
      message_id: idInPath(),
      emoji_name: str({ max: 5 }).describe('the name of it').alias('emoji'),
      kind: oneOf('a', 'b').default('a'),
      ids: json(z.array(z.int())).optional(),
    },
    response: z.object({}),
    errors: [errors.reactionAlreadyExists, errors.badEventQueueId],
    handle: () => ({}),
  }),
  listMessages: endpoint({
    method: 'GET',
    path: '/messages',
    summary: 'Looks at messages.',
    callers: 'spectator',
    params: { anchor: str(), num: int({ min: 0 }).default(5), narrow: json(z.array(message)).optional(), deep: bool() },
    response: z.object({ messages: z.array(message) }),
    handle: () => ({ messages: [] }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/server_settings',
    summary: 'Tells what this is.',
    callers: 'anyone',
    params: {},
    response: z.object({}),
    rateLimit: null,
    handle: () => ({}),
  }),
}

const document = await createDocument(registry)

describe('The OpenAPI document', () => {
  test('The document is valid OpenAPI 3.1.', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, '3.1'])
  })

  test('The document has every endpoint of the registry under each of its paths.', () => {
    for (const [name, { method, paths }] of Object.entries(registry)) {
      for (const path of paths)
        expect(nodeAt(document, 'paths', path, method.toLowerCase(), 'operationId')).toContain(name)
    }
  })

  test('The document has the schema of every event.', () => {
    const schemas = Object.keys(nodeAt(document, 'components', 'schemas')).filter((name) => name.startsWith('Event.'))
    const described = [...entryKinds.values()].filter(({ event }) => event.type !== 'never')
    expect(schemas).toHaveLength(described.length)
    expect(schemas).toContain('Event.message')
    // Entries without an event are not described.
    expect(schemas).not.toContain('Event.tick')
  })

  test('Every reference in the document points to one of its schemas.', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      expect(nodeAt(document, 'components')).toHaveProperty((name as string).split('/'))
    }
  })

  test('An object with three properties that the document has at several places is a component with a name.', () => {
    const counts = new Map<string, number>()
    const visit = (schema: Tree) => {
      const fields = schema.properties ?? {}
      const text = JSON.stringify(fields)
      if (Object.keys(fields).length > 2) counts.set(text, (counts.get(text) ?? 0) + 1)
      visitParts(schema)
    }
    const visitParts = ({ properties = {}, items, additionalProperties, anyOf = {}, allOf = {} }: Tree) => {
      const inner = [properties, anyOf, allOf].flatMap((each) => Object.values(each))
      for (const each of [items, additionalProperties, ...inner]) if (typeof each === 'object') visit(each)
    }
    const operations = Object.values(nodeAt(document, 'paths')).flatMap((item) => Object.values(item))
    for (const { operationId, deprecated, responses, parameters = {} } of operations) {
      if (operationId === undefined || deprecated) continue
      for (const { schema, content } of Object.values(parameters))
        visit(schema ?? nodeAt(content, 'application/json', 'schema'))
      visitParts(nodeAt(responses, '200', 'content', 'application/json', 'schema'))
    }
    for (const schema of Object.values(nodeAt(document, 'components', 'schemas'))) visitParts(schema)
    expect([...counts].filter(([, count]) => count > 1).map(([text]) => text)).toEqual([])
  })

  test('Every component with a name is used.', () => {
    const names = Object.keys(nodeAt(document, 'components', 'schemas')).filter((name) => !name.includes('.'))
    expect(names).toEqual(expect.arrayContaining(['Message', 'User', 'Channel', 'Subscription', 'UserGroup']))
    const text = JSON.stringify(document)
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([])
  })
})

describe('The document for generators', async () => {
  const plain = (await composeOpenApi30Document(document)) as unknown as Tree

  test('It is valid OpenAPI 3.0, and each of its references points to one of its components.', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(plain))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, '3.0'])
    for (const [, name] of JSON.stringify(plain).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      expect(nodeAt(plain, 'components')).toHaveProperty((name as string).split('/'))
    }
  })

  test('It has every call of the API once, with one form of its body and one schema of its answer.', () => {
    const expected = Object.entries(registry as Registry).filter(([, { site }]) => site !== true)
    for (const [name, { method, paths }] of expected) {
      const operation = nodeAt(plain, 'paths', paths[0], method.toLowerCase())
      expect(operation.operationId).toBe(name)
      const answer = nodeAt(operation, 'responses', '200', 'content', 'application/json', 'schema')
      expect(Object.keys(answer)).toEqual(['$ref'])
      if (operation.requestBody === undefined) continue
      expect(method).not.toBe('DELETE')
      expect(Object.keys(nodeAt(operation, 'requestBody', 'content'))).toEqual(['application/json'])
    }
    const operations = Object.values(nodeAt(plain, 'paths')).flatMap((item) => Object.keys(item))
    expect(operations).toHaveLength(expected.length)
  })

  test('Its schemas have only words that all generators know, and each has one type or none.', () => {
    const visit = (schema: Tree): Tree[] => {
      const { properties = {}, items, additionalProperties, allOf = {} } = schema
      const inner = [...Object.values(properties), items, additionalProperties, ...Object.values(allOf)]
      return [schema, ...inner.filter((each) => typeof each === 'object').flatMap(visit)]
    }
    const schemas = Object.values(nodeAt(plain, 'components', 'schemas')).flatMap(visit)
    const inAddress = Object.values(nodeAt(plain, 'paths'))
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters = {} }) => Object.values(parameters).map(({ schema }) => schema as Tree))
    expect(new Set(inAddress.map(({ type }) => type as unknown))).toEqual(new Set(['string', 'integer', 'boolean']))
    const words = new Set([...schemas, ...inAddress].flatMap((schema) => Object.keys(schema)))
    const composed = ['$ref', 'additionalProperties', 'allOf', 'items', 'properties', 'required']
    const scalar = ['description', 'enum', 'format', 'nullable', 'type']
    expect([...composed, ...scalar]).toEqual(expect.arrayContaining([...words]))
    const types = new Set(schemas.map(({ type }) => type as unknown))
    const all = [undefined, 'array', 'boolean', 'integer', 'number', 'object', 'string']
    expect(types).toEqual(new Set(all))
  })

  test('Its objects have the names that they have in the other document.', () => {
    const { Message, User, GetUserAnswer } = nodeAt(plain, 'components', 'schemas')
    expect([typeof Message, typeof User]).toEqual(['object', 'object'])
    expect(nodeAt(GetUserAnswer, 'properties', 'user')).toEqual({ $ref: '#/components/schemas/User' })
  })

  test('Its events have the fields of all types of events, and none but two are required.', () => {
    const event = nodeAt(plain, 'components', 'schemas', 'Event')
    expect(event.required).toEqual(['id', 'type'])
    expect(nodeAt(event, 'properties')).toMatchObject({
      op: { type: 'string' },
      message: { $ref: '#/components/schemas/EventMessage' },
      user_id: { type: 'integer', format: 'int64' },
      // It has another type in each event of a setting.
      value: {},
    })
    const events = nodeAt(plain, 'components', 'schemas', 'GetEventsAnswer', 'properties', 'events')
    expect(events).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Event' } })
  })
})

const exampleDocument = await createDocument(example)

describe('Operations', () => {
  const paths = nodeAt(exampleDocument, 'paths')
  const react = nodeAt(paths, '/messages/{message_id}/reactions', 'post')
  const look = nodeAt(paths, '/messages', 'get')
  const settings = nodeAt(paths, '/server_settings', 'get')
  const form = nodeAt(react, 'requestBody', 'content', 'application/x-www-form-urlencoded')

  test('An operation says who may call: by the access rule, the permission and the condition of the endpoint.', () => {
    const starting = (text: string) => ({ description: expect.stringMatching(new RegExp(`^Who may call: ${text}\n`)) })
    expect(react).toMatchObject(
      starting(
        'Every account but guests and bots, with the permission `can_create_groups`. The caller can read the message. The scope of an API key with a name: `administer`.',
      ),
    )
    expect(settings).toMatchObject(starting('Anyone: credentials are not read.'))
  })

  test('An operation describes how each parameter is sent.', () => {
    expect(react.parameters).toEqual([
      { name: 'message_id', in: 'path', required: true, schema: expect.objectContaining({ type: 'integer' }) },
    ])
    expect(form.schema).toEqual({ $ref: '#/components/schemas/Params.react' })
    const fields = nodeAt(exampleDocument, 'components', 'schemas', 'Params.react')
    expect(fields.required).toEqual(['emoji_name'])
    expect(nodeAt(fields, 'properties', 'emoji_name')).toMatchObject({
      type: 'string',
      maxLength: 5,
      description: 'the name of it; also accepted as `emoji`',
    })
    expect(nodeAt(fields, 'properties', 'kind')).toMatchObject({ enum: ['a', 'b'], default: 'a' })
    expect(form.encoding).toEqual({
      ids: { contentType: 'application/json' },
      ack: { contentType: 'application/json' },
    })
    const [anchor, num, narrow, deep] = Object.values(nodeAt(look, 'parameters'))
    expect(anchor).toMatchObject({ in: 'query', required: true, schema: { type: 'string' } })
    expect(num).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', minimum: 0, default: 5 } })
    expect(nodeAt(narrow, 'content', 'application/json', 'schema')).toMatchObject({ type: 'array' })
    expect(deep?.schema).toEqual({ type: 'boolean' })
  })

  test('An operation describes which callers may call it.', () => {
    expect(react.description).toContain('Every account but guests and bots')
    expect(react).not.toHaveProperty('security')
    expect(look.security).toEqual([{}, { basic: [] }])
    expect(settings.security).toEqual([])
  })

  test('An operation lists its declared errors with their fields.', () => {
    const anyOf = nodeAt(react, 'responses', '400', 'content', 'application/json', 'schema', 'anyOf')
    expect(nodeAt(anyOf, '0', 'properties', 'code')).toEqual({ const: 'REACTION_ALREADY_EXISTS' })
    expect(nodeAt(anyOf, '1', 'required')).toEqual(['code', 'queue_id'])
    expect(Object.keys(nodeAt(react, 'responses'))).toEqual(['200', '400', '401', '404', '429'])
    expect(Object.keys(nodeAt(settings, 'responses'))).toEqual(['200', '400'])
  })

  test('An operation under an older path is marked as deprecated.', () => {
    const other = nodeAt(paths, '/old/{message_id}/reactions', 'post')
    expect(other).toMatchObject({ deprecated: true, operationId: 'react_1' })
  })
})

test('A gateway serves other requests while it composes the document.', async () => {
  let turns = 0
  let isComposing = true
  const count = () => {
    turns += 1
    if (isComposing) setImmediate(count)
  }
  setImmediate(count)
  await createDocument(registry)
  isComposing = false
  expect(turns).toBeGreaterThan(Object.keys(registry).length)
})

test('Every resource of the reference has endpoints, and the operations are grouped by resource.', () => {
  const used = new Set(Object.values(registry).map(({ paths }) => resourceOf(paths[0]).name))
  expect(resources.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  expect(nodeAt(document, 'paths', '/messages/flags', 'post').tags).toEqual(['Flags'])
})

test('The pages of events and errors have a section for each, and load no script or external resource.', async () => {
  const { html: events } = await renderEventsPage(document)
  const { html: failures } = renderErrorsPage(registry)
  for (const { kind, description: text } of entryKinds.values()) {
    if (text === undefined) continue
    expect(events).toContain(`id="${kind.replace('/', '.')}"`)
    expect(events).toContain(escapeCode(text.split('`')[0] as string))
  }
  for (const { code } of Object.values(errors)) expect(failures).toContain(`id="${code ?? 'No code'}"`)
  for (const page of [events, failures]) {
    expect(page).not.toMatch(/<script|src=|@import|url\(/)
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  }
})

test('Every declared endpoint is in the registry.', async () => {
  const folder = join(import.meta.dirname, '../../src/gateway/api')
  const registered = new Set<unknown>(Object.values(registry))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const exported = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      const isEndpoint = typeof value === 'object' && value !== null && 'paths' in value && 'handle' in value
      if (isEndpoint) expect(registered.has(value), `${name} of ${file}`).toBe(true)
    }
  }
})
