/** The weekly traffic of channels, and whether they are recently active. */
import { describe, expect, test } from 'vitest'
import { DAY, secondsNow } from '../../rules/src/time.js'
import { weeklyTraffic } from '../../src/domain/channels/channel-activity.js'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { claimRealmToCount, countChannels } from '../../src/store/channels/channel-activity.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { commitRowChanges, updateChannelRow, withWriteContext } from '../setup/realm/row-changes.js'

const count = (realm: TestRealm) =>
  withWriteContext(realm, (context) => countChannels(context.dependencies, realm.realm_id, async () => realm.realm))

const streamOf = async (by: Person, stream_id: number) => (await ok(by, 'GET', `/streams/${stream_id}`)).stream

describe('The weekly traffic of a channel', () => {
  const now = 1_700_000_000
  test.each([
    [6, 100, null],
    [7, 10, 10],
    [14, 10, 5],
    [28, 10, 2],
    [400, 10, 2],
    [400, 1, 1],
    [400, 0, 0],
    [28, 4 * 1_234, 1_200],
  ])('A channel that is %i days old with %i recent messages has a weekly traffic of %o.', (days, recent, traffic) => {
    expect(weeklyTraffic(recent, now - days * DAY, now)).toBe(traffic)
  })

  test('The count includes the messages of the last four weeks, and an event reports a new value once.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const design = await createChannel(ada, 'design', [ada, grace])
    const youngChannel = await createChannel(ada, 'young', [ada])
    const now = secondsNow()
    for (let i = 0; i < 6; i++) await postMessage(ada, 'design', 'logo')
    await postMessage(ada, 'young', 'logo')
    await realm.sql`
      update messages set timestamp = ${now - 40 * DAY} where realm_id = ${realm.realm_id} and id in (
        select id from messages where realm_id = ${realm.realm_id} order by id limit 2
      )`
    await updateChannelRow(realm, 'design', { date_created: now - 14 * DAY })
    const graceListener = await listen(grace)
    await count(realm)
    expect(await graceListener.events()).toEqual([
      {
        id: expect.any(Number),
        type: 'stream',
        op: 'update',
        stream_id: design,
        name: 'design',
        property: 'stream_weekly_traffic',
        value: 2,
      },
    ])
    expect(await streamOf(grace, design)).toMatchObject({ stream_weekly_traffic: 2 })
    expect(await streamOf(grace, youngChannel)).toMatchObject({ stream_weekly_traffic: null })
    await count(realm)
    expect(await graceListener.eventNames()).toEqual([])
  })
})

test('A channel without messages for half a year is inactive until a user posts in it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  const now = secondsNow()
  await postMessage(ada, 'design', 'logo')
  await updateChannelRow(realm, 'design', { date_created: now - 200 * DAY })
  await count(realm)
  expect(await streamOf(grace, design)).toMatchObject({ is_recently_active: true })
  await realm.sql`update messages set timestamp = ${now - 181 * DAY} where realm_id = ${realm.realm_id}`
  const graceListener = await listen(grace)
  await count(realm)
  expect(await streamOf(grace, design)).toMatchObject({ is_recently_active: false })
  await postMessage(ada, 'design', 'logo')
  expect(await streamOf(grace, design)).toMatchObject({ is_recently_active: true })
  const received = (await graceListener.events()).filter(({ property }) => property === 'is_recently_active')
  expect(received.map(({ value }) => value)).toEqual([false, true])
})

test('Each realm is counted at most once a day.', async () => {
  const { realm } = await newQuietRealm('Ada')
  await using _ = realm
  const takeRealms = async () => {
    const ids: number[] = []
    for (let id = await claimRealmToCount(realm.sql); id !== undefined; id = await claimRealmToCount(realm.sql))
      ids.push(id)
    return ids
  }
  expect(await takeRealms()).not.toContain(realm.realm_id)
  await commitRowChanges(realm, [composeUpdate('realms', realm.realm.state.realm, { date_created: 0 })])
  const counted = async () =>
    (
      await realm.sql<{ counted_at: Date }[]>`select counted_at from channel_counts where realm_id = ${realm.realm_id}`
    )[0]
  await takeRealms()
  const first = await counted()
  expect(first).toBeDefined()
  await takeRealms()
  expect(await counted()).toEqual(first)
})
