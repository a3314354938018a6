/** Endpoints that create video calls at external services. */
import { expect, test } from 'vitest'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { readRefusal } from '../setup/realm/refusals.js'

test('The server refuses calls of external services, because none is configured.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  expect((await call(ada, 'GET', '/calls/bigbluebutton/create', { meeting_name: 'stand-up' })).status).toBe(400)
  expect((await readRefusal(call(ada, 'POST', '/calls/zoom/create'))).msg).toBe(
    'This server does not support Zoom calls: use another provider.',
  )
  const { has_zoom_token } = await ok(ada, 'POST', '/register', { fetch_event_types: ['video_calls'] })
  expect(has_zoom_token).toBe(false)
})
