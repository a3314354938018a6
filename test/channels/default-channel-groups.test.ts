/** Groups of default channels, which new users can choose from. */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { readRefusal } from '../setup/realm/refusals.js'

const create = (by: Person, group_name: string, stream_names: string[], description = '') =>
  call(by, 'POST', '/default_stream_groups/create', { group_name, description, stream_names })

const groupsOf = async (by: Person) =>
  (await ok(by, 'POST', '/register', { fetch_event_types: ['default_stream_groups'] })).realm_default_stream_groups

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Gus')
  const [owner, guest] = (await realm.people(
    { full_name: 'Olga', role: Role.owner },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person]
  const [ada] = people as [Person, Person]
  const one = await createChannel(ada, 'one', [ada])
  const two = await createChannel(ada, 'two', [ada])
  await createChannel(ada, 'secret', [ada, owner], { invite_only: true })
  return { realm, owner, ada, guest, one, two }
}

test('An owner can create, change and delete groups of default channels, members see them, and guests do not.', async () => {
  const { realm, owner, ada, guest, one, two } = await setUp()
  await using _ = realm
  const [adaListener, guestListener] = [await listen(ada), await listen(guest)]
  expect((await create(owner, ' Engineers ', ['two', 'ONE', 'two'], 'who build')).status).toBe(200)
  const [group] = (await groupsOf(ada)) as { id: number }[]
  const id = group?.id as number
  expect(group).toEqual({ id, name: 'Engineers', description: 'who build', streams: [one, two] })
  expect(await groupsOf(guest)).toEqual([])
  await ok(owner, 'PATCH', `/default_stream_groups/${id}`, { new_description: 'who repair' })
  await ok(owner, 'PATCH', `/default_stream_groups/${id}/streams`, { op: 'remove', stream_names: ['one'] })
  await ok(owner, 'PATCH', `/default_stream_groups/${id}/streams`, { op: 'add', stream_names: ['one'] })
  const now = { id, name: 'Engineers', description: 'who repair', streams: [one, two] }
  expect(await groupsOf(ada)).toEqual([now])
  await ok(owner, 'DELETE', `/default_stream_groups/${id}`)
  expect(await groupsOf(ada)).toEqual([])
  expect((await adaListener.events()).map((event) => event.default_stream_groups)).toEqual([
    [group],
    [{ ...now, streams: [one, two] }],
    [{ ...now, streams: [two] }],
    [now],
    [],
  ])
  expect(await guestListener.eventNames()).toEqual([])
})

test('A member cannot create a group of default channels, and the server refuses invalid names and channels.', async () => {
  const { realm, owner, ada, one } = await setUp()
  await using _ = realm
  const msg = async (answer: ReturnType<typeof call>) => (await readRefusal(answer)).msg
  expect(await msg(create(ada, 'mine', []))).toBe('Only administrators may change the default channels.')
  expect(await msg(create(owner, 'a', ['secret']))).toBe('A private channel cannot be a default channel.')
  expect(await msg(create(owner, 'a', ['three']))).toBe('There is no channel named “three”, or you may not see it.')
  await ok(owner, 'POST', '/default_streams', { stream_id: one })
  expect((await create(owner, 'a', ['one'])).status).toBe(400)
  expect((await create(owner, ' ', [])).status).toBe(400)
  expect((await create(owner, 'a', ['two'])).status).toBe(200)
  expect((await create(owner, 'a', [])).status).toBe(400)
  const [{ id }] = (await groupsOf(owner)) as [{ id: number }, ...unknown[]]
  const patch = (params: object, path = '') =>
    call(owner, 'PATCH', `/default_stream_groups/${id}${path}`, { ...params })
  expect(await msg(patch({}))).toBe('Nothing to change: send new_description or new_group_name.')
  expect(await msg(patch({ op: 'swap', stream_names: [] }, '/streams'))).toBe('op must be add or remove.')
  expect((await patch({ op: 'add', stream_names: ['two'] }, '/streams')).status).toBe(400)
  expect((await patch({ op: 'remove', stream_names: ['one'] }, '/streams')).status).toBe(400)
  expect((await call(owner, 'DELETE', `/default_stream_groups/${id + 1}`)).status).toBe(400)
  expect((await patch({ new_group_name: 'a' })).status).toBe(200)
})

test('A channel that is archived or made private leaves its groups of default channels.', async () => {
  const { realm, owner, ada, one, two } = await setUp()
  await using _ = realm
  await create(owner, 'a', ['one', 'two'])
  await ok(owner, 'DELETE', `/streams/${one}`)
  expect(await groupsOf(owner)).toMatchObject([{ streams: [two] }])
  await ok(ada, 'PATCH', `/streams/${two}`, { is_private: true })
  expect(await groupsOf(owner)).toMatchObject([{ streams: [] }])
})

test('A guest who becomes a member receives the groups, and an empty list on becoming a guest again.', async () => {
  const { realm, owner, guest } = await setUp()
  await using _ = realm
  await create(owner, 'a', ['one'])
  const guestListener = await listen(guest, { event_types: ['default_stream_groups'] })
  await ok(owner, 'PATCH', `/users/${guest.user_id}`, { role: Role.member })
  await ok(owner, 'PATCH', `/users/${guest.user_id}`, { role: Role.guest })
  expect((await guestListener.events()).map((event) => event.default_stream_groups)).toMatchObject([
    [{ name: 'a' }],
    [],
  ])
})
