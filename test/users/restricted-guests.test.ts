/**
 * Access of restricted guests to other users, and the realm_user events about changes of it.
 *
 * A guest is restricted when can_access_all_users_group does not contain guests. A restricted guest has access to the
 * users they share a channel or a direct conversation with, and to bots.
 */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { type Answer, call, gateways, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { countWaiting } from '../setup/realm/table-lock.js'

const subscriptions = '/users/me/subscriptions'
/** Without this, a job sends the notice of the bot at an unknown time. */
const withoutNotice = { send_new_subscription_messages: false }

const setUp = async (areGuestsRestricted = true) => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  const [ada, grace, alan] = people as [Person, Person, Person]
  const [owner, guest, visitor] = (await realm.people(
    { full_name: 'Olga', role: Role.owner },
    { full_name: 'Gus', role: Role.guest },
    { full_name: 'Vera', role: Role.guest },
  )) as [Person, Person, Person]
  if (areGuestsRestricted) await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
  return { realm, owner, ada, grace, alan, guest, visitor }
}

/** The realm_user and message events of a queue in short form: `+Ada`, `-7`, `message`. */
const readUserEvents = async (listener: Listener): Promise<string[]> =>
  (await listener.events()).flatMap((event) => {
    if (event.type === 'message') return ['message']
    if (event.type !== 'realm_user') return []
    const person = event.person as { user_id: number; full_name: string }
    return [event.op === 'add' ? `+${person.full_name}` : `-${person.user_id}`]
  })

test('A restricted guest who joins a channel gains access to its subscribers, and on leaving loses those they share no other channel with.', async () => {
  const { realm, ada, grace, alan, guest, visitor } = await setUp()
  await using _ = realm
  await createChannel(ada, 'one', [ada, grace, visitor])
  await createChannel(ada, 'two', [ada, alan])
  const [guestListener, visitorListener] = [await listen(guest), await listen(visitor)]
  const add = (names: string[]) =>
    ok(ada, 'POST', subscriptions, {
      subscriptions: names.map((name) => ({ name })),
      principals: [guest.user_id],
      ...withoutNotice,
    })
  await add(['one', 'two'])
  expect(await readUserEvents(guestListener)).toEqual(['+Ada', '+Grace', '+Alan', '+Vera'])
  expect(await readUserEvents(visitorListener)).toEqual(['+Gus'])
  await ok(guest, 'DELETE', subscriptions, { subscriptions: ['one'] })
  expect((await readUserEvents(guestListener)).sort()).toEqual([`-${grace.user_id}`, `-${visitor.user_id}`].sort())
  expect(await readUserEvents(visitorListener)).toEqual([`-${guest.user_id}`])
})

test('When a user joins a channel, its restricted guests receive realm_user/add before subscription/peer_add.', async () => {
  const { realm, ada, grace, guest, visitor } = await setUp()
  await using _ = realm
  await createChannel(ada, 'one', [ada, guest])
  const [guestListener, visitorListener] = [await listen(guest), await listen(visitor)]
  await ok(ada, 'POST', subscriptions, {
    subscriptions: [{ name: 'one' }],
    principals: [grace.user_id],
    ...withoutNotice,
  })
  expect((await guestListener.eventNames()).slice(0, 2)).toEqual(['realm_user/add', 'subscription/peer_add'])
  expect(await readUserEvents(visitorListener)).toEqual([])
})

test('The first direct message gives restricted guests access to its participants, and deleting the last one removes it.', async () => {
  const { realm, owner, ada, guest, visitor } = await setUp()
  await using _ = realm
  const [guestListener, visitorListener] = [await listen(guest), await listen(visitor)]
  const id = await sendDirectMessage(owner, [guest, visitor])
  expect(await readUserEvents(guestListener)).toEqual(['+Olga', '+Vera', 'message'])
  expect(await readUserEvents(visitorListener)).toEqual(['+Olga', '+Gus', 'message'])
  const next = await sendDirectMessage(owner, [guest, visitor])
  expect(await readUserEvents(guestListener)).toEqual(['message'])
  await ok(owner, 'DELETE', `/messages/${next}`)
  expect(await readUserEvents(guestListener)).toEqual([])
  await ok(owner, 'DELETE', `/messages/${id}`)
  expect(await readUserEvents(guestListener)).toEqual([`-${owner.user_id}`, `-${visitor.user_id}`])
  await sendDirectMessage(ada, [owner])
  expect(await readUserEvents(guestListener)).toEqual([])
})

test('A restricted guest who leaves a channel keeps access to a user with whom they have a direct conversation.', async () => {
  const { realm, ada, grace, guest } = await setUp()
  await using _ = realm
  await createChannel(ada, 'one', [ada, grace, guest])
  const guestListener = await listen(guest)
  await sendDirectMessage(grace, [guest])
  expect(await readUserEvents(guestListener)).toEqual(['message'])
  await ok(guest, 'DELETE', subscriptions, { subscriptions: ['one'] })
  expect(await readUserEvents(guestListener)).toEqual([`-${ada.user_id}`])
})

test('A guest loses access to users they share nothing with when the organization restricts guests, and regains it when the restriction ends.', async () => {
  const { realm, owner, ada, grace, alan, guest, visitor } = await setUp(false)
  await using _ = realm
  await createChannel(ada, 'one', [ada, guest])
  await sendDirectMessage(grace, [guest])
  const [guestListener, adaListener] = [await listen(guest), await listen(ada)]
  const set = (value: number) => ok(owner, 'PATCH', '/realm', { can_access_all_users_group: { new: value } })
  await set(SystemGroup.members)
  expect(await readUserEvents(guestListener)).toEqual([alan, owner, visitor].map(({ user_id }) => `-${user_id}`))
  await set(SystemGroup.everyone)
  expect(await readUserEvents(guestListener)).toEqual(['+Alan', '+Olga', '+Vera'])
  expect(await readUserEvents(adaListener)).toEqual([])
})

test('An unrestricted guest receives no realm_user event when users join channels or write messages.', async () => {
  const { realm, ada, grace, guest } = await setUp(false)
  await using _ = realm
  const guestListener = await listen(guest)
  await createChannel(ada, 'one', [ada, grace, guest])
  await postMessage(ada, 'one', 'hello')
  await sendDirectMessage(grace, [guest])
  expect(await readUserEvents(guestListener)).toEqual(['message', 'message'])
  expect((await call(guest, 'GET', `/users/${grace.user_id}`)).status).toBe(200)
})

describe('A direct message that is stored while another change waits', () => {
  const [first, second] = gateways() as [string, string]

  /** Both calls wait for the head of the log, in this order: the second one has read its rows before the first ends. */
  const runInOrder = async (realm: TestRealm, calls: [() => Promise<Answer>, () => Promise<Answer>]) => {
    const answers = await realm.sql.begin(async (tx) => {
      await tx`select from log_heads where realm_id = ${realm.realm_id} for update`
      const started: Promise<Answer>[] = []
      for (const start of calls) {
        started.push(start())
        await expect.poll(() => countWaiting(tx), { timeout: 10_000 }).toBe(started.length)
      }
      return { started }
    })
    for (const { status, body } of await Promise.all(answers.started)) expect([status, body.msg]).toEqual([200, ''])
  }

  const write = (by: Person, to: Person) => () =>
    call(by, 'POST', '/messages', { type: 'direct', to: [to.user_id], content: 'hello' }, { url: first })

  test('The sender, who becomes a restricted guest, keeps access to the recipient.', async () => {
    const { realm, owner, ada, grace, alan } = await setUp()
    await using _ = realm
    const listener = await listen(grace)
    const demote = () => call(owner, 'PATCH', `/users/${grace.user_id}`, { role: Role.guest }, { url: second })
    await runInOrder(realm, [write(grace, ada), demote])
    const removed = (await readUserEvents(listener)).filter((event) => event.startsWith('-'))
    expect(removed).toContain(`-${alan.user_id}`)
    expect(removed).not.toContain(`-${ada.user_id}`)
  })

  test('The guest who receives the message is told the new name of the sender.', async () => {
    const { realm, ada, guest } = await setUp()
    await using _ = realm
    const listener = await listen(guest)
    const rename = () => call(ada, 'PATCH', '/settings', { full_name: 'Ada Byron' }, { url: second })
    await runInOrder(realm, [write(ada, guest), rename])
    const people = (await listener.events()).flatMap((event) => (event.type === 'realm_user' ? [event.person] : []))
    const { user_id } = ada
    const avatar_url = `/user_avatars/drawn/${user_id}.41.42.png`
    expect(people).toMatchObject([{ full_name: 'Ada' }, { user_id, full_name: 'Ada Byron' }, { user_id, avatar_url }])
  })

  test('The guest who receives the message is told that the sender was deactivated.', async () => {
    const { realm, owner, ada, guest } = await setUp()
    await using _ = realm
    const listener = await listen(guest)
    const deactivate = () => call(owner, 'DELETE', `/users/${ada.user_id}`, {}, { url: second })
    await runInOrder(realm, [write(ada, guest), deactivate])
    const people = (await listener.events()).flatMap((event) => (event.type === 'realm_user' ? [event.person] : []))
    expect(people).toMatchObject([{ full_name: 'Ada' }, { user_id: ada.user_id, is_active: false }])
  })
})
