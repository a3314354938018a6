/** Windows of messages of which no events tell: of channels without a subscription, and of visitors. */
import { describe, expect, test, vi } from 'vitest'
import { createClient } from '../../client/src/index.js'
import { type MessageWindow, openRealm, type RealmOptions } from '../../client/src/realm/index.js'
import { startRelays } from '../setup/clients/library-client.js'
import { newRealm, ok } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

/** The library asks after 4 seconds; a machine under test stalls for seconds. */
const PATIENCE = { timeout: 30_000, interval: 100 }

const contents = (window: MessageWindow) => window.get().messages.map(({ content }) => content)

describe.concurrent('A window of which no events tell', { timeout: 90_000 }, () => {
  test.each(['a user without a subscription', 'a visitor'])('keeps up to date for %s.', async (reader) => {
    await using realm = await newRealm()
    const people = await realm.people({ full_name: 'Ada', role: 100 }, { full_name: 'Grace' })
    const [ada, grace] = people as [(typeof people)[0], (typeof people)[0]]
    await updateRealmSettings(realm, { enable_spectator_access: true, send_channel_events_messages: false })
    const isVisitor = reader === 'a visitor'
    const { id } = await ok(ada, 'POST', '/channels/create', {
      name: 'square',
      subscribers: [ada.user_id],
      is_web_public: isVisitor,
    })
    const post = async (content: string, topic = 'news'): Promise<number> =>
      (await ok(ada, 'POST', '/messages', { type: 'channel', to: id, topic, content })).id
    const firstId = await post('first')
    const secondId = await post('second')

    await using relays = await startRelays(realm.host)
    const open = (options?: RealmOptions) =>
      openRealm(
        isVisitor
          ? createClient({ url: relays.list.map(({ url }) => url), credentials: 'none' })
          : relays.client(grace),
        options,
      )
    const narrow = [
      { operator: 'channel', operand: id },
      ...(isVisitor ? [{ operator: 'channels', operand: 'web-public' }] : []),
    ]
    const unread = await open({ isPaused: () => true })
    const pausedWindow = unread.messages(narrow)
    await pausedWindow.jumpTo('newest')
    const live = await open()
    const window = live.messages(narrow)
    await window.jumpTo('newest')
    const topics = live.topics(id)
    await vi.waitFor(() => expect(topics.get()).toMatchObject([{ name: 'news' }]), PATIENCE)

    await post('third')
    await post('fourth', 'other')
    await ok(ada, 'PATCH', `/messages/${firstId}`, { content: 'edited' })
    await ok(ada, 'DELETE', `/messages/${secondId}`)
    await vi.waitFor(
      () => expect(contents(window)).toEqual(['<p>edited</p>', '<p>third</p>', '<p>fourth</p>']),
      PATIENCE,
    )
    await vi.waitFor(() => expect(topics.get()).toMatchObject([{ name: 'other' }, { name: 'news' }]), PATIENCE)
    expect(window.get()).toMatchObject({ hasNewest: true, hasOldest: true, status: 'ready' })
    // The other window was opened first, and asked nothing.
    expect(contents(pausedWindow)).toEqual(['<p>first</p>', '<p>second</p>'])
    live.close()
    unread.close()
  })

  test('leaves the messages as they are that did not change.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = (await realm.people({ full_name: 'Ada', role: 100 }, { full_name: 'Grace' })) as [never, never]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    const { id } = await ok(ada, 'POST', '/channels/create', { name: 'square', subscribers: [] })
    const post = (content: string) => ok(ada, 'POST', '/messages', { type: 'channel', to: id, topic: 'news', content })
    await post('first')
    await using relays = await startRelays(realm.host)
    const live = await openRealm(relays.client(grace))
    const window = live.messages([{ operator: 'channel', operand: id }])
    await window.jumpTo('newest')
    const [first] = window.get().messages
    await post('second')
    await vi.waitFor(() => expect(contents(window)).toHaveLength(2), PATIENCE)
    expect(window.get().messages[0]).toBe(first)
    live.close()
  })
})
