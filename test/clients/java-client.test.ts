/**
 * The requests of the Java client (version 0.8), by hand after its documentation: Apache HttpClient, credentials with
 * every request, DELETE with its parameters in the query, and some values as JSON texts.
 */
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, newRealm, type Person } from '../setup/realm/realm.js'
import { openRawConnection, type RawConnection } from '../setup/requests/raw-request.js'

/** A connection that the client keeps for all its requests. */
const openClient = (connection: RawConnection, person: Person) => {
  const common = [
    `Authorization: ${basicAuthorization(person)}`,
    'Accept-Encoding: gzip, x-gzip, deflate',
    `Host: ${person.host}`,
    'Connection: keep-alive',
    'User-Agent: Apache-HttpClient/5.4.4 (Java/17.0.15)',
  ]
  return async (method: string, path: string, given: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    const form = new URLSearchParams(given).toString()
    const isInQuery = method === 'GET' || method === 'DELETE'
    const target = `/api/v1/${path}${isInQuery && form !== '' ? `?${form}` : ''}`
    const body = isInQuery
      ? []
      : [`Content-Length: ${form.length}`, 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8']
    connection.write(
      `${[`${method} ${target} HTTP/1.1`, ...common, ...body].join('\r\n')}\r\n\r\n${isInQuery ? '' : form}`,
    )
    const { status, headers } = await connection.readHead()
    const bytes = Buffer.from(await connection.readBytes(Number(headers['content-length'])), 'latin1')
    const json = JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString())
    expect([method, path, status, json.msg]).toEqual([method, path, 200, ''])
    return json
  }
}

test('The requests of the Java client are answered, one after another on one connection.', async () => {
  await using realm = await newRealm()
  const [tester] = (await realm.people({ full_name: 'tester', role: 100 })) as [Person]
  await using connection = await openRawConnection(Number(new URL(anyGateway()).port))
  const call = openClient(connection, tester)

  const { user_groups } = await call('GET', 'user_groups')
  const groups = user_groups as { id: number; name: string }[]
  const administrators = groups.find(({ name }) => name === 'role:administrators')
  const subscribed = await call('POST', 'users/me/subscriptions', {
    subscriptions: '[{"name":"Test Stream 1","description":"Test Stream 1"}]',
    authorization_errors_fatal: 'false',
    history_public_to_subscribers: 'true',
    message_retention_days: '"unlimited"',
    topics_policy: '"inherit"',
    stream_post_policy: '1',
    announce: 'false',
    can_remove_subscribers_group: String(administrators?.id),
  })
  expect(subscribed).toMatchObject({ subscribed: { [tester.user_id]: ['Test Stream 1'] } })

  const { queue_id, last_event_id, event_queue_longpoll_timeout_seconds } = await call('POST', 'register', {
    event_types: '["message"]',
    fetch_event_types: '["realm"]',
    narrow: '[["channel","Test Stream 1"]]',
  })
  expect(event_queue_longpoll_timeout_seconds).toBe(90)

  const { id } = await call('POST', 'messages', {
    type: 'stream',
    to: 'Test Stream 1',
    topic: 'Test Topic 1',
    content: 'Test Content',
  })
  await call('POST', 'messages', { type: 'direct', to: `["${tester.email}"]`, content: 'Test direct' })
  const { messages } = await call('GET', 'messages', {
    anchor: 'newest',
    gravatar: 'true',
    num_before: '1',
    num_after: '0',
    apply_markdown: 'false',
    narrow: '[{"operator":"channel","operand":"Test Stream 1"},{"operator":"topic","operand":"Test Topic 1"}]',
  })
  expect(messages).toMatchObject([{ id, content: 'Test Content', client: 'Apache-HttpClient' }])
  await call('PATCH', `messages/${id}`, { topic: 'New Topic', propagate_mode: 'change_all' })
  await call('POST', `messages/${id}/reactions`, { emoji_name: 'smile', reaction_type: 'unicode_emoji' })
  await call('DELETE', `messages/${id}/reactions`, { emoji_name: 'smile' })
  const { events } = await call('GET', 'events', { queue_id: queue_id as string, last_event_id: String(last_event_id) })
  expect((events as unknown[]).length).toBeGreaterThan(0)
  await call('POST', 'users/me/alert_words', { alert_words: '["one","two"]' })
  await call('DELETE', 'users/me/alert_words', { alert_words: '["one"]' })
  await call('DELETE', 'users/me/subscriptions', { subscriptions: '["Test Stream 1"]' })
  await call('DELETE', `messages/${id}`)
  await call('DELETE', 'events', { queue_id: queue_id as string })
})
