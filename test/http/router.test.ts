/** The router: which endpoint and captured values belong to a path. */
import { expect, test } from 'vitest'
import { buildRouter, type Target } from '../../src/gateway/transport/router.js'

const createTarget = (method: string, path: string, segments: Target<string>['segments'] = {}): Target<string> => ({
  method,
  path,
  segments,
  value: `${method} ${path}`,
})

const find = buildRouter([
  createTarget('GET', '/users'),
  createTarget('POST', '/users'),
  createTarget('GET', '/users/me'),
  createTarget('GET', '/users/{user_id}', { user_id: 'number' }),
  createTarget('GET', '/users/{email}', { email: 'text' }),
  createTarget('PATCH', '/users/{id}', { id: 'number' }),
  createTarget('GET', '/users/me/{stream_id}/topics', { stream_id: 'number' }),
  createTarget('GET', '/users/{user_id}/status', { user_id: 'number' }),
  createTarget('PATCH', '/navigation_views/{fragment}', { fragment: 'rest' }),
])

const found = (path: string, method = 'GET') => {
  const match = find(path)
  const target = match?.values.get(method)
  return target && [target.value, Object.fromEntries(target.names.map((name, i) => [name, match?.captured[i]]))]
}

test.each([
  ['/users', 'GET /users', {}],
  ['/users/me', 'GET /users/me', {}],
  ['/users/7', 'GET /users/{user_id}', { user_id: 7 }],
  ['/users/007', 'GET /users/{user_id}', { user_id: 7 }],
  ['/users/ada@example.com', 'GET /users/{email}', { email: 'ada@example.com' }],
  ['/users/ada%40example.com', 'GET /users/{email}', { email: 'ada@example.com' }],
  ['/users/me/3/topics', 'GET /users/me/{stream_id}/topics', { stream_id: 3 }],
  ['/users/3/status', 'GET /users/{user_id}/status', { user_id: 3 }],
  // No row has this id, so a number that is too long finds nothing, as any other id of no row.
  ['/users/99999999999999999', 'GET /users/{user_id}', { user_id: Number.MAX_SAFE_INTEGER }],
])('The path %s leads to %s.', (path, value, names) => {
  expect(found(path)).toEqual([value, names])
})

test('A path can name its value differently for each method.', () => {
  expect(found('/users/7', 'PATCH')).toEqual(['PATCH /users/{id}', { id: 7 }])
})

test('The rest of a path keeps its slashes, raw or encoded.', () => {
  const value = 'PATCH /navigation_views/{fragment}'
  expect(found('/navigation_views/narrow/is/starred', 'PATCH')).toEqual([value, { fragment: 'narrow/is/starred' }])
  expect(found('/navigation_views/narrow%2Fis', 'PATCH')).toEqual([value, { fragment: 'narrow/is' }])
})

test.each([
  '',
  '/',
  '/user',
  '/users/',
  '/users/me/x/topics',
  '/users/7/',
  '/users/%ff',
  '/users/%',
  '/users/%00',
  '/navigation_views',
  '/navigation_views/',
])('The path %j is unknown.', (path) => {
  expect(find(path)).toBeUndefined()
})

test('A path can be known for other methods only.', () => {
  expect(found('/users', 'DELETE')).toBeUndefined()
  expect([...(find('/users')?.values.keys() ?? [])]).toEqual(['GET', 'POST'])
})

test('Declaring a method of a path twice is an error.', () => {
  expect(() => buildRouter([createTarget('GET', '/x'), createTarget('GET', '/x')])).toThrow('declared twice')
})

test('A name in braces that is not a parameter is an error.', () => {
  expect(() => buildRouter([createTarget('GET', '/x/{y}')])).toThrow('not declared')
})
