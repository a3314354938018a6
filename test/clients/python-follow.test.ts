/**
 * Python programs that follow events for a long time while gateways are killed, drained and replaced.
 *
 * Ten minutes by hand:  PARLEY_FOLLOW_SECONDS=600 npm test -- test/clients/python-follow.test.ts
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newRealm, ok } from '../setup/realm/realm.js'
import { startChangingFleet } from './changing-fleet.js'
import { pause } from './pause.js'
import { findPython, type Running, startProgram, waitUntil } from './python.js'
import { createPythonAccounts } from './python-accounts.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (skipped: ${python.missing})`

const SECONDS = Number(process.env.PARLEY_FOLLOW_SECONDS ?? 20)
/** Milliseconds between two replacements of a gateway. */
const PERIOD_MS = SECONDS < 60 ? (SECONDS * 1000) / 4 : 30_000

const receivedEvents = ({ lines }: Running): unknown[][] =>
  lines.filter((line) => line.startsWith('[')).map((line) => JSON.parse(line))

describe.skipIf(python.missing)(`Python programs that follow events${because}`, () => {
  const title = `A program receives every event once while gateways are replaced for ${SECONDS} seconds.`
  test(title, { timeout: (SECONDS + 90) * 1000 }, async () => {
    await using realm = await newRealm()
    await using fleet = await startChangingFleet(realm.host)
    const { ada, env } = await createPythonAccounts(realm, fleet.address.url)
    const follow = (what: string) =>
      startProgram(join(python.bin, 'python'), [join(import.meta.dirname, 'follow.py'), what], env)
    await using messages = follow('messages')
    await using events = follow('events')
    const say = (content: string) =>
      ok(ada, 'POST', '/messages', { type: 'stream', to: 'Denmark', topic: 'castle', content })
    await waitUntil(async () => {
      await say('are you there?')
      return [messages, events].every((running) => receivedEvents(running).length > 0)
    }, [messages, events])
    await say('begin')

    const expected: unknown[][] = []
    const began = Date.now()
    const replacements = (async () => {
      for (let n = 0; Date.now() - began < SECONDS * 1000 - PERIOD_MS; n++) {
        await pause(PERIOD_MS)
        await fleet.replace(n % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
      }
    })()
    for (let n = 0; Date.now() - began < SECONDS * 1000; n++) {
      const { id } = await say(`word ${n}`)
      expected.push(['message', `word ${n}`])
      if (n % 5 === 0) {
        await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
        expected.push(['reaction', 'add', id])
      }
      await pause(50)
    }
    await replacements
    await say('end')
    expected.push(['message', 'end'])

    const since = (running: Running) => {
      const all = receivedEvents(running)
      return all.slice(all.findIndex(([, content]) => content === 'begin') + 1)
    }
    const haveFinished = () => [messages, events].every((running) => since(running).at(-1)?.[1] === 'end')
    await waitUntil(haveFinished, [])
    expect(since(events)).toEqual(expected)
    expect(since(messages)).toEqual(expected.filter(([type]) => type === 'message'))
    console.log(`received ${expected.length} events; ${fleet.address.countBroken()} requests lost their gateway`)
  })
})
