/** A socket that the gateway closes: the calls that it received are answered first, also the one that is the reason. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closes } from '../../src/domain/protocol/errors.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { waitUntilRefusing } from '../setup/processes/processes.js'
import { sendDirectMessage } from '../setup/realm/messages.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { lockTable } from '../setup/realm/table-lock.js'
import { openSocket } from '../setup/requests/socket.js'
import { password, setPassword } from '../setup/web/browser-session.js'

type Reason = [name: string, method: string, path: string, params: Record<string, unknown>, code: number]

const reasons: Reason[] = [
  ['regenerates the API key', 'POST', '/users/me/api_key/regenerate', {}, closes.unauthorized.code],
  [
    'sets a new password',
    'PATCH',
    '/settings',
    { old_password: password, new_password: 'several quiet telescopes at dawn' },
    closes.unauthorized.code,
  ],
  ['deactivates its own account', 'DELETE', '/users/me', {}, closes.unauthorized.code],
]

test.each(reasons)('A call that %s is answered before its socket closes.', async (_, method, path, params, code) => {
  await using realm = await newRealm()
  const [, ada] = (await realm.people({ full_name: 'Olga', role: 100 }, { full_name: 'Ada' })) as [Person, Person]
  await setPassword(realm, ada)
  await using socket = await openSocket(ada)
  const other = socket.call('GET', '/users/me')
  const { status, body } = await socket.call(method, path, params)
  expect(status, JSON.stringify(body)).toBe(200)
  // Both run at the same time, so the other one comes before or after the change. It is answered in any case.
  expect([200, 401]).toContain((await other).status)
  expect(await socket.closed).toBe(code)
  if (path.endsWith('regenerate')) {
    expect((await call({ ...ada, api_key: String(body.api_key) }, 'GET', '/users/me')).status).toBe(200)
  }
})

test('A call that deletes the queue of its socket is answered before the socket closes.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await using socket = await openSocket(ada)
  expect((await socket.call('DELETE', '/events', { queue_id: socket.queue_id })).status).toBe(200)
  expect(await socket.closed).toBe(closes.queueDeleted.code)
})

test('A gateway that shuts down answers the calls that it received over sockets, and soon takes no more.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const { url } = fleet.gateway
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  await using socket = await openSocket(ada, url)
  const lock = await lockTable(fleet.database_url, 'messages')
  const sent = socket.call('POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'x' })
  await lock.waitForWaiter()
  const stopped = fleet.gateway.stop()
  await waitUntilRefusing(url)
  const ask = () => socket.call('GET', '/server_settings')
  expect((await ask()).status).toBe(200)
  // Else a client that always has a call under way would keep the socket open, without events.
  await sleep(1_500)
  const late = expect(ask()).rejects.toThrow(`closed with ${closes.draining.code}`)
  await lock.release()
  expect((await sent).status).toBe(200)
  await late
  expect(await socket.closed).toBe(closes.draining.code)
  expect(await stopped).toBe('exit code 0')
})

test('A client that asks for it is told that its socket will be closed, and is answered until it closes it.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const closing = await fleet.newGateway()
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  await using socket = await openSocket(ada, closing.url, '&announce_close=true')
  await using silent = await openSocket(ada, closing.url, '&announce_close=true')
  let isEnded = false
  const stopped = closing.stop().finally(() => {
    isEnded = true
  })
  expect(await socket.announced).toEqual(closes.draining)
  // As long as a busy client needs to read the announcement.
  await sleep(1_500)
  expect((await socket.call('GET', '/server_settings')).status).toBe(200)
  expect(isEnded).toBe(false)
  socket.close()
  expect(await socket.closed).toBe(1005)
  expect(await silent.closed).toBe(closes.draining.code)
  expect(await stopped).toBe('exit code 0')
})

test('A socket whose end is announced receives no more events: the next connection receives them all.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada', role: 100 }, { full_name: 'Grace' })) as [Person, Person]
  const url = anyGateway()
  const open = () => openSocket(ada, url, '&announce_close=true', ['message', 'realm'])
  await using socket = await open()
  await using other = await open()
  const { queue_id } = socket
  const { last_event_id } = socket.registration
  const seen = async (): Promise<{ type: string }[]> =>
    (await ok(ada, 'GET', '/events', { queue_id, last_event_id })).events
  const displacing = seen()
  expect(await socket.announced).toEqual(closes.displaced)
  await sendDirectMessage(grace, [ada], 'To her alone')
  await ok(ada, 'PATCH', '/realm', { description: 'To all of the organization' })
  await displacing
  await expect.poll(async () => (await seen()).map(({ type }) => type)).toEqual(['message', 'realm'])
  // The client would take the event to all for the next one of its queue.
  await expect.poll(() => other.frames.map(({ type }) => type)).toEqual(['message', 'realm'])
  expect(socket.frames).toEqual([{ closing: closes.displaced }])
})

test('The announcement of the end of a socket is not a parameter of its registration.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await using socket = await openSocket(ada, undefined, '&announce_close=true&other=1')
  expect(socket.registration.ignored_parameters_unsupported).toEqual(['other'])
})

test('A gateway that drains closes its sockets over a time, and not all at once.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const closing = await fleet.newGateway()
  const people = await fleet.realm.people(...['Ada', 'Grace'].map((full_name) => ({ full_name })))
  const sockets = await Promise.all(
    Array.from({ length: 400 }, (_, i) => openSocket(people[i % people.length] as Person, closing.url)),
  )
  const times: number[] = []
  const closed = sockets.map(async (socket) => {
    expect(await socket.closed).toBe(closes.draining.code)
    times.push(performance.now())
  })
  expect(await closing.stop()).toBe('exit code 0')
  await Promise.all(closed)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(200)
})
