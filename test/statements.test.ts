/** How many statements a call puts to Postgres, counted on the wire: a client's start must stay cheap for the database. */
import { expect, inject, test } from 'vitest'
import { countingProxy } from './setup/counting-proxy.js'
import { channel } from './setup/office.js'
import { startGateway } from './setup/processes.js'
import { newRealm, ok, type Person } from './setup/realm.js'

test('a registration is two statements, and a send is one', { timeout: 60_000 }, async () => {
  await using proxy = await countingProxy(inject('database_url'))
  // The anti-entropy check would be counted too.
  await using gateway = await startGateway({ DATABASE_URL: proxy.url, ANTI_ENTROPY_MS: '600000' })
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await channel(ada, 'design', [ada])
  const options = { url: gateway.url }
  const register = () => ok(ada, 'POST', '/register', { apply_markdown: true }, options)
  const send = () =>
    ok(ada, 'POST', '/messages', { type: 'stream', to: 'design', topic: 'tea', content: 'The kettle is on.' }, options)
  // What the gateway does by itself now and then falls into one count, and not into all.
  const counted = async (call: () => Promise<unknown>) => {
    const counts: number[] = []
    for (let i = 0; i < 3; i++) {
      const before = proxy.statements()
      await call()
      counts.push(proxy.statements() - before)
    }
    return Math.min(...counts)
  }
  // Loads the realm, and describes the statements.
  await register()
  await send()

  expect(await counted(register)).toBeLessThanOrEqual(2)
  expect(await counted(send)).toBe(1)
})
