/**
 * The SQL statements that a request sends to Postgres, counted by a proxy: registering must stay cheap for the
 * database.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { startGateway } from '../setup/processes/processes.js'
import { countingProxy } from '../setup/proxies/counting-proxy.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

/** The first 36 characters are enough to identify a statement. */
const PREFIX_LENGTH = 36
/** So long, nothing else is sent. */
const QUIET_MS = 300

test('A registration sends two statements to Postgres, sending a message one, and fetching a page three.', {
  timeout: 60_000,
}, async () => {
  await using proxy = await countingProxy(inject('database_url'))
  // The statements of the anti-entropy check would be counted too.
  await using gateway = await startGateway({ DATABASE_URL: proxy.url, ANTI_ENTROPY_MS: '600000' })
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  // The worker's message about the new channel could be applied between the calls, and would add a statement.
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await createChannel(ada, 'design', [ada])
  const options = { url: gateway.url }
  const register = () => ok(ada, 'POST', '/register', { apply_markdown: true }, options)
  const send = () =>
    ok(ada, 'POST', '/messages', { type: 'stream', to: 'design', topic: 'tea', content: 'The kettle is on.' }, options)
  const periodic = [
    'update event_queues set expires_at',
    'select name from migrations',
    'select d.id, d.cell, d.database',
    "select current_setting('server_version_num')",
    "select current_setting('plan_cache_mode')",
    // The check of the connection at the start goes on later on a busy machine.
    'select pg_backend_pid() as pid',
    "select lower('ÉI')",
    'select 1',
  ]
  /**
   * The statements so far, without periodic ones: the update of the queues' expiry, and the questions for the health
   * and the load of the database.
   */
  const listStatements = () => proxy.statements().filter((text) => !periodic.some((start) => text.startsWith(start)))
  /** The beginning of each statement that `call` caused. */
  const recordStatements = async (call: () => Promise<unknown>): Promise<string[]> => {
    const before = listStatements().length
    await call()
    return listStatements()
      .slice(before)
      .map((text) => text.slice(0, PREFIX_LENGTH))
  }
  /** On a busy machine, the first calls may still cause statements after their answers. */
  const waitUntilQuiet = async () => {
    for (let before = -1; before !== listStatements().length; ) {
      before = listStatements().length
      await sleep(QUIET_MS)
    }
  }
  const fetch = () =>
    ok(ada, 'GET', '/messages', { anchor: 'newest', num_before: 10, narrow: [['channel', 'design']] }, options)
  // The first calls load the realm and prepare the statements; a topic counts as new until its second message.
  await register()
  for (const _ of [1, 2]) await send()
  await waitUntilQuiet()

  for (const _ of [1, 2, 3]) {
    expect(await recordStatements(register)).toEqual([
      'select realm_id, log_seq from log_he',
      'with content as materialized (select',
    ])
    expect(await recordStatements(send)).toEqual(['with head as ( update log_heads set '])
  }
  await fetch()
  await waitUntilQuiet()
  const page = [
    'select realm_id, log_seq from log_he',
    'with named as materialized ( select ',
    'with page as materialized ( select (',
  ]
  expect(await recordStatements(fetch)).toEqual(page)
  const { messages } = await fetch()
  await ok(ada, 'POST', `/messages/${messages[0]?.id}/reactions`, { emoji_name: 'tada' }, options)
  await waitUntilQuiet()
  expect(await recordStatements(fetch)).toEqual([...page, 'select message_id, emoji_name, emoji'])
})
