/** Calls and uploads of the client library. */
import { expect, test } from 'vitest'
import { ApiError, ConnectionError } from '../../client/src/index.js'
import { startRelays } from '../setup/clients/library-client.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { newRealm, type Person } from '../setup/realm/realm.js'

const start = async () => {
  const realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const relays = await startRelays(realm.host)
  return { realm, relays, ada, client: relays.client(ada) }
}

test('A call has parameters in its path, and throws the error of the server.', async () => {
  const { realm, relays, ada, client } = await start()
  await using _ = realm
  await using __ = relays
  const { id } = await client.call('POST /messages', {
    type: 'direct',
    to: JSON.stringify([ada.user_id]),
    content: 'first',
  })
  await client.call('PATCH /messages/{message_id}', { message_id: id, content: 'second' })
  const { message } = await client.call('GET /messages/{message_id}', { message_id: id, apply_markdown: false })
  expect(message.content).toBe('second')
  const refused = client.call('GET /messages/{message_id}', { message_id: 99_999 })
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' })
})

test('A call is repeated on another gateway, and a change happens once although each answer is lost.', async () => {
  const { realm, relays, ada, client } = await start()
  await using _ = realm
  await using __ = relays
  for (const relay of relays.list.slice(0, 2)) relay.isDown = true
  expect((await client.call('GET /users/me')).user_id).toBe(ada.user_id)
  for (const relay of relays.list) relay.isDown = true
  const lost = client.call('POST /saved_snippets', { title: 'a', content: 'b' })
  await expect(lost).rejects.toBeInstanceOf(ConnectionError)
  for (const relay of relays.list) relay.isDown = false
  // A fetch that loses the first answer, after the server has made the call.
  let isLost = false
  const losing: typeof fetch = async (address, init) => {
    const response = await fetch(address, init)
    if (init?.method !== 'POST' || isLost) return response
    isLost = true
    await response.text()
    throw new TypeError('The connection broke.')
  }
  const unlucky = relays.client(ada, { fetch: losing })
  const { saved_snippet_id } = await unlucky.call('POST /saved_snippets', { title: 'c', content: 'd' })
  expect(isLost).toBe(true)
  const { saved_snippets } = await client.call('GET /saved_snippets')
  expect(saved_snippets.map(({ id }) => id)).toEqual([saved_snippet_id])
})

test('A call that is aborted throws the reason of its signal.', async () => {
  const { realm, relays, client } = await start()
  await using _ = realm
  await using __ = relays
  const controller = new AbortController()
  const call = client.call('GET /users/me', {}, { signal: controller.signal })
  controller.abort(new Error('not needed any more'))
  await expect(call).rejects.toThrow('not needed any more')
})

test('A client without credentials is refused what needs an account.', async () => {
  const { realm, relays, ada } = await start()
  await using _ = realm
  await using __ = relays
  const stranger = relays.client(ada, { credentials: 'none' })
  expect((await stranger.call('GET /server_settings')).realm_name).toMatch(/^Test/)
  await expect(stranger.call('GET /users/me')).rejects.toMatchObject({ status: 401 })
})

test('An upload tells its progress, and continues when its connection breaks.', async () => {
  const { realm, relays, ada, client } = await start()
  await using _ = realm
  await using __ = relays
  const bytes = new Uint8Array(3 * 1024 * 1024 + 5).map((_, place) => place % 251)
  const progress: number[] = []
  const { url, filename } = await client.upload(new File([bytes], 'numbers ü.bin'), {
    onProgress(sent) {
      progress.push(sent)
      if (sent === 1024 * 1024) for (const relay of relays.list) relay.cut()
    },
  })
  expect(progress).toEqual([0, 1, 2, 3].map((mebibytes) => mebibytes * 1024 * 1024).concat(bytes.length))
  expect(filename).toBe('numbers ü.bin')
  const stored = await fetch(`${relays.list[0]?.url}${url}`, { headers: { Authorization: basicAuthorization(ada) } })
  expect(Buffer.from(await stored.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
})

test('A small file is uploaded with one request.', async () => {
  const { realm, relays, client } = await start()
  await using _ = realm
  await using __ = relays
  const { url } = await client.upload(new Blob(['hello'], { type: 'text/plain' }), { name: 'hello.txt' })
  expect(url).toMatch(/^\/user_uploads\/.*hello\.txt$/)
})
