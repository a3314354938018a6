/**
 * Typing: told at once to those who take it, and never stored.
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { watchersAmong, watchersOfChannel } from '../../src/domain/messages/typing.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { setChannel, setRealm, setUser } from '../setup/change.js'
import { channel, office, post, refusal, refused, write } from '../setup/office.js'
import { type Cursor, readSome, type WireEvent } from '../setup/reader.js'
import { call, gateways, ok, type Person } from '../setup/realm.js'
import { StateBuilder } from '../setup/state.js'

/** What somebody who listens hears of something that is done again and again until they hear something. */
const heard = async (by: Person, act: () => Promise<unknown>, asked: Record<string, unknown> = {}) => {
  const [url = '', elsewhere = ''] = gateways()
  const cursor = await ok<Cursor>(by, 'POST', '/register', { fetch_event_types: [], ...asked }, { url })
  let events: WireEvent[] | undefined
  const reading = readSome('poll', elsewhere, by, cursor, 10_000).then((some) => {
    events = some
  })
  while (events === undefined) {
    await act()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await reading
  return events[0]
}

const capable = { client_capabilities: { notification_settings_null: true, stream_typing_notifications: true } }
const say = (by: Person, params: Record<string, unknown>) => call(by, 'POST', '/typing', { op: 'start', ...params })

const invalid = refused('There is no such message, or it is not yours to read.')

test('people in a conversation hear who writes to them, on every gateway', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [one, other] = [ada, grace].map(({ user_id, email }) => ({ user_id, email }))
  for (const hearing of [grace, ada]) {
    expect(await heard(hearing, () => say(ada, { to: [grace.user_id] }))).toEqual({
      id: expect.any(Number),
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender: one,
      recipients: [one, other],
    })
  }
})

test('who writes in a channel is news to those who want it, while they are not too many', () => {
  const world = new StateBuilder()
  const { id } = world.channel()
  const join = (given = {}) => world.subscribe(world.user(given), world.state.channels.get(id) as never)
  for (let i = 0; i < 99; i++) join()
  join({ settings: { receives_typing_notifications: false } })
  const { users } = watchersOfChannel(world.state, id)
  expect(users).toEqual(Array.from({ length: 99 }, (_, i) => i + 1))
  join()
  expect(watchersOfChannel(world.state, id)).toEqual({})
  const [gone, here] = [world.user({ is_active: false }), world.user()]
  expect(watchersAmong(world.state, [gone.id, here.id])).toEqual([here.id])
})

test('subscribers hear who writes in a channel, if their client takes that', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await channel(ada, 'design', [ada, grace])
  const write = () => say(ada, { op: 'stop', type: 'channel', stream_id, topic: '' })
  expect(await heard(grace, write, capable)).toMatchObject({
    type: 'typing',
    op: 'stop',
    message_type: 'stream',
    stream_id,
    topic: 'general chat',
  })
  const nowhere = () => say(ada, { type: 'stream', stream_id, topic: '(no topic)' })
  const knowing = { client_capabilities: { ...capable.client_capabilities, empty_topic_name: true } }
  expect(await heard(grace, nowhere, knowing)).toMatchObject({ op: 'start', topic: '' })
  let times = 0
  const later = async () => {
    await write()
    if (++times === 10) await post(ada, 'design', 'logo')
  }
  expect(await heard(grace, later)).toMatchObject({ type: 'message' })
})

test('who rewrites a message is told of too, by either path', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const channel_id = await channel(ada, 'design', [ada, grace])
  const [inChannel, direct] = [await post(ada, 'design', 'logo'), await write(ada, [grace])]
  const rewrite = { type: 'typing_edit_message', op: 'start', sender_id: ada.user_id }
  const old = () => ok(ada, 'POST', `/messages/${inChannel}/typing`, { op: 'start' })
  expect(await heard(grace, old)).toMatchObject({
    ...rewrite,
    message_id: inChannel,
    recipient: { type: 'channel', channel_id, topic: 'logo' },
  })
  const current = () => ok(ada, 'POST', '/message_edit_typing', { message_id: direct, op: 'start' })
  expect(await heard(grace, current)).toMatchObject({
    ...rewrite,
    message_id: direct,
    recipient: { type: 'direct', user_ids: [ada.user_id, grace.user_id] },
  })
  const nameless = await post(ada, 'design', '')
  const stopped = () => ok(ada, 'POST', '/message_edit_typing', { message_id: nameless, op: 'stop' })
  expect(await heard(grace, stopped)).toMatchObject({ op: 'stop', recipient: { type: 'channel', topic: '' } })
  const rewriting = (by: Person, message_id: number, op = 'start') =>
    refusal(call(by, 'POST', '/message_edit_typing', { message_id, op }))
  expect(await rewriting(grace, direct)).toEqual(refused('You may not edit this message.'))
  expect(await rewriting(ada, direct, 'pause')).toEqual(refused('op must be start or stop.'))
  expect(await rewriting(ada, 4711)).toEqual(invalid)
  // The seconds that an edit under way has beyond its limit are none to begin in.
  await realm.sql`
    update messages set timestamp = timestamp - 605 where realm_id = ${realm.realm_id} and id = ${direct}`
  expect(await rewriting(ada, direct)).toEqual(refused('This message is too old to be edited.'))
  await setUser(realm, ada.user_id, { settings: { send_stream_typing_notifications: false } })
  expect(await rewriting(ada, inChannel)).toEqual(
    refused('Your settings tell nobody that you type in channel messages.'),
  )
  await setChannel(realm, 'design', { is_archived: true })
  expect(await rewriting(ada, inChannel)).toEqual(invalid)
})

test('nobody tells whom they could not write to', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [guest] = (await realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
  await channel(ada, 'meeting', [ada, guest])
  await setRealm(realm, { can_access_all_users_group: SystemGroup.members })
  const to = ({ user_id }: Person) => ({ to: [user_id] })
  expect(await refusal(say(guest, to(grace)))).toEqual(refused(`There is no user with ID ${grace.user_id} to send to.`))
  expect(await refusal(say(guest, to(ada)))).toMatchObject({ status: 200 })
  await setRealm(realm, { direct_message_permission_group: SystemGroup.nobody })
  expect(await refusal(say(guest, to(ada)))).toEqual(refused('This organization has turned off direct messages.'))
  await setUser(realm, grace.user_id, { is_active: false })
  expect(await refusal(say(ada, to(grace)))).toEqual(refused(`There is no user with ID ${grace.user_id} to send to.`))
})

test('what cannot be told is refused', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = [grace.user_id]
  const wrong = async (params: Record<string, unknown>) => (await say(ada, params)).body.msg
  expect(await wrong({ op: 'pause', to })).toBe('op must be start or stop.')
  expect(await wrong({ type: 'other', to })).toBe('type must be direct or channel.')
  expect(await wrong({})).toBe('The parameter to is required.')
  expect(await wrong({ to: [] })).toBe('Name at least one person in to.')
  // What older callers send.
  expect(await wrong({ to: [grace.email] })).toBe('to[0] must be an integer.')
  expect(await wrong({ type: 'stream', stream_id: [1], topic: 'x' })).toBe('stream_id must be an integer.')
  expect(await wrong({ to: [999] })).toBe('There is no user with ID 999 to send to.')
  expect(await wrong({ type: 'stream', topic: 'x' })).toBe('The parameter stream_id is required.')
  expect(await wrong({ type: 'stream', stream_id: 1 })).toBe('A channel message needs a topic.')
  await setUser(realm, ada.user_id, { settings: { send_private_typing_notifications: false } })
  expect(await wrong({ to })).toBe('Your settings tell nobody that you type in direct messages.')
  const stream_id = await channel(ada, 'design', [ada])
  const inDesign = { type: 'stream', stream_id, subject: 'logo' }
  expect(await wrong(inDesign)).toBe('')
  await setUser(realm, ada.user_id, { settings: { send_stream_typing_notifications: false } })
  expect(await wrong(inDesign)).toBe('Your settings tell nobody that you type in channel messages.')
})
