/**
 * The calls that the public reference of the protocol shows, in Python and with curl, in the form in which it shows
 * them. If an example fails, the server is wrong.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { startBalancer } from './balancer.js'
import { findPython, runProgram } from './python.js'
import { createPythonAccounts } from './python-accounts.js'
import { newFolder } from './zuliprc.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (skipped: ${python.missing})`

describe.skipIf(python.missing)(`The examples in Python${because}`, () => {
  test('Every example succeeds.', { timeout: 120_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { env } = await createPythonAccounts(realm, address.url)
    const script = join(import.meta.dirname, 'reference_examples.py')
    const { status, out } = await runProgram(join(python.bin, 'python'), [script], env)
    expect(status, out).toBe(0)
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl)(`The examples with curl${hasCurl ? '' : ' (skipped: curl is not installed)'}`, () => {
  test('Every example succeeds.', { timeout: 60_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob } = await createPythonAccounts(realm, address.url)
    const site = `${address.url}/api/v1`
    const curl = async (args: readonly string[], by: Person | null = ada) => {
      const login = by === null ? [] : ['-u', `${by.email}:${by.api_key}`]
      const { out } = await runProgram('curl', ['-sS', ...args.map((arg) => arg.replace(/^\//, `${site}/`)), ...login])
      const answer = JSON.parse(out) as Record<string, unknown>
      expect(answer, args.join(' ')).toMatchObject({ result: 'success' })
      expect(answer, args.join(' ')).not.toHaveProperty('ignored_parameters_unsupported')
      return answer
    }
    /** As the reference writes parameters: texts as they are, everything else as JSON. */
    const data = (params: object) =>
      Object.entries(params).flatMap(([name, value]) => [
        '--data-urlencode',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ])
    const send = (method: string, path: string, params: object = {}) => curl(['-X', method, path, ...data(params)])
    const get = (path: string, params: object = {}) => curl(['-X', 'GET', '-G', path, ...data(params)])

    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'Denmark' })
    const castle = { topic: 'Castle', content: 'I come not, friends, to steal away your hearts.' }
    // The reference writes a text in quotes where a list is possible, too.
    const { id } = await send('POST', '/messages', { type: 'stream', to: '"Denmark"', ...castle })
    await send('POST', '/messages', { type: 'direct', to: [bob.user_id], content: 'With mirth and laughter.' })
    await get('/messages', {
      anchor: id,
      num_before: 4,
      num_after: 8,
      narrow: [{ operand: 'Denmark', operator: 'channel' }],
    })
    await get(`/messages/${id}`, { allow_empty_topic_name: true, apply_markdown: false })
    await send('PATCH', `/messages/${id}`, {
      topic: 'Castle2',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
      content: 'Hello',
    })
    await send('POST', `/messages/${id}/reactions`, {
      emoji_name: 'octopus',
      emoji_code: '1f419',
      reaction_type: 'unicode_emoji',
    })
    await send('DELETE', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await send('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await send('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      include_anchor: false,
      num_before: 4,
      num_after: 8,
      narrow: [{ operand: 'Denmark', operator: 'channel' }],
      op: 'add',
      flag: 'read',
    })
    await send('POST', '/messages/render', { content: 'Hello' })
    await get(`/messages/${id}/history`, { allow_empty_topic_name: true })
    await send('DELETE', `/messages/${id}`)

    await send('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'Verona', description: 'Italian city' }],
      principals: [bob.email],
      authorization_errors_fatal: false,
      announce: true,
      invite_only: true,
      history_public_to_subscribers: false,
    })
    await get('/users/me/subscriptions', { include_subscribers: true })
    await get('/streams', { include_public: false, exclude_archived: false })
    await get(`/users/me/${stream_id}/topics`, { allow_empty_topic_name: true })
    await send('PATCH', `/streams/${stream_id}`, { description: 'A country', new_name: 'Sweden', is_private: true })
    await send('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property: 'pin_to_top', value: true }],
    })
    await send('DELETE', '/users/me/subscriptions', { subscriptions: ['Sweden'], principals: [bob.email] })

    await get('/users', { client_gravatar: false, include_custom_profile_fields: true })
    await get(`/users/${bob.user_id}`, { include_custom_profile_fields: true })
    await send('PATCH', `/users/${bob.user_id}`, { full_name: 'New Name', role: 400, profile_data: [] })
    await send('POST', '/users/me/status', { status_text: 'on vacation', away: true, emoji_name: 'car' })
    await send('POST', '/user_groups/create', { name: 'marketing', description: 'Team.', members: [bob.user_id] })
    await send('PATCH', '/settings', {
      full_name: 'Ada',
      enter_sends: true,
      emojiset: 'google',
      timezone: 'Asia/Kolkata',
    })
    await send('POST', '/typing', { type: 'direct', op: 'start', to: [bob.user_id] })

    const file = join(newFolder(), 'hello.txt')
    writeFileSync(file, 'hello')
    const { url } = await curl(['-X', 'POST', '/user_uploads', '-F', `filename=@${file}`])
    expect(url).toMatch(/^\/user_uploads\/\d+\/[^/]+\/hello\.txt$/)
    await get(url as string)

    const queue = await send('POST', '/register', { event_types: ['message'] })
    await send('DELETE', '/events', { queue_id: queue.queue_id })
    await curl(['-X', 'GET', '/server_settings'], null)
  })
})
