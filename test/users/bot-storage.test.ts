/** The key-value storage of a bot or user, which no other user can read. */
import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits/limits.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const storageOf = async (by: Person, keys?: string[]) => (await ok(by, 'GET', '/bot_storage', { keys })).storage

test('A stored value remains until its user replaces or deletes it, and other users do not see it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await ok(ada, 'PUT', '/bot_storage', { storage: { count: '1', name: 'Ada' } })
  await ok(ada, 'PUT', '/bot_storage', { storage: { count: '2' } })
  expect(await storageOf(ada)).toEqual({ count: '2', name: 'Ada' })
  expect(await storageOf(ada, ['name'])).toEqual({ name: 'Ada' })
  expect(await storageOf(grace)).toEqual({})
  await ok(ada, 'DELETE', '/bot_storage', { keys: ['name'] })
  expect(await storageOf(ada)).toEqual({ count: '2' })
  await ok(ada, 'DELETE', '/bot_storage')
  expect(await storageOf(ada)).toEqual({})
})

test('The server refuses a request that names a missing key, and such a request deletes nothing.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await ok(ada, 'PUT', '/bot_storage', { storage: { a: '1' } })
  const missing = badRequest('Nothing is stored under this key.')
  expect(await readRefusal(call(ada, 'GET', '/bot_storage', { keys: ['a', 'b'] }))).toEqual(missing)
  expect(await readRefusal(call(ada, 'DELETE', '/bot_storage', { keys: ['a', 'b'] }))).toEqual(missing)
  expect(await storageOf(ada)).toEqual({ a: '1' })
  expect((await call(ada, 'PUT', '/bot_storage', { storage: { a: 1 } })).status).toBe(400)
})

test('The keys and values of a user together may be as long as the limit and no longer.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const half = 'x'.repeat(limits.max_bot_storage_characters / 2 - 1)
  await ok(ada, 'PUT', '/bot_storage', { storage: { a: half } })
  await ok(ada, 'PUT', '/bot_storage', { storage: { b: half } })
  expect((await call(ada, 'PUT', '/bot_storage', { storage: { c: '' } })).status).toBe(400)
  expect(Object.keys(await storageOf(ada))).toEqual(['a', 'b'])
})

test('A key of the storage that is too long for the index is refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const random = Array.from({ length: 9_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000))).join('')
  const put = (key: string) => call(ada, 'PUT', '/bot_storage', { storage: { [key]: 'x' } })
  expect((await put(random)).status).toBe(400)
  expect((await put(random.slice(0, 500))).status).toBe(200)
})

test('A key can be called `__proto__` or `constructor`.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const stored = Object.fromEntries(['__proto__', 'constructor', 'b'].map((key) => [key, `value of ${key}`]))
  await ok(ada, 'PUT', '/bot_storage', { storage: stored })
  expect(Object.entries(await storageOf(ada))).toEqual(Object.entries(stored).sort())
  expect(Object.entries(await storageOf(ada, ['__proto__']))).toEqual([['__proto__', 'value of __proto__']])
  expect((await call(ada, 'PUT', '/bot_storage', { storage: Object.fromEntries([['__proto__', 1]]) })).status).toBe(400)
  await ok(ada, 'DELETE', '/bot_storage', { keys: ['__proto__'] })
  expect(Object.keys(await storageOf(ada))).toEqual(['b', 'constructor'])
})
