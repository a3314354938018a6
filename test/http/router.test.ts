/** Which endpoint stands at a path. */
import { expect, test } from 'vitest'
import { router, type Target } from '../../src/gateway/http/router.js'

const at = (method: string, path: string, segments: Target<string>['segments'] = {}): Target<string> => ({
  method,
  path,
  segments,
  value: `${method} ${path}`,
})

const find = router([
  at('GET', '/users'),
  at('POST', '/users'),
  at('GET', '/users/me'),
  at('GET', '/users/{user_id}', { user_id: 'number' }),
  at('GET', '/users/{email}', { email: 'text' }),
  at('PATCH', '/users/{id}', { id: 'number' }),
  at('GET', '/users/me/{stream_id}/topics', { stream_id: 'number' }),
  at('GET', '/users/{user_id}/status', { user_id: 'number' }),
  at('PATCH', '/navigation_views/{fragment}', { fragment: 'rest' }),
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
  ['/users/99999999999999999', 'GET /users/{email}', { email: '99999999999999999' }],
])('%s is %s', (path, value, names) => {
  expect(found(path)).toEqual([value, names])
})

test('one path may name its value differently for another method', () => {
  expect(found('/users/7', 'PATCH')).toEqual(['PATCH /users/{id}', { id: 7 }])
})

test('the rest of a path keeps its slashes, raw or encoded', () => {
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
])('%s is unknown', (path) => {
  expect(find(path)).toBeUndefined()
})

test('a path may be known for other methods only', () => {
  expect(found('/users', 'DELETE')).toBeUndefined()
  expect([...(find('/users')?.values.keys() ?? [])]).toEqual(['GET', 'POST'])
})

test('one method of one path cannot be declared twice', () => {
  expect(() => router([at('GET', '/x'), at('GET', '/x')])).toThrow('declared twice')
})

test('a name in braces must be a parameter', () => {
  expect(() => router([at('GET', '/x/{y}')])).toThrow('not declared')
})
