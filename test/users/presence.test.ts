/** Presence of users, in the formats that clients request. */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const ping = (by: Person, params: Record<string, unknown> = {}) =>
  ok(by, 'POST', '/users/me/presence', { status: 'active', ...params })

test('Other users see the presence that a user reports, in the legacy and in the slim format.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const now = expect.any(Number)
  const first = await ping(ada, { last_update_id: -1 })
  expect(first).toMatchObject({
    presence_last_update_id: 1,
    presences: { [ada.user_id]: { active_timestamp: now, idle_timestamp: now } },
  })
  const next = await ping(grace, { last_update_id: first.presence_last_update_id })
  expect(Object.keys(next.presences as object)).toEqual([String(grace.user_id)])
  const website = { client: 'website', status: 'active', timestamp: now, pushable: false }
  const legacy = (await ping(ada)).presences as Record<string, unknown>
  expect(legacy[grace.email]).toMatchObject({ website, aggregated: { client: 'website', status: 'active' } })
  expect(await ok(ada, 'GET', '/realm/presence')).toMatchObject({ presences: legacy })
  expect(await ok(ada, 'GET', `/users/${grace.user_id}/presence`)).toMatchObject({
    presence: { aggregated: { status: 'active', timestamp: now } },
  })
  expect(Object.keys(await ping(ada, { ping_only: true }))).toEqual(['result', 'msg'])
  const asked = { fetch_event_types: ['presence'] }
  expect(await ok(ada, 'POST', '/register', { ...asked, slim_presence: true })).toMatchObject({
    presence_last_update_id: 2,
    presences: { [grace.user_id]: { active_timestamp: now } },
  })
  expect(await ok(ada, 'POST', '/register', asked)).toMatchObject({ presences: { [grace.email]: { website } } })
})

test('A registration has the presence of as many days as the client asks for.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
  await using _ = realm
  const [ada, grace, mary] = people as [Person, Person, Person]
  for (const one of people) await ping(one)
  const move = (one: Person, days: number) => realm.sql`
    update presence set connected_at = connected_at - ${days * 86_400}, active_at = active_at - ${days * 86_400}
    where realm_id = ${realm.realm_id} and user_id = ${one.user_id}`
  await move(grace, 3)
  await move(mary, 20)
  const listed = async (presence_history_limit_days?: number) => {
    const asked = { fetch_event_types: ['presence'], slim_presence: true, presence_history_limit_days }
    const { presences } = await ok<{ presences: object }>(ada, 'POST', '/register', asked)
    return Object.keys(presences).map(Number)
  }
  expect(await listed()).toEqual([ada, grace].map(({ user_id }) => user_id))
  expect(await listed(2)).toEqual([ada.user_id])
  expect(await listed(30)).toEqual([ada, grace, mary].map(({ user_id }) => user_id))
})

test('The server refuses an unknown status, an unknown user and a user without known presence.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  expect(await readRefusal(call(ada, 'POST', '/users/me/presence', { status: 'asleep' }))).toEqual(
    badRequest('status must be active or idle, not asleep.'),
  )
  const of = (whom: string | number) => readRefusal(call(ada, 'GET', `/users/${whom}/presence`))
  expect(await of(999)).toEqual(badRequest('There is no such user.'))
  expect(await of(grace.email)).toEqual(badRequest(`No presence is recorded for ${grace.email}.`))
})

test('A restricted guest receives no presence of users they share no channel with.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [guest] = (await realm.people({ full_name: 'Gus', role: Role.guest })) as [Person]
  await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
  await createChannel(ada, 'one', [ada, guest])
  const guestListener = await listen(guest, { event_types: ['presence'] })
  await ping(ada)
  await ping(grace)
  const accessible = [ada.email, guest.email].sort()
  expect(Object.keys((await ping(guest)).presences as object).sort()).toEqual(accessible)
  const { presences } = await ok(guest, 'GET', '/realm/presence')
  expect(Object.keys(presences).sort()).toEqual(accessible)
  const slim = await ping(guest, { last_update_id: -1 })
  expect(Object.keys(slim.presences as object)).toEqual([ada, guest].map(({ user_id }) => String(user_id)))
  const registered = await ok(guest, 'POST', '/register', { fetch_event_types: ['presence'] })
  expect(Object.keys(registered.presences).sort()).toEqual(accessible)
  expect((await guestListener.collect(2)).map(({ user_id }) => user_id)).toEqual([ada.user_id, guest.user_id])
})
