/** The statements that a call puts to Postgres, heard on the wire: a client's start must stay cheap for the database. */
import { expect, inject, test } from 'vitest'
import { setRealm } from '../setup/change.js'
import { countingProxy } from '../setup/counting-proxy.js'
import { channel } from '../setup/office.js'
import { startGateway } from '../setup/processes.js'
import { newRealm, ok, type Person } from '../setup/realm.js'

/** So many letters of a statement are enough to know it by. */
const BEGINNING = 36

test('a registration is two statements, and a send is one', { timeout: 60_000 }, async () => {
  await using proxy = await countingProxy(inject('database_url'))
  // The anti-entropy check would be heard too.
  await using gateway = await startGateway({ DATABASE_URL: proxy.url, ANTI_ENTROPY_MS: '600000' })
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  // The worker's notice of the channel would come among the calls, and be asked for if it came late.
  await setRealm(realm, { send_channel_events_messages: false })
  await channel(ada, 'design', [ada])
  const options = { url: gateway.url }
  const register = () => ok(ada, 'POST', '/register', { apply_markdown: true }, options)
  const send = () =>
    ok(ada, 'POST', '/messages', { type: 'stream', to: 'design', topic: 'tea', content: 'The kettle is on.' }, options)
  /** How each begins of those that a call put, but for the one that is put by the clock, once a minute. */
  const statementsOf = async (call: () => Promise<unknown>): Promise<string[]> => {
    const before = proxy.statements().length
    await call()
    const put = proxy.statements().slice(before)
    return put
      .filter((text) => !text.startsWith('update event_queues set expires_at'))
      .map((text) => text.slice(0, BEGINNING))
  }
  // Loads the realm, and describes the statements; a topic is new until its second message.
  await register()
  for (const _ of [1, 2]) await send()

  for (const _ of [1, 2, 3]) {
    expect(await statementsOf(register)).toEqual([
      'select realm_id, log_seq from log_he',
      'with content as materialized (select',
    ])
    expect(await statementsOf(send)).toEqual(['with head as ( update log_heads set '])
  }
})
