/** Endpoints that create video calls at external services. */
import { expect, test } from 'vitest'
import { office, refusal } from '../setup/office.js'
import { call, ok, type Person } from '../setup/realm.js'

test('The server refuses calls of external services, because none is configured.', async () => {
  const { realm, people } = await office('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  expect((await call(ada, 'GET', '/calls/bigbluebutton/create', { meeting_name: 'stand-up' })).status).toBe(400)
  expect((await refusal(call(ada, 'POST', '/calls/zoom/create'))).msg).toBe(
    'This server has no Zoom: ask whoever runs it.',
  )
  const { has_zoom_token } = await ok(ada, 'POST', '/register', { fetch_event_types: ['video_calls'] })
  expect(has_zoom_token).toBe(false)
})
