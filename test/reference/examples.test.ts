/**
 * The examples of the API reference (src/gateway/site/examples.json) are what a server answers.
 *
 * `npm test -- test/reference/examples.test.ts -u` records them again.
 */
import { expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { hasEvent } from '../../src/domain/log/entry-kind.js'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import type { Person } from '../setup/realm/realm.js'
import { runExampleCalls, unshownCalls, unshownEvents } from './example-calls.js'
import { openRecorder } from './example-recorder.js'

test('Every example of the reference is what the server answers: `-u` records them again.', {
  timeout: 120_000,
}, async () => {
  // A database of its own: the ids of the first organization are the same in every run.
  await using fleet = await startOwnFleet({ PUBLIC_URL: 'https://example.com', LONG_WORK_WAIT_MS: '1000' })
  const [mira, sam, lena] = (await fleet.realm.people(
    { full_name: 'Mira', role: Role.owner },
    { full_name: 'Sam' },
    { full_name: 'Lena' },
  )) as [Person, Person, Person]
  const kinds = [...entryKinds.values()].filter(hasEvent).map(({ kind }) => kind)
  const recorder = openRecorder(fleet.gateway.url, fleet.realm.host, new Set(kinds))
  await runExampleCalls(recorder, { mira, sam, lena })
  const { calls, events } = recorder.recording
  const text = `${JSON.stringify({ calls: sortByName(calls), events: sortByName(events) }, null, 1)}\n`
  await expect(text).toMatchFileSnapshot('../../src/gateway/site/examples.json')

  // The others are pages and files at the root of the site.
  const callable = Object.entries(registry).filter(([, { site }]) => site !== true)
  expect(
    callable.map(([name]) => name).filter((name) => calls[name] === undefined && unshownCalls[name] === undefined),
  ).toEqual([])
  expect(Object.keys(unshownCalls).filter((name) => calls[name] !== undefined)).toEqual([])
  const missing = kinds.filter((kind) => events[kind] === undefined)
  expect(missing.sort()).toEqual(Object.keys(unshownEvents).sort())
})

const sortByName = (record: object) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
