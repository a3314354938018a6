/** Devices that users register for push notifications. */
import { expect, test } from 'vitest'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const apple = '/users/me/apns_device_token'
const android = '/users/me/android_gcm_reg_id'

test('A user can register a device token again, and can remove it only once.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  for (const [path, params] of [
    [apple, { token: 'c0ffee', appid: 'org.example.App' }],
    [apple, { token: `${'Zm9v/+8'.repeat(584)}Zm9v==`, appid: 'org.example.App' }],
    [android, { token: 'a:b-c' }],
  ] as const) {
    await ok(ada, 'POST', path, params)
    await ok(ada, 'POST', path, params)
    await ok(ada, 'DELETE', path, { token: params.token })
    expect(await readRefusal(call(ada, 'DELETE', path, { token: params.token }))).toEqual(
      badRequest('You have registered no device with this token.'),
    )
  }
})

test('The server refuses a device token of an invalid length or format.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const add = (path: string, token: string) => readRefusal(call(ada, 'POST', path, { token, appid: 'app' }))
  expect(await add(apple, '')).toEqual(badRequest('A token must have 1 to 4096 characters.'))
  expect(await add(android, 'x'.repeat(4_097))).toEqual(badRequest('A token must have 1 to 4096 characters.'))
  expect(await add(apple, 'no base64!')).toEqual(badRequest('An APNs token must be hexadecimal or base64.'))
  expect((await call(ada, 'POST', apple, { token: 'aa', appid: 'a b' })).status).toBe(400)
})

test('A test notification is refused: the device is unknown, or the server sends none.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await ok(ada, 'POST', android, { token: 'hers' })
  const path = '/mobile_push/test_notification'
  const foreign = badRequest('You have registered no device with this token.', 'INVALID_PUSH_DEVICE_TOKEN')
  expect(await readRefusal(call(grace, 'POST', path, { token: 'hers' }))).toEqual(foreign)
  const noService = badRequest(
    'This server has no push service, so it sends no push notifications.',
    'PUSH_SERVICE_NOT_CONFIGURED',
  )
  expect(await readRefusal(call(ada, 'POST', path, { token: 'hers' }))).toEqual(noService)
  expect(await readRefusal(call(ada, 'POST', path))).toEqual(noService)
})
