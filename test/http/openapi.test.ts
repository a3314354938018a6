/** The document that is derived from the registry: valid, and true to how calls are read. */
import { readdirSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { errors } from '../../src/domain/protocol/errors.js'
import { registry } from '../../src/gateway/api/index.js'
import { endpoint, type Registry } from '../../src/gateway/http/endpoint.js'
import { bool, idInPath, int, json, oneOf, str } from '../../src/gateway/http/params.js'
import { openApiDocument } from '../../src/gateway/site/openapi.js'
import { referencePage } from '../../src/gateway/site/reference.js'

/** A document is looked into at arbitrary places. */
interface Tree {
  [name: string]: Tree
}

const documentOf = (from: Registry) => openApiDocument(from, entryKinds) as unknown as Tree

/** What stands at a path of names, which must exist. */
const at = (tree: Tree | undefined, ...names: string[]): Tree => {
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
    who: 'member',
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
  look: endpoint({
    method: 'GET',
    path: '/messages',
    summary: 'Looks at messages.',
    who: 'spectator',
    params: { anchor: str(), num: int({ min: 0 }).default(5), narrow: json(z.array(message)).optional(), deep: bool() },
    response: z.object({ messages: z.array(message) }),
    handle: () => ({ messages: [] }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/server_settings',
    summary: 'Tells what this is.',
    who: 'anyone',
    params: {},
    response: z.object({}),
    rateLimit: null,
    handle: () => ({}),
  }),
}

describe('the document', () => {
  const document = documentOf(registry)

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, '3.1'])
  })

  test('has every endpoint of the registry under each of its paths', () => {
    for (const [name, { method, paths }] of Object.entries(registry)) {
      for (const path of paths) expect(at(document, 'paths', path, method.toLowerCase(), 'operationId')).toContain(name)
    }
  })

  test('has the shape of every event', () => {
    const schemas = Object.keys(at(document, 'components', 'schemas')).filter((name) => name.startsWith('Event.'))
    expect(schemas).toHaveLength(entryKinds.size)
    expect(schemas).toContain('Event.message')
  })

  test('refers only to what it holds', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(at(document, 'components', 'schemas')).toHaveProperty([name as string])
    }
  })
})

describe('an operation', () => {
  const paths = at(documentOf(example), 'paths')
  const react = at(paths, '/messages/{message_id}/reactions', 'post')
  const look = at(paths, '/messages', 'get')
  const settings = at(paths, '/server_settings', 'get')
  const form = at(react, 'requestBody', 'content', 'application/x-www-form-urlencoded')

  test('shows how its parameters travel', () => {
    expect(react.parameters).toEqual([
      { name: 'message_id', in: 'path', required: true, schema: expect.objectContaining({ type: 'integer' }) },
    ])
    expect(at(form, 'schema', 'required')).toEqual(['emoji_name'])
    expect(at(form, 'schema', 'properties', 'emoji_name')).toMatchObject({
      type: 'string',
      maxLength: 5,
      description: 'the name of it; also accepted as `emoji`',
    })
    expect(at(form, 'schema', 'properties', 'kind')).toMatchObject({ enum: ['a', 'b'], default: 'a' })
    expect(form.encoding).toEqual({ ids: { contentType: 'application/json' } })
    const [anchor, num, narrow, deep] = Object.values(at(look, 'parameters'))
    expect(anchor).toMatchObject({ in: 'query', required: true, schema: { type: 'string' } })
    expect(num).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', minimum: 0, default: 5 } })
    expect(at(narrow, 'content', 'application/json', 'schema')).toMatchObject({ type: 'array' })
    expect(deep?.schema).toEqual({ type: 'boolean' })
  })

  test('shows who may call it', () => {
    expect(react.description).toContain('Every account but guests and bots')
    expect(react).not.toHaveProperty('security')
    expect(look.security).toEqual([{}, { basic: [] }])
    expect(settings.security).toEqual([])
  })

  test('shows the errors that it declares, with their fields', () => {
    const anyOf = at(react, 'responses', '400', 'content', 'application/json', 'schema', 'anyOf')
    expect(at(anyOf, '0', 'properties', 'code')).toEqual({ const: 'REACTION_ALREADY_EXISTS' })
    expect(at(anyOf, '1', 'required')).toEqual(['code', 'queue_id'])
    expect(Object.keys(at(react, 'responses'))).toEqual(['200', '400', '401', '404', '429'])
    expect(Object.keys(at(settings, 'responses'))).toEqual(['200', '400'])
  })

  test('under another path says that this is another name', () => {
    const other = at(paths, '/old/{message_id}/reactions', 'post')
    expect(other).toMatchObject({ deprecated: true, operationId: 'react_1' })
  })
})

test('the page tells all of it without scripts or anything from elsewhere', () => {
  const page = referencePage(documentOf(registry))
  for (const [name, { paths }] of Object.entries(registry)) {
    expect(page).toContain(`id="${name}"`)
    expect(page).toContain(paths[0])
  }
  expect(page).not.toMatch(/<script|src=|@import|url\(/)
  expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
})

test('every endpoint that is declared is in the registry', async () => {
  const folder = new URL('../../src/gateway/api/', import.meta.url)
  const registered = new Set<unknown>(Object.values(registry))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      const isEndpoint = typeof value === 'object' && value !== null && 'paths' in value && 'handle' in value
      if (isEndpoint) expect(registered.has(value), `${name} of ${file}`).toBe(true)
    }
  }
})
