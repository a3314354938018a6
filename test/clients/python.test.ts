/**
 * The Python bindings and the programs that come with them, unmodified, with nothing but a zuliprc.
 *
 * What they see is looked at by Python programs beside this file; a client of the field is right by definition.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm.js'
import { configure } from '../setup/structure.js'
import { type OneAddress, oneAddress } from './one-address.js'
import { type Ended, findPython, runProgram } from './python.js'
import { zuliprc } from './zuliprc.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (passed over: ${python.missing})`

/** Ada, an owner, Bob, a member, and Ada's bot, each by a zuliprc. */
const accounts = async (realm: TestRealm, address: OneAddress) => {
  const [ada, bob] = (await realm.people({ full_name: 'Ada', role: 100 }, { full_name: 'Bob' })) as [Person, Person]
  await configure(realm, { send_channel_events_messages: false })
  const created = await ok<{ api_key: string }>(ada, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
  const { bots } = await ok<{ bots: { username: string; api_key: string }[] }>(ada, 'GET', '/bots')
  const robot = bots.find((bot) => bot.api_key === created.api_key)
  if (robot === undefined) throw new Error('a bot that was made is not among the bots')
  return {
    OWNER_RC: zuliprc(ada, address.url),
    MEMBER_RC: zuliprc(bob, address.url),
    BOT_RC: zuliprc({ email: robot.username, api_key: robot.api_key }, address.url),
  }
}

const runScript = (name: string, env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  runProgram(join(python.bin, 'python'), [join(import.meta.dirname, name), ...args], env)

/** Fails with what the program wrote. */
const succeeded = ({ status, out }: Ended): string => {
  expect(status, out).toBe(0)
  return out
}

describe.skipIf(python.missing)(`the Python bindings${because}`, () => {
  test('have no method that does not work', { timeout: 90_000 }, async () => {
    await using realm = await newRealm()
    await using address = await oneAddress(realm.host, gateways())
    const out = succeeded(await runScript('every_method.py', await accounts(realm, address)))
    expect(out).toContain('OK')
  })
})
