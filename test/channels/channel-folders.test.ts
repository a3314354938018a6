/** Channel folders over the API. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateChannelRow } from '../setup/realm/row-changes.js'

const setUp = () => newRealmWith('Admin', 'Ada', 'Guest')

const CREATE = '/channel_folders/create'

const folders = async (person: Person, params: Record<string, unknown> = {}) =>
  (await ok(person, 'GET', '/channel_folders', params)).channel_folders

describe('Channel folders', () => {
  test('An administrator can create a folder, which guests see too, and a member cannot.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest)
    const { channel_folder_id } = await ok(s.admin, 'POST', CREATE, { name: ' Work ', description: 'What we *do*' })
    const folder = {
      id: 1,
      name: 'Work',
      description: 'What we *do*',
      rendered_description: '<p>What we <em>do</em></p>',
      creator_id: s.admin.user_id,
      is_archived: false,
    }
    expect(channel_folder_id).toBe(1)
    expect(await listener.events()).toMatchObject([{ type: 'channel_folder', op: 'add', channel_folder: folder }])
    expect(await folders(s.guest)).toMatchObject([folder])
    const fetch_event_types = ['channel_folders']
    expect(await ok(s.guest, 'POST', '/register', { fetch_event_types })).toMatchObject({ channel_folders: [folder] })
    expect((await call(s.ada, 'POST', CREATE, { name: 'Mine' })).body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Only administrators of the organization may do this.',
    })
  })

  test.each([
    [{ name: '   ' }, 'A channel folder needs a name.'],
    [{ name: 'a\u0007b' }, 'The folder name contains a character that is not allowed, at position 2.'],
    [{ name: 'wORK' }, 'There is a folder with this name already: choose another one.'],
    [{ name: 'W\u043erk' }, 'There is a folder with this name already: choose another one.'],
    [{ name: 'Wo\u200brk' }, 'The folder name contains a character that is not allowed, at position 3.'],
    [{ name: 'x'.repeat(101) }, 'name may have at most 100 characters.'],
    [{ name: 'x', description: 'x'.repeat(1_025) }, 'description may have at most 1024 characters.'],
  ])('The server refuses the folder %j: %s', async (given, msg) => {
    await using s = await setUp()
    await ok(s.admin, 'POST', CREATE, { name: 'Work' })
    await ok(s.admin, 'POST', CREATE, { name: 'Play' })
    for (const [method, path] of [
      ['POST', CREATE],
      ['PATCH', '/channel_folders/2'],
    ] as const) {
      expect((await call(s.admin, method, path, given)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    }
  })

  test('The update event of a folder contains only the changed fields.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'POST', CREATE, { name: 'Work' })
    const listener = await listen(s.ada)
    const change = (params: Record<string, unknown>) => ok(s.admin, 'PATCH', '/channel_folders/1', params)
    await change({ name: 'work' })
    await change({ name: 'work', is_archived: false })
    await change({ description: '**All** of it', is_archived: true })
    expect((await listener.events()).map(({ channel_folder_id, op, data }) => [channel_folder_id, op, data])).toEqual([
      [1, 'update', { name: 'work' }],
      [
        1,
        'update',
        {
          description: '**All** of it',
          rendered_description: '<p><strong>All</strong> of it</p>',
          is_archived: true,
        },
      ],
    ])
    expect(await folders(s.ada)).toEqual([])
    expect(await folders(s.ada, { include_archived: true })).toMatchObject([{ name: 'work' }])
    expect((await call(s.admin, 'PATCH', '/channel_folders/7', { name: 'x' })).body.msg).toBe(
      'There is no channel folder with this ID.',
    )
  })
})

describe('Channels in folders', () => {
  test('A user can create a channel in a folder, and a folder that contains a channel cannot be archived.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'POST', CREATE, { name: 'Work' })
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }], folder_id: 1 })
    const { stream } = await ok(s.ada, 'GET', '/streams/1')
    expect(stream).toMatchObject({ folder_id: 1 })
    const archive = () => call(s.admin, 'PATCH', '/channel_folders/1', { is_archived: true })
    expect((await archive()).body.msg).toBe('Remove the channels from this folder before you archive it.')
    await updateChannelRow(s.realm, 'design', { folder_id: null })
    expect((await archive()).status).toBe(200)
  })

  test.each([[2], [3]])('A user cannot create a channel in the archived or unknown folder %i.', async (folder_id) => {
    await using s = await setUp()
    await ok(s.admin, 'POST', CREATE, { name: 'Work' })
    await ok(s.admin, 'POST', CREATE, { name: 'Old' })
    await ok(s.admin, 'PATCH', '/channel_folders/2', { is_archived: true })
    const given = { subscriptions: [{ name: 'design' }], folder_id }
    const { body } = await call(s.ada, 'POST', '/users/me/subscriptions', given)
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'There is no channel folder with this ID.' })
  })
})
