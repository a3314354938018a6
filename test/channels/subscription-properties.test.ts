/** Personal properties of a user's subscriptions. */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'

const PROPERTIES = '/users/me/subscriptions/properties'

const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace, guest] = (await realm.people(
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const create = (by: Person, name: string, params: object = {}) =>
    ok(by, 'POST', '/users/me/subscriptions', { subscriptions: [{ name, color: '#abcdef' }], ...params })
  await create(ada, 'design', { principals: [ada.user_id, guest.user_id] })
  await create(grace, 'secret', { invite_only: true })
  await create(grace, 'elsewhere')
  return { realm, ada, grace, guest, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const set = (person: Person, ...data: object[]) =>
  call(person, 'POST', PROPERTIES, { subscription_data: data.map((one) => ({ stream_id: 1, ...one })) })

const own = async (person: Person) => {
  const { subscriptions } = await ok(person, 'GET', '/users/me/subscriptions')
  return subscriptions.find(({ stream_id }) => stream_id === 1)
}

describe('Subscription properties', () => {
  test.each([
    ['color', '#FA0', '#ffaa00'],
    ['color', '#ABCDE0', '#abcde0'],
    ['pin_to_top', true, true],
    ['desktop_notifications', true, true],
    ['audible_notifications', false, false],
    ['push_notifications', true, true],
    ['email_notifications', false, false],
    ['wildcard_mentions_notify', true, true],
  ])('A user can set %s to %j, and only this user receives the event.', async (property, value, kept) => {
    await using s = await setUp()
    const [adaListener, guestListener] = [await listen(s.ada), await listen(s.guest)]
    expect((await set(s.ada, { property, value })).body).toMatchObject({ result: 'success' })
    expect(await own(s.ada)).toMatchObject({ [property]: kept })
    const [event, ...more] = await adaListener.events()
    expect(event).toMatchObject({ type: 'subscription', op: 'update', stream_id: 1, property, value: kept })
    expect(more).toEqual([])
    expect(await guestListener.events()).toEqual([])
  })

  test.each([
    ['is_muted', true],
    ['in_home_view', false],
  ])('A user can mute a channel with %s %j, and events report it under both names.', async (property, value) => {
    await using s = await setUp()
    const listener = await listen(s.ada)
    await set(s.ada, { property, value })
    const received = (await listener.events()).map((event) => [event.property, event.value])
    expect(received).toEqual([
      ['in_home_view', false],
      ['is_muted', true],
    ])
    expect(await own(s.ada)).toMatchObject({ is_muted: true, in_home_view: false })
  })

  test('A property that has its value already causes no event, and several properties are set in order.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest)
    const mute = { property: 'is_muted', value: true }
    await set(s.guest, { property: 'pin_to_top', value: false }, mute, mute, { property: 'in_home_view', value: true })
    expect((await listener.events()).map(({ property, value }) => `${property} ${value}`)).toEqual([
      'in_home_view false',
      'is_muted true',
      'in_home_view true',
      'is_muted false',
    ])
  })

  test('A property is kept when the user unsubscribes and subscribes again.', async () => {
    await using s = await setUp()
    await set(s.ada, { property: 'pin_to_top', value: true })
    await ok(s.ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
    expect((await set(s.ada, { property: 'pin_to_top', value: false })).body.msg).toBe(
      'You are not subscribed to the channel with ID 1.',
    )
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
    expect(await own(s.ada)).toMatchObject({ pin_to_top: true })
  })

  test.each([
    [{ property: 'shape', value: true }, 'There is no subscription property shape.'],
    [{ property: 'constructor', value: true }, 'There is no subscription property constructor.'],
    [{ property: 'pin_to_top', value: 'yes' }, 'pin_to_top must be true or false.'],
    [
      { property: 'color', value: 'red' },
      'subscription_data[0] must be an object whose color is a hex color, such as #76ce90.',
    ],
    [
      { property: 'color', value: true },
      'subscription_data[0] must be an object whose color is a hex color, such as #76ce90.',
    ],
    [{ stream_id: 2, property: 'pin_to_top', value: true }, 'There is no channel with this ID, or you may not see it.'],
    [{ stream_id: 3, property: 'pin_to_top', value: true }, 'You are not subscribed to the channel with ID 3.'],
    [
      { stream_id: 4711, property: 'pin_to_top', value: true },
      'There is no channel with this ID, or you may not see it.',
    ],
  ])('The server refuses the property %j: %s', async (data, msg) => {
    await using s = await setUp()
    expect(await set(s.ada, data)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })
  })

  test('A user cannot change a property of an archived channel.', async () => {
    await using s = await setUp()
    await updateChannelRow(s.realm, 'design', { is_archived: true })
    expect((await set(s.ada, { property: 'pin_to_top', value: true })).body.msg).toBe(
      'There is no channel with this ID, or you may not see it.',
    )
  })

  test('A request with one refused property changes nothing.', async () => {
    await using s = await setUp()
    const listener = await listen(s.ada)
    const { status } = await set(s.ada, { property: 'pin_to_top', value: true }, { property: 'shape', value: true })
    expect(status).toBe(400)
    expect(await listener.events()).toEqual([])
    expect(await own(s.ada)).toMatchObject({ pin_to_top: false })
  })

  test('A user can also set a property through the endpoint of one subscription.', async () => {
    await using s = await setUp()
    const change = (property: string, value: unknown) =>
      call(s.ada, 'PATCH', '/users/me/subscriptions/1', { property, value })
    await change('pin_to_top', true)
    await change('color', '#112233')
    expect(await own(s.ada)).toMatchObject({ pin_to_top: true, color: '#112233' })
    await change('color', '"#445566"')
    expect(await own(s.ada)).toMatchObject({ color: '#445566' })
    expect((await change('color', 'true')).body.msg).toBe('color must be a hex color, such as #76ce90.')
    expect((await change('is_muted', 'yes')).body.msg).toBe('is_muted must be true or false.')
  })
})
