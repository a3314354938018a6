/**
 * Each call of the reference, made as the answer to an event: it moves the position of its caller in the transaction of
 * its change, or is refused because it takes no `ack` (protocol/events.md 1.14).
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { takesAck } from '../../src/gateway/call/acknowledge.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { openRecorder, type Params } from './example-recorder.js'
import { file, openSampleOrganization, password } from './sample-organization.js'

/** Calls after which the caller can make no others. */
const final = new Set(['regenerateOwnApiKey', 'deactivateOwnUser', 'deactivateRealm'])

/** Calls whose examples change nothing: they move the position when they are done. */
const unchanging = new Set(['deleteOwnProfileData', 'runCommand'])

const shown = Object.entries<Endpoint>(registry).filter(
  ([name, { method, site, noExample }]) =>
    method !== 'GET' && site !== true && noExample === undefined && !final.has(name),
)

test('Every call moves a position together with its change, or is refused.', { timeout: 120_000 }, async () => {
  await using realm = await newRealm()
  const [mira, sam, lena] = (await realm.people(
    { full_name: 'Mira', role: Role.owner, password },
    { full_name: 'Sam' },
    { full_name: 'Lena' },
  )) as [Person, Person, Person]
  const { send } = openRecorder(gateways()[0] as string, realm.host, new Set())
  const { makeAll, fill, forget } = openSampleOrganization({ mira, sam, lena }, send)
  await makeAll()
  const { queue_id, last_event_id } = await ok(mira, 'POST', '/register', { event_types: [], queue_name: 'examples' })
  let event_id = last_event_id as number
  /** Whether the transaction that moved the position also wrote to the log. */
  const findMove = async () => {
    const [row] = await realm.sql<{ event_id: number; has_change: boolean }[]>`
      select event_id, exists (select from log l where l.realm_id = p.realm_id and l.xmin = p.xmin) as has_change
      from queue_positions p where realm_id = ${realm.realm_id} and name = 'examples'`
    return row?.event_id === event_id ? row : undefined
  }
  const hasMovedWithChange = async () => (await findMove())?.has_change === true
  const hasMovedAlone = async () => (await findMove())?.has_change === false

  const wrong: string[] = []
  for (const [name, endpoint] of shown) {
    const { method, paths, list, example = {} } = endpoint
    const inPath = list.filter(([, { wire }]) => wire === 'path' || wire === 'rest').map(([key]) => key)
    const used = new Set<string>()
    const filled: Params = await fill(
      { ...Object.fromEntries(inPath.map((key) => [key, `{${key}}`])), ...example },
      used,
    )
    const path = paths[0].replace(/\{(\w+)\}/g, (_, key: string) => String(filled[key]))
    const params = Object.fromEntries(Object.entries(filled).filter(([key]) => !inPath.includes(key)))
    event_id += 1
    const acked = { ...params, ack: { queue_id, event_id } }
    const by = endpoint.callers === 'anyone' ? undefined : mira
    const error = await send(by, method, path, acked, endpoint.rateLimit === 'uploads' ? file : undefined).then(
      () => '',
      String,
    )
    const hasMoved = unchanging.has(name) ? hasMovedAlone : hasMovedWithChange
    const isRight = takesAck(endpoint) ? error === '' && (await hasMoved()) : error.includes('takes no ack')
    if (!isRight) wrong.push(`${name}: ${error}`)
    forget(used)
  }
  expect(wrong).toEqual([])
})
