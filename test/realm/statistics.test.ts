/** The statistics of an organization: messages by day, who was active, and the size of files. */
import { expect, test } from 'vitest'
import { postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'

const DAY = 86_400

const dayOf = (seconds: number) => seconds - (seconds % DAY)

test('An administrator reads how many messages were sent on each day, by how many people.', async () => {
  await using realm = await newRealm()
  const [abe, mia, robot] = (await realm.people(
    { full_name: 'Abe', role: 200 },
    { full_name: 'Mia' },
    { full_name: 'Robot', bot: { type: 1, owner_id: 1 } },
  )) as [Person, Person, Person]
  const principals = [abe, mia, robot].map(({ user_id }) => user_id)
  await ok(abe, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'team' }], principals })
  const ids: number[] = []
  for (const by of [abe, abe, mia, mia, abe, robot, mia]) ids.push(await postMessage(by, 'team', 'plans'))
  ids.push(await sendDirectMessage(mia, [abe]))
  const now = Math.floor(Date.now() / 1000)
  // The first one is older than what is asked for, and the second one is deleted: its id is a hole.
  const daysAgo = [40, 3, 3, 3, 2, 2, 0, 0]
  for (const [index, id] of ids.entries()) {
    await realm.sql`
      update messages set timestamp = ${now - (daysAgo[index] ?? 0) * DAY}
      where realm_id = ${realm.realm_id} and id = ${id}`
  }
  await ok(abe, 'DELETE', `/messages/${ids[1]}`)
  await ok(mia, 'POST', '/users/me/presence', { status: 'active' })
  const statistics = await ok(abe, 'GET', '/realm/statistics', { days: 7 })
  expect(statistics).toMatchObject({
    days: [
      { timestamp: dayOf(now - 3 * DAY), channel_messages: 2, direct_messages: 0, senders: 1 },
      { timestamp: dayOf(now - 2 * DAY), channel_messages: 2, direct_messages: 0, senders: 1 },
      { timestamp: dayOf(now), channel_messages: 1, direct_messages: 1, senders: 1 },
    ],
    active_users: { day: 1, week: 1, month: 1 },
    upload_bytes: 0,
  })
  expect((await ok(abe, 'GET', '/realm/statistics', { days: 60 })).days).toHaveLength(4)
})

test('An organization without messages has empty statistics, and members do not read them.', async () => {
  await using realm = await newRealm()
  const [abe, mia] = (await realm.people({ full_name: 'Abe', role: 200 }, { full_name: 'Mia' })) as [Person, Person]
  expect(await ok(abe, 'GET', '/realm/statistics')).toMatchObject({
    days: [],
    active_users: { day: 0, week: 0, month: 0 },
    upload_bytes: 0,
  })
  expect((await call(mia, 'GET', '/realm/statistics')).body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
})
