/** Who can read an uploaded file: its uploader, and the users who can read a message that links to it. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { fetchFile, upload } from '../setup/requests/files.js'

const uploaded = async (by: Person, filename = 'plan.txt'): Promise<string> =>
  (await upload(by, '/user_uploads', { filename, type: 'text/plain', data: 'secret' })).json.url as string

const link = (url: string) => `see [the plan](${url})`
const status = async (url: string, by?: Person, host = by?.host ?? '') => (await fetchFile(host, url, by)).status

/** Returns the names of the given users who can read the file. */
const readers = async (url: string, people: readonly Person[]): Promise<string[]> => {
  const found = await Promise.all(people.map(async (one) => ((await status(url, one)) === 200 ? [one.full_name] : [])))
  return found.flat()
}

interface Attachment {
  id: number
  path_id: string
  messages: { id: number; date_sent: number }[]
}

const attachments = async (of: Person): Promise<Attachment[]> => (await ok(of, 'GET', '/attachments')).attachments

const found = async (by: Person, what: string): Promise<number[]> =>
  (
    await ok(by, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      narrow: [{ operator: 'has', operand: what }],
    })
  ).messages.map(({ id }) => id)

describe('Reading a file that a message links to', () => {
  test('The participants of a direct message can read its file.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace] = people as [Person, Person, Person]
    const url = await uploaded(ada)
    expect(await readers(url, people)).toEqual(['Ada'])
    await sendDirectMessage(ada, [grace], link(url))
    expect(await readers(url, people)).toEqual(['Ada', 'Grace'])
  })

  test('The users who can read a channel can read its files, and no other users can.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace] = people as [Person, Person, Person]
    const [guest] = (await realm.people({ full_name: 'Guest', role: 600 })) as [Person]
    const all = [...people, guest]
    await createChannel(ada, 'public', [ada])
    await createChannel(ada, 'private', [ada, grace], { invite_only: true })
    const [open, closed] = [await uploaded(ada, 'open.txt'), await uploaded(ada, 'closed.txt')]
    await postMessage(ada, 'public', 'plans', link(open))
    await postMessage(ada, 'private', 'plans', link(closed))
    expect(await readers(open, all)).toEqual(['Ada', 'Grace', 'Mary'])
    expect(await readers(closed, all)).toEqual(['Ada', 'Grace'])
    await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['private'] })
    expect(await readers(closed, all)).toEqual(['Ada'])
    // Its own uploader keeps it.
    await ok(ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['private'] })
    expect(await readers(closed, all)).toEqual(['Ada'])
  })

  test('A later subscriber of a channel without shared history cannot read an earlier file.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace, mary] = people as [Person, Person, Person]
    await createChannel(ada, 'board', [ada, grace], { invite_only: true, history_public_to_subscribers: false })
    const url = await uploaded(ada)
    await postMessage(ada, 'board', 'plans', link(url))
    const principals = [mary.user_id]
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'board' }], principals })
    expect(await readers(url, people)).toEqual(['Ada', 'Grace'])
  })

  test('Callers without credentials can read a file in a web-public channel, and only there.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    await updateRealmSettings(realm, { enable_spectator_access: true })
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const web = await createChannel(owner, 'web', [owner, ada], { is_web_public: true })
    await createChannel(ada, 'public', [ada])
    const [shown, hidden] = [await uploaded(ada, 'shown.txt'), await uploaded(ada, 'hidden.txt')]
    await postMessage(ada, 'web', 'plans', link(shown))
    await postMessage(ada, 'public', 'plans', link(hidden))
    const [seen, refused] = [await status(shown, undefined, realm.host), await status(hidden, undefined, realm.host)]
    expect([seen, refused]).toEqual([200, 401])
    await createChannel(owner, 'web too', [owner], { is_web_public: true })
    await ok(owner, 'PATCH', `/streams/${web}`, { is_web_public: false })
    // A caller cannot distinguish a hidden file from one that does not exist.
    expect(await status(shown, undefined, realm.host)).toBe(401)
    expect(await status('/user_uploads/1/aaaa/plan.txt', undefined, realm.host)).toBe(401)
  })

  test('Callers without credentials read nothing of an organization that was deactivated.', async () => {
    const { realm } = await newQuietRealm()
    await using _ = realm
    await updateRealmSettings(realm, { enable_spectator_access: true })
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    await createChannel(owner, 'web', [owner], { is_web_public: true })
    const url = await uploaded(owner)
    await postMessage(owner, 'web', 'plans', link(url))
    const narrow = { narrow: [{ operator: 'channels', operand: 'web-public' }], anchor: 'newest', num_before: 10 }
    const read = async () => [
      await status(url, undefined, realm.host),
      (await call(undefined, 'GET', '/messages', narrow, { host: realm.host })).status,
    ]
    expect(await read()).toEqual([200, 200])
    await ok(owner, 'POST', '/realm/deactivate')
    expect(await read()).toEqual([401, 401])
  })

  test('A file can be read by the users of the channel to which its message was moved.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace, mary] = people as [Person, Person, Person]
    await createChannel(ada, 'ours', [ada, grace], { invite_only: true })
    const theirs = await createChannel(ada, 'theirs', [ada, mary], { invite_only: true })
    const url = await uploaded(ada)
    const id = await postMessage(ada, 'ours', 'plans', link(url))
    expect(await readers(url, people)).toEqual(['Ada', 'Grace'])
    await ok(ada, 'PATCH', `/messages/${id}`, { stream_id: theirs })
    expect(await readers(url, people)).toEqual(['Ada', 'Mary'])
  })

  test('After its message was deleted, only the uploader can read a file, and it counts as unused.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const url = await uploaded(ada)
    const id = await sendDirectMessage(ada, [grace], link(url))
    const ear = await listen(ada, { event_types: ['attachment', 'delete_message'] })
    await ok(ada, 'DELETE', `/messages/${id}`)
    expect(await readers(url, people)).toEqual(['Ada'])
    expect((await attachments(ada)).map(({ messages }) => messages)).toEqual([[]])
    expect(await ear.events()).toMatchObject([
      { type: 'delete_message', message_id: id },
      { type: 'attachment', op: 'update', attachment: { messages: [] } },
    ])
  })

  test('A link by a user who cannot read a file gives no access to it.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace, mary] = people as [Person, Person, Person]
    const url = await uploaded(ada)
    const stolen = await sendDirectMessage(mary, [grace], link(url))
    const made_up = await sendDirectMessage(mary, [grace], link('/user_uploads/1/aaaaaaaaaaaaaaaaaaaaaaaa/plan.txt'))
    expect(await readers(url, people)).toEqual(['Ada'])
    expect(await found(mary, 'attachment')).toEqual([])
    expect(await found(mary, 'link')).toEqual([stolen, made_up])
    await ok(mary, 'PATCH', `/messages/${stolen}`, { content: `again ${link(url)}` })
    expect(await readers(url, people)).toEqual(['Ada'])
  })

  test('A user who can read a file can link to it for others, as long as one message links to it.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace, mary] = people as [Person, Person, Person]
    const url = await uploaded(ada)
    const first = await sendDirectMessage(ada, [grace], link(url))
    const second = await sendDirectMessage(grace, [mary], link(url))
    expect(await readers(url, people)).toEqual(['Ada', 'Grace', 'Mary'])
    expect((await attachments(ada))[0]?.messages.map(({ id }) => id)).toEqual([first, second])
    await ok(ada, 'DELETE', `/messages/${first}`)
    // Grace wrote of it to Mary, so it is in a message of hers still.
    expect(await readers(url, people)).toEqual(['Ada', 'Grace', 'Mary'])
    await ok(grace, 'PATCH', `/messages/${second}`, { content: 'never mind' })
    expect(await readers(url, people)).toEqual(['Ada'])
  })
})

describe('Editing a message with files', () => {
  test('An edit adds and removes links to files, and returns the files that no message links to any more.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const [one, two] = [await uploaded(ada, 'one.txt'), await uploaded(ada, 'two.txt')]
    const id = await sendDirectMessage(ada, [grace], link(one))
    const ear = await listen(ada, { event_types: ['attachment'] })
    const edited = await ok(ada, 'PATCH', `/messages/${id}`, { content: link(two) })
    const [second, first] = await attachments(ada)
    expect(edited.detached_uploads).toEqual([first])
    expect([first?.messages, second?.messages.map((message) => message.id)]).toEqual([[], [id]])
    expect(await ear.events()).toMatchObject([
      { op: 'update', attachment: first, upload_space_used: 12 },
      { op: 'update', attachment: second, upload_space_used: 12 },
    ])
    expect([await readers(one, people), await readers(two, people)]).toEqual([['Ada'], ['Ada', 'Grace']])
    expect((await ok(ada, 'PATCH', `/messages/${id}`, { content: `${link(two)}!` })).detached_uploads).toEqual([])
    expect(await ear.events()).toEqual([])
  })

  test('An edit detaches no file of another user, of another message or of a draft.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const [shared, drafted] = [await uploaded(ada, 'shared.txt'), await uploaded(ada, 'drafted.txt')]
    const id = await sendDirectMessage(ada, [grace], `${link(shared)} ${link(drafted)}`)
    const again = await sendDirectMessage(grace, [ada], link(shared))
    await ok(ada, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: link(drafted) }] })
    expect((await ok(ada, 'PATCH', `/messages/${id}`, { content: 'gone' })).detached_uploads).toEqual([])
    expect((await ok(grace, 'PATCH', `/messages/${again}`, { content: 'gone' })).detached_uploads).toEqual([])
  })

  test('An edit changes the results of has:attachment, has:link and has:image.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const url = await uploaded(ada)
    const id = await sendDirectMessage(ada, [ada], 'plain')
    const all = () => Promise.all(['attachment', 'link', 'image'].map((what) => found(ada, what)))
    expect(await all()).toEqual([[], [], []])
    await ok(ada, 'PATCH', `/messages/${id}`, { content: link(url) })
    expect(await all()).toEqual([[id], [id], []])
    await ok(ada, 'PATCH', `/messages/${id}`, { content: 'https://example.com/cat.png' })
    expect(await all()).toEqual([[], [id], [id]])
    await ok(ada, 'PATCH', `/messages/${id}`, { content: 'plain' })
    expect(await all()).toEqual([[], [], []])
  })
})

test('The uploader of a file receives an event when a message links to it, in the order of the log.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const url = await uploaded(ada)
  const [ear, other] = [
    await listen(ada, { event_types: ['message', 'attachment'] }),
    await listen(grace, { event_types: ['attachment'] }),
  ]
  const id = await sendDirectMessage(ada, [grace], link(url))
  const [object] = await attachments(ada)
  expect(await ear.events()).toMatchObject([
    { type: 'message', message: { id } },
    { type: 'attachment', op: 'update', attachment: object, upload_space_used: 6 },
  ])
  expect(object?.messages).toEqual([{ id, date_sent: expect.any(Number) }])
  expect(await other.events()).toEqual([])
})

test('A scheduled message links to its file after it is sent.', { timeout: 30_000 }, async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const url = await uploaded(ada)
  const ear = await listen(grace, { event_types: ['message'] })
  await ok(ada, 'POST', '/scheduled_messages', {
    type: 'direct',
    to: [grace.user_id],
    content: link(url),
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
  })
  expect(await readers(url, people)).toEqual(['Ada'])
  await makeScheduledDue(realm)
  await expect.poll(() => ear.events(), { timeout: 20_000, interval: 200 }).toHaveLength(1)
  expect(await readers(url, people)).toEqual(['Ada', 'Grace'])
})

test('Many concurrent messages that link to one file are all counted.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const url = await uploaded(ada)
  const ear = await listen(ada, { event_types: ['attachment'] })
  const ids = await Promise.all(Array.from({ length: 20 }, () => sendDirectMessage(ada, [grace], link(url))))
  const [object] = await attachments(ada)
  expect(object?.messages.map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b))
  expect((await ear.events()).at(-1)).toMatchObject({ op: 'update', attachment: object })
})
