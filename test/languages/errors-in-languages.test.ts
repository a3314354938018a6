/**
 * The sentences of errors in the language of the caller (protocol/errors.md 1): that of the account, otherwise the
 * first of Accept-Language that exists, otherwise English. Codes and fields are the same in every language.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pseudoLanguage } from '#rules/languages.js'
import { textsIn } from '../../src/domain/languages/texts.js'
import { type ApiError, type ErrorKind, errors } from '../../src/domain/protocol/errors.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

let realm: TestRealm
let ada: Person
let grace: Person
let omar: Person
let xavier: Person

const speaking = (default_language: string) => ({ settings: { default_language } })

beforeAll(async () => {
  realm = await newRealm()
  ;[ada, grace, omar, xavier] = (await realm.people(
    { full_name: 'Ada', role: 100 },
    { full_name: 'Grace', ...speaking('de') },
    { full_name: 'Omar', ...speaking('ar') },
    { full_name: 'Xavier', ...speaking(pseudoLanguage) },
  )) as [Person, Person, Person, Person]
})
afterAll(() => realm[Symbol.asyncDispose]())

/** The answer that an error must have in a language, and the same in English. */
const answersOf = (error: ApiError, language: string) => {
  const [translated, english] = [error.bodyIn(textsIn(language)), error.body]
  expect({ ...translated, msg: '' }).toEqual({ ...english, msg: '' })
  return {
    translated: { status: error.status, body: { result: 'error', ...translated } as Record<string, unknown> },
    english,
  }
}

describe('A failed call', () => {
  test.each(['de', 'ar'])('is answered in the language of the account: %s.', async (language) => {
    const caller = language === 'de' ? grace : omar
    const { translated, english } = answersOf(errors.missing({ var_name: 'stream' }), language)
    expect(await call(caller, 'GET', '/get_stream_id')).toEqual(translated)
    expect(translated.body.msg).not.toBe(english.msg)
    const invalid = answersOf(errors.badRequest('{name} must be valid JSON.', { name: 'num_before' }), language)
    const page = { anchor: 'newest', num_before: 'x', num_after: 0 }
    expect(await call(caller, 'GET', '/messages', page)).toEqual(invalid.translated)
  })

  test('of a socket is answered in the language of the account.', async () => {
    await using socket = await openSocket(grace)
    const { translated, english } = answersOf(errors.missing({ var_name: 'stream' }), 'de')
    expect(await socket.call('GET', '/get_stream_id')).toMatchObject(translated)
    expect(translated.body.msg).not.toBe(english.msg)
    const unknown = answersOf(errors.unknownPath({ path: '/nowhere' }), 'de')
    expect(await socket.call('GET', '/nowhere')).toMatchObject(unknown.translated)
  })

  test('is answered in the new language as soon as the account has another one.', async () => {
    await ok(ada, 'PATCH', '/settings', { default_language: 'ar' })
    const { translated } = answersOf(errors.missing({ var_name: 'stream' }), 'ar')
    expect(await call(ada, 'GET', '/get_stream_id')).toEqual(translated)
    await ok(ada, 'PATCH', '/settings', { default_language: 'en' })
    expect((await call(ada, 'GET', '/get_stream_id')).body.msg).toBe('The parameter stream is required.')
  })

  test.each([
    ['de', 'de'],
    ['de-AT, en;q=0.5', 'de'],
    ['en;q=0.3, ar;q=0.8, de;q=0.7', 'ar'],
    ['tlh, de;q=0.1', 'de'],
    ['de;q=0, ar', 'ar'],
    ['tlh', 'en'],
    ['*', 'en'],
    [';;q=,', 'en'],
  ])('without an account is answered as Accept-Language asks: %s.', async (accepted, language) => {
    const port = Number(new URL(anyGateway()).port)
    const headers = { 'Accept-Language': accepted }
    const { translated } = answersOf(errors.notLoggedIn(), language)
    const answer = await sendRequest(port, { path: '/api/v1/users', host: realm.host, headers })
    expect({ status: answer.status, body: answer.json }).toEqual(translated)
    const unknown = await sendRequest(port, { path: '/api/v1/nowhere', host: realm.host, headers })
    expect(unknown.json.msg).toBe(
      answersOf(errors.unknownPath({ path: '/api/v1/nowhere' }), language).translated.body.msg,
    )
  })
})

describe('A sentence that clients match', () => {
  test('is English for every account.', async () => {
    const unknownQueue = await call(grace, 'GET', '/events', { queue_id: 'q', last_event_id: -1 })
    expect(unknownQueue.body).toMatchObject({ msg: 'Bad event queue ID: q', code: 'BAD_EVENT_QUEUE_ID' })
    const unknownAddress = await call(grace, 'POST', '/messages', { type: 'direct', to: '["nobody@x"]', content: 'a' })
    expect(unknownAddress.body.msg).toBe("Invalid email 'nobody@x'")
    const noFile = await call(grace, 'POST', '/user_uploads')
    expect(noFile.body.msg).toBe('You must specify a file to upload')
    const wrongMethod = await call(grace, 'PUT', '/messages')
    expect(wrongMethod.body.msg).toBe('Method Not Allowed')
  })

  test('is marked in its row of the catalogue.', () => {
    const matched = (Object.values(errors) as ErrorKind[]).filter(({ isMatched }) => isMatched)
    expect(matched.map(({ msg }) => msg).sort()).toEqual([
      'Bad event queue ID: {queue_id}',
      "Invalid email ''{email}''",
      'Method Not Allowed',
      'Nothing to change',
      'You must specify a file to upload',
    ])
  })
})

/** Letters without accents, which the language for tests has in values only. */
const findPlainWords = (msg: string): string[] => msg.match(/[A-Za-z][A-Za-z_]+/g) ?? []

describe('The language for tests', () => {
  test('has accents in every sentence of the catalogue.', () => {
    const t = textsIn(pseudoLanguage)
    const plain = Object.entries(errors).flatMap(([name, make]) => {
      if (name === 'badRequest' || name === 'invalidField' || name === 'invitationFailed') return []
      const values = Object.fromEntries([...make.msg.matchAll(/\{(\w+)\}/g)].map(([, value]) => [value, '7']))
      const error = (make as (given: object) => ApiError)(values)
      return error.isMatched ? [] : findPlainWords(String(error.bodyIn(t).msg)).map((word) => `${name}: ${word}`)
    })
    expect(plain).toEqual([])
  })

  const isInPath = ({ wire }: { wire: string }) => wire === 'path' || wire === 'rest'

  /** The endpoints that refuse a broken value, with such a value for each parameter that is no text. */
  const refusing = Object.values<Endpoint>(registry).flatMap((endpoint) => {
    const { callers, list, streams, site, method } = endpoint
    const broken = list.filter(([, param]) => !isInPath(param) && param.wire !== 'text').map(([name]) => name)
    if (callers === 'anyone' || streams || site === true || broken.length === 0) return []
    const path = endpoint.paths[0].replace(/\{(\w+)\}/g, (_, name: string) =>
      list.find(([key]) => key === name)?.[1].schema.type === 'number' ? '999999' : 'none',
    )
    return [{ name: `${method} ${path}`, endpoint, path, fields: Object.fromEntries(broken.map((key) => [key, '}{'])) }]
  })

  test('shows no plain English word in the sentence of a refused call, outside of values.', async () => {
    expect(refusing.length).toBeGreaterThan(80)
    const plain: string[] = []
    for (const { name, endpoint, path, fields } of refusing) {
      const { status, body } = await call(xavier, endpoint.method, path, fields)
      const msg = String(body.msg)
      // The names of parameters, and the words that a parameter can have.
      const values = [
        ...endpoint.list.map(([key]) => key),
        ...endpoint.list.flatMap(([, { schema }]) => wordsOf(schema)),
      ]
      const words = findPlainWords(msg).filter((word) => !values.includes(word))
      if (status < 400 || words.length > 0) plain.push(`${name}: ${status} ${msg}: ${words.join(' ')}`)
    }
    expect(plain).toEqual([])
  })
})

const wordsOf = (schema: unknown): string[] => {
  const { options, def } = schema as { options?: unknown[]; def?: { innerType?: unknown } }
  if (def?.innerType !== undefined) return wordsOf(def.innerType)
  return (options ?? []).flatMap((option) => (typeof option === 'string' ? [option] : wordsOf(option)))
}
