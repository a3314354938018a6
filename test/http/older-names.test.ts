/**
 * Older names and fields that some existing clients read. The server recognizes these clients by the client name that
 * they send; all other clients get the current names.
 */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'

describe('Clients that read older names', () => {
  test('A client that reads older names gets the name of the user who reacted.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
    const to = { type: 'direct', to: [grace.user_id], content: 'hello' }
    const { id } = await ok(ada, 'POST', '/messages', to)
    await ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })

    const fetched = async (client: string) => {
      const page = { anchor: 'newest', num_before: 1, client }
      const [message] = (await ok(ada, 'GET', '/messages', page)).messages
      return message?.reactions
    }
    const reaction = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: grace.user_id }
    const user = { id: grace.user_id, email: grace.email, full_name: 'Grace', is_mirror_dummy: false }
    expect(await fetched('ZulipTerminal')).toEqual([{ ...reaction, user }])
    expect(await fetched('Parley')).toEqual([reaction])
  })

  test('A guest with limited access does not learn the name of a hidden user who reacted.', async () => {
    await using realm = await newRealm()
    const [owner, ada, guest] = (await realm.people(
      { full_name: 'Owner', role: Role.owner },
      { full_name: 'Ada' },
      { full_name: 'Guest', role: Role.guest },
    )) as [Person, Person, Person]
    const subscriptions = [{ name: 'open' }]
    await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions, principals: [owner.user_id, guest.user_id] })
    await ok(owner, 'PATCH', '/realm', { can_access_all_users_group: { new: await membersGroup(owner) } })
    const to = { type: 'channel', to: 'open', topic: 'news', content: 'hello' }
    const { id } = await ok(owner, 'POST', '/messages', to)
    await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })

    const page = { anchor: id, num_before: 0, num_after: 0, client: 'ZulipTerminal' }
    const { messages } = await ok(guest, 'GET', '/messages', page)
    expect(messages[0]?.reactions).toMatchObject([{ user: { full_name: 'Unknown user' } }])
  })
})

describe('Fields for zulip-terminal', () => {
  const client = 'ZulipTerminal'

  test('zulip-terminal gets an email address in its subscriptions, and 0 for no limit.', async () => {
    await using realm = await newRealm()
    const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
    await ok(owner, 'PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
    const fetch_event_types = ['realm', 'subscription']
    expect(await ok(owner, 'POST', '/register', { client, fetch_event_types })).toMatchObject({
      realm_message_content_edit_limit_seconds: 0,
      subscriptions: [{ name: 'open', email_address: '' }],
    })
    const others = await ok(owner, 'POST', '/register', { fetch_event_types })
    expect(others).toMatchObject({ realm_message_content_edit_limit_seconds: null })
    expect(others.subscriptions[0]).not.toHaveProperty('email_address')
  })

  test('zulip-terminal gets the older error message for an unknown event queue.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    const refused = async (more: object) =>
      (await call(ada, 'GET', '/events', { queue_id: 'none', last_event_id: 0, ...more })).body
    const said = { result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'none' }
    expect(await refused({ client })).toEqual({ ...said, msg: 'Bad event queue id: none' })
    expect(await refused({})).toEqual({ ...said, msg: 'Bad event queue ID: none' })
  })
})

const membersGroup = async (person: Parameters<typeof ok>[0]): Promise<number> => {
  const { user_groups } = await ok(person, 'GET', '/user_groups')
  return user_groups.find(({ name }) => name === 'role:members')?.id as number
}
