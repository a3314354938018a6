/**
 * Texts that are in an index of Postgres, which refuses an entry of more than 2,704 bytes. It compresses entries, so
 * only texts without repetition show whether all that is accepted has a place.
 */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits/limits.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm, newRealmWith } from '../setup/realm/realm-with-people.js'
import { readRefusal } from '../setup/realm/refusals.js'

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Letters outside the Basic Multilingual Plane, of four bytes each: those of cuneiform. */
const widest = Array.from({ length: 900 }, (_, i) => String.fromCodePoint(0x1_2000 + i)).join('')

const randomText = (length: number, letters: string): string => {
  const all = [...letters]
  return Array.from({ length }, () => all[randomInt(all.length)]).join('')
}

test('Two of the longest device tokens that differ in their last character are two devices.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const longest = randomText(4_095, base64)
  for (const path of ['/users/me/apns_device_token', '/users/me/android_gcm_reg_id']) {
    await ok(ada, 'POST', path, { token: `${longest}A`, appid: 'app' })
    await ok(ada, 'POST', path, { token: `${longest}A`, appid: 'app' })
    const send = (token: string) => readRefusal(call(ada, 'POST', '/mobile_push/test_notification', { token }))
    // The server knows the first device, and has no push service.
    expect(await send(`${longest}A`)).toMatchObject({ code: 'PUSH_SERVICE_NOT_CONFIGURED' })
    expect(await send(`${longest}B`)).toMatchObject({ code: 'INVALID_PUSH_DEVICE_TOKEN' })
    expect((await call(ada, 'DELETE', path, { token: `${longest}B` })).status).toBe(400)
    await ok(ada, 'DELETE', path, { token: `${longest}A` })
    expect(await send(`${longest}A`)).toMatchObject({ code: 'INVALID_PUSH_DEVICE_TOKEN' })
  }
  await ok(ada, 'POST', '/users/me/android_gcm_reg_id', { token: randomText(2_048, widest) })
})

test('The longest names of an organization are stored.', async () => {
  await using s = await newRealmWith('Owner', 'Ada')
  const { owner, ada } = s
  const name = (max: number) => randomText(max, widest)
  const template = 'https://play.example/{code}'
  await ok(owner, 'POST', '/realm/playgrounds', {
    name: name(limits.max_playground_name_length),
    pygments_language: randomText(limits.max_playground_language_length, base64.replace('/', '')),
    url_template: template,
  })
  const rest = '](?P<id>[0-9]+)'
  await ok(owner, 'POST', '/realm/filters', {
    pattern: `[${randomText(limits.max_indexed_bytes - rest.length - 1, base64)}${rest}`,
    url_template: 'https://a.example/{id}',
  })
  await ok(owner, 'POST', '/realm/profile_fields', { name: name(limits.max_profile_field_name_length), field_type: 1 })
  await ok(owner, 'POST', '/channel_folders/create', { name: name(limits.max_channel_folder_name_length) })
  const stream_name = name(limits.max_stream_name_length)
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: stream_name }] })
  const [stream] = (await ok(owner, 'GET', '/users/me/subscriptions')).subscriptions.slice(-1)
  expect(stream?.name).toBe(stream_name)
  await ok(owner, 'POST', '/default_stream_groups/create', {
    group_name: name(60),
    description: 'described',
    stream_names: [stream_name],
  })
  const topic = name(limits.max_topic_length)
  await ok(owner, 'POST', '/messages', { type: 'channel', to: stream_name, topic, content: randomText(10_000, widest) })
  await ok(owner, 'POST', '/user_topics', { stream_id: stream?.stream_id, topic, visibility_policy: 3 })
  await ok(ada, 'POST', '/navigation_views', {
    fragment: name(limits.max_navigation_view_fragment_length),
    is_pinned: true,
    name: name(limits.max_navigation_view_name_length),
  })
  await ok(ada, 'PUT', '/bot_storage', { storage: { [name(250)]: 'value' } })
})

test('Longer texts are refused with status 400.', async () => {
  await using s = await newRealmWith('Owner', 'Ada')
  const { owner, ada } = s
  const long = [randomText(9_000, base64), randomText(2_000, widest), randomText(700, widest)]
  for (const text of long) {
    const calls = [
      call(owner, 'POST', '/realm/filters', {
        pattern: `[${text}](?P<id>[0-9]+)`,
        url_template: 'https://a.example/{id}',
      }),
      call(owner, 'POST', '/realm/filters', { pattern: `(?P<id>[${text}])`, url_template: 'https://a.example/{id}' }),
      call(owner, 'POST', '/realm/playgrounds', {
        name: text,
        pygments_language: 'python',
        url_template: 'https://play.example/{code}',
      }),
      call(owner, 'POST', '/realm/playgrounds', {
        name: 'play',
        pygments_language: text,
        url_template: 'https://play.example/{code}',
      }),
      call(owner, 'POST', '/realm/domains', { domain: `${text}.example` }),
      call(owner, 'POST', '/realm/profile_fields', { name: text, field_type: 1 }),
      call(owner, 'POST', '/channel_folders/create', { name: text }),
      call(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: text }] }),
      call(owner, 'POST', '/default_stream_groups/create', { group_name: text, description: 'd', stream_names: [] }),
      call(owner, 'POST', '/users', {
        email: `${text}@a.example`,
        full_name: 'Grace',
        password: 'correct horse battery',
      }),
      call(owner, 'POST', '/users', {
        email: `a@${text}.example`,
        full_name: 'Grace',
        password: 'correct horse battery',
      }),
      call(owner, 'PATCH', '/settings', { email: `${text}@a.example` }),
      call(ada, 'POST', '/navigation_views', { fragment: text, is_pinned: true }),
      call(ada, 'PUT', '/bot_storage', { storage: { [text]: 'value' } }),
      call(ada, 'POST', '/users/me/onboarding_steps', { onboarding_step: text }),
    ]
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual(calls.map(() => 400))
  }
})
