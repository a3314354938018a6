/** Drafts and saved snippets, which are shared between the clients of one user. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateUserRow } from '../setup/realm/row-changes.js'

const create = (by: Person, ...drafts: Record<string, unknown>[]) => call(by, 'POST', '/drafts', { drafts })
const registered = (by: Person, ...fetch_event_types: string[]) => ok(by, 'POST', '/register', { fetch_event_types })

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  return { realm, ada, grace, design: await createChannel(ada, 'design', [ada]) }
}

test("Drafts are created, changed and deleted, and only the user's own clients receive the events.", async () => {
  const { realm, ada, grace, design } = await setUp()
  await using _ = realm
  const [adaListener, graceListener] = [await listen(ada), await listen(grace)]
  const toDesign = { type: 'stream', to: [design], topic: 'logo', content: 'hi ', timestamp: 1_700_000_000.7 }
  const toGrace = { type: 'private', to: [ada.user_id, grace.user_id], topic: 'ignored', content: 'hello' }
  const { ids } = (await create(ada, toDesign, toGrace)).body as unknown as { ids: [number, number] }
  const first = { id: ids[0], ...toDesign, content: 'hi', timestamp: 1_700_000_000 }
  const second = { id: ids[1], ...toGrace, to: [grace.user_id], topic: '', timestamp: expect.any(Number) }
  expect(await adaListener.events()).toMatchObject([{ type: 'drafts', op: 'add', drafts: [first, second] }])
  expect(await ok(ada, 'GET', '/drafts')).toMatchObject({ count: 2, drafts: [first, second] })
  expect((await registered(ada, 'drafts')).drafts).toEqual([second, first])

  const changed = { type: '', to: [7], topic: 'x', content: 'later', timestamp: 1_800_000_000 }
  await ok(ada, 'PATCH', `/drafts/${ids[0]}`, { draft: changed })
  const draft = { id: ids[0], ...changed, to: [], topic: '' }
  expect(await adaListener.events()).toMatchObject([{ type: 'drafts', op: 'update', draft }])
  await ok(ada, 'DELETE', `/drafts/${ids[1]}`)
  expect(await adaListener.events()).toMatchObject([{ type: 'drafts', op: 'remove', draft_id: ids[1] }])
  expect(await ok(ada, 'GET', '/drafts')).toMatchObject({ count: 1 })
  expect(await graceListener.eventNames()).toEqual([])
})

test("An invalid draft and a change of another user's draft are refused.", async () => {
  const { realm, ada, grace, design } = await setUp()
  await using _ = realm
  const draft = { type: 'stream', to: [design], topic: 'logo', content: 'hi' }
  const wrong = (patch: Record<string, unknown>) => readRefusal(create(ada, { ...draft, ...patch }))
  expect(await wrong({ x: 1 })).toEqual(badRequest('drafts[0] has no key x.'))
  expect(await wrong({ to: [] })).toEqual(badRequest('A channel draft needs exactly one channel ID in to.'))
  expect(await wrong({ to: [99] })).toEqual(badRequest('There is no channel with this ID, or you may not see it.'))
  expect(await wrong({ type: 'private', to: [99] })).toEqual(badRequest('There is no user with ID 99 to send to.'))
  for (const type of ['stream', 'private', '']) {
    expect(await wrong({ type, topic: 'a\0b' })).toEqual(badRequest('A topic must not contain the NUL character.'))
  }
  expect(await wrong({ timestamp: -1 })).toEqual(badRequest('timestamp must not be negative.'))
  expect((await wrong({ content: ' ' })).msg).toBe('A message needs a text.')
  expect((await wrong({ content: 'a\0b' })).msg).toBe('A message must not contain the NUL character.')
  expect((await wrong({ to: [design, design] })).msg).toBe('A channel draft needs exactly one channel ID in to.')
  expect((await wrong({ type: 'letter' })).msg).toBe('drafts[0]["type"] must be one of: , stream, private.')
  expect((await wrong({ topic: undefined })).msg).toBe('drafts[0]["topic"] is required.')
  expect(await ok(ada, 'GET', '/drafts')).toMatchObject({ count: 0 })
  const { ids } = (await create(ada, draft)).body as unknown as { ids: [number] }
  const gone = badRequest('You have no draft with this ID.')
  expect(await readRefusal(call(grace, 'PATCH', `/drafts/${ids[0]}`, { draft: { ...draft, type: '' } }))).toEqual(gone)
  expect(await readRefusal(call(grace, 'DELETE', `/drafts/${ids[0]}`))).toEqual(gone)
})

test('A draft may have no recipient, and its topic and content are cut to the limits of a message.', async () => {
  const { realm, ada, design } = await setUp()
  await using _ = realm
  expect(await ok(ada, 'POST', '/drafts')).toMatchObject({ ids: [] })
  const texts = { topic: '😀'.repeat(61), content: 'x'.repeat(10_001) }
  const direct = { type: 'private', topic: '', content: 'hi' }
  await create(
    ada,
    { type: 'stream', to: [design], ...texts, timestamp: 3_000 },
    { ...direct, to: [ada.user_id], timestamp: 2_000 },
    { ...direct, to: [], timestamp: 1_000 },
  )
  const { drafts } = await ok(ada, 'GET', '/drafts')
  expect(drafts).toMatchObject([
    { type: 'private', to: [] },
    { type: 'private', to: [ada.user_id] },
    { topic: '😀'.repeat(60), content: `${'x'.repeat(9_980)}\n[message truncated]` },
  ])
})

test('The drafts API is refused and register lists no drafts if the user has turned off draft synchronization.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const draft = { type: '', to: [], topic: '', content: 'hi' }
  const { ids } = (await create(ada, draft)).body as unknown as { ids: [number] }
  await updateUserRow(realm, ada.user_id, { settings: { enable_drafts_synchronization: false } })
  const off = badRequest('Turn on the setting enable_drafts_synchronization first.')
  expect(await readRefusal(call(ada, 'GET', '/drafts'))).toEqual(off)
  expect(await readRefusal(create(ada, draft))).toEqual(off)
  expect(await readRefusal(call(ada, 'PATCH', `/drafts/${ids[0]}`, { draft }))).toEqual(off)
  expect(await readRefusal(call(ada, 'DELETE', `/drafts/${ids[0]}`))).toEqual(off)
  expect((await registered(ada, 'drafts')).drafts).toEqual([])
})

test('A user can create, change and delete saved snippets, and other users cannot access them.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const adaListener = await listen(ada)
  const { saved_snippet_id: id } = await ok(ada, 'POST', '/saved_snippets', { title: ' Bye ', content: 'So long' })
  const snippet = { id, title: 'Bye', content: 'So long', date_created: expect.any(Number) }
  expect((await ok(ada, 'GET', '/saved_snippets')).saved_snippets).toEqual([snippet])
  expect((await registered(ada, 'saved_snippets')).saved_snippets).toEqual([snippet])
  await ok(ada, 'PATCH', `/saved_snippets/${id}`, { title: 'Farewell' })
  await ok(ada, 'PATCH', `/saved_snippets/${id}`)
  const notThere = badRequest('You have no saved snippet with this ID.')
  expect(await readRefusal(call(grace, 'PATCH', `/saved_snippets/${id}`, { title: 'x' }))).toEqual(notThere)
  expect(await readRefusal(call(grace, 'DELETE', `/saved_snippets/${id}`))).toEqual(notThere)
  expect((await ok(grace, 'GET', '/saved_snippets')).saved_snippets).toEqual([])
  const wrong = async (patch: Record<string, unknown>) => {
    const given = { title: 'x', content: 'x', ...patch }
    const said = await readRefusal(call(ada, 'POST', '/saved_snippets', given))
    expect(await readRefusal(call(ada, 'PATCH', `/saved_snippets/${id}`, given))).toEqual(said)
    return said
  }
  expect(await wrong({ title: ' ' })).toEqual(badRequest('title must not be blank.'))
  expect(await wrong({ title: '😀'.repeat(61) })).toEqual(badRequest('title may have at most 60 characters.'))
  expect(await wrong({ content: ' \n' })).toEqual(badRequest('content must not be blank.'))
  expect(await wrong({ content: 'x'.repeat(10_001) })).toEqual(badRequest('content may have at most 10000 characters.'))
  await ok(ada, 'DELETE', `/saved_snippets/${id}`)
  expect(await readRefusal(call(ada, 'DELETE', `/saved_snippets/${id}`))).toEqual(notThere)
  expect(await adaListener.events()).toMatchObject([
    { type: 'saved_snippets', op: 'add', saved_snippet: snippet },
    { type: 'saved_snippets', op: 'update', saved_snippet: { ...snippet, title: 'Farewell' } },
    { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
  ])
})
