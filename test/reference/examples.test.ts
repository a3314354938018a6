/**
 * The examples of the API reference (src/gateway/site/examples.json) are what a server answers to the calls that the
 * endpoints declare. `npm test -- test/reference/examples.test.ts -u` records them again.
 */
import { expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { hasEvent } from '../../src/domain/log/entry-kind.js'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import type { Person } from '../setup/realm/realm.js'
import { openRecorder, type Params, type Recorder } from './example-recorder.js'
import { file, openSampleOrganization, password, type SampleOrganization } from './sample-organization.js'

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_settings_object: true,
  linkifier_url_template: true,
  stream_typing_notifications: true,
}

/** Calls after which the caller can make no others, and who makes them. They come last, in this order. */
const finalCalls = { regenerateOwnApiKey: 'sam', deactivateOwnUser: 'lena', deactivateRealm: 'mira' } as const
const isFinal = (name: string): name is keyof typeof finalCalls => name in finalCalls

/** The endpoints that the reference shows: reads first, while nothing is changed or deleted. */
const findShown = (): [string, Endpoint][] => {
  const shown = Object.entries<Endpoint>(registry).filter(
    ([, { site, noExample }]) => site !== true && noExample === undefined,
  )
  const placeOf = ([name, { method }]: [string, Endpoint]): number =>
    isFinal(name) ? 2 + Object.keys(finalCalls).indexOf(name) : Number(method !== 'GET')
  return shown.sort((a, b) => placeOf(a) - placeOf(b))
}

/** Makes the call that an endpoint declares, and records it. */
const recordExample = async (
  { send, record }: Recorder,
  { fill, forget }: SampleOrganization,
  [name, { method, paths, list, rateLimit, example = {} }]: [string, Endpoint],
  by: Person | undefined,
): Promise<void> => {
  const inPath = list.filter(([, { wire }]) => wire === 'path' || wire === 'rest').map(([key]) => key)
  const [usedInPath, used] = [new Set<string>(), new Set<string>()]
  const pathParams: Params = await fill(
    Object.fromEntries(inPath.map((key) => [key, example[key] ?? `{${key}}`])),
    usedInPath,
  )
  const rest = Object.fromEntries(Object.entries(example).filter(([key]) => !inPath.includes(key)))
  const params: Params = await fill(rest, used)
  const path = paths[0].replace(/\{(\w+)\}/g, (_, key: string) => String(pathParams[key]))
  const answer = await send(by, method, path, params, rateLimit === 'uploads' ? file : undefined)
  record(name, { ...pathParams, ...params }, answer)
  // A call may have changed what its path names, and deleted all that it names.
  if (method !== 'GET') forget(usedInPath)
  if (method === 'DELETE') forget(used)
}

test('Every example of the reference is what the server answers: `-u` records them again.', {
  timeout: 120_000,
}, async () => {
  // A database of its own: the ids of the first organization are the same in every run.
  await using fleet = await startOwnFleet({ PUBLIC_URL: 'https://example.com', LONG_WORK_WAIT_MS: '1000' })
  const [mira, sam, lena] = (await fleet.realm.people(
    { full_name: 'Mira', role: Role.owner, password },
    { full_name: 'Sam' },
    { full_name: 'Lena' },
  )) as [Person, Person, Person]
  const cast = { mira, sam, lena }
  const kinds = [...entryKinds.values()].filter(hasEvent)
  const recorder = openRecorder(fleet.gateway.url, fleet.realm.host, new Set(kinds.map(({ kind }) => kind)))
  const queues = await Promise.all(
    [mira, sam].map(async (by) => {
      const wanted = { fetch_event_types: [], client_capabilities: capabilities }
      return { by, queue: await recorder.send(by, 'POST', '/register', wanted) }
    }),
  )
  const readEvents = async () => {
    for (const { by, queue } of queues) await recorder.readEvents(by, queue)
  }

  const samples = openSampleOrganization(cast, recorder.send)
  await samples.makeAll()
  for (const [name, endpoint] of findShown()) {
    const by = endpoint.callers === 'anyone' ? undefined : cast[isFinal(name) ? finalCalls[name] : 'mira']
    await recordExample(recorder, samples, [name, endpoint], by)
    if (!isFinal(name)) await readEvents()
  }

  const { calls, events } = recorder.recording
  const text = `${JSON.stringify({ calls: sortByName(calls), events: sortByName(events) }, null, 1)}\n`
  await expect(text).toMatchFileSnapshot('../../src/gateway/site/examples.json')
  for (const { kind, noExample } of kinds) {
    expect(events[kind] === undefined, `${kind} has an example, or a reason for none`).toBe(noExample !== undefined)
  }
})

const sortByName = (record: object) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
