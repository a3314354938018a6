/** Custom emoji: permissions, names, images, and their use in messages and reactions. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { emptyGif, fetchFile, redPixel, upload } from '../setup/requests/files.js'

const setUp = () => newRealmWith('Admin', 'Ada', 'Grace', 'Guest')

const picture = { filename: 'party.png', type: 'image/png', data: redPixel }
const add = (person: Person, name: string, file = picture) =>
  upload(person, `/realm/emoji/${encodeURIComponent(name)}`, file)

type Emoji = Record<
  string,
  { name: string; source_url: string; still_url: string | null; deactivated: boolean; author_id: number }
>
const emojiOf = async (person: Person) => (await ok(person, 'GET', '/realm/emoji')).emoji

test('A member can add an emoji, a guest receives the complete list, and its image needs no login.', async () => {
  await using s = await setUp()
  const listener = await listen(s.guest, { event_types: ['realm_emoji'] })
  expect((await add(s.ada, 'party parrot')).json).toEqual({ result: 'success', msg: '' })
  const all = await emojiOf(s.guest)
  expect(all).toEqual({
    1: {
      id: '1',
      name: 'party_parrot',
      source_url: expect.stringMatching(/^\/user_avatars\/\d+\/emoji\/images\/[0-9a-f]+\.png$/),
      still_url: null,
      deactivated: false,
      author_id: s.ada.user_id,
    },
  })
  expect(await listener.events()).toMatchObject([{ op: 'update', realm_emoji: all }])
  expect(await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm_emoji'] })).toMatchObject({
    realm_emoji: all,
  })
  const { status, headers, bytes } = await fetchFile(s.ada.host, all[1]?.source_url as string)
  expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'image/png', 'nosniff'])
  expect(bytes.equals(redPixel)).toBe(true)
})

test('Messages and reactions can use a custom emoji and keep it after its deactivation.', async () => {
  await using s = await setUp()
  await add(s.ada, 'gopher')
  const source_url = (await emojiOf(s.ada))[1]?.source_url
  const sent = { type: 'private', to: [s.grace.user_id], content: 'hello :gopher:' }
  const { id } = await ok(s.ada, 'POST', '/messages', sent)
  const { message } = await ok(s.grace, 'GET', `/messages/${id}`)
  expect(message.content).toContain(`src="${source_url}"`)
  await ok(s.grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'gopher' })
  await ok(s.ada, 'DELETE', '/realm/emoji/gopher')
  expect(await emojiOf(s.ada)).toMatchObject({ 1: { deactivated: true } })
  expect(
    await call(s.ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'gopher', emoji_code: '7' }),
  ).toMatchObject({ status: 400 })
  expect(await ok(s.grace, 'GET', `/messages/${id}`)).toMatchObject({
    message: { reactions: [{ emoji_name: 'gopher', emoji_code: '1', reaction_type: 'realm_emoji' }] },
  })
  await add(s.ada, 'gopher', { ...picture, data: emptyGif })
  expect(await emojiOf(s.ada)).toMatchObject({ 1: { deactivated: true }, 2: { name: 'gopher', deactivated: false } })
})

test('A reaction name resolves to a custom emoji before an extra or a Unicode emoji.', async () => {
  await using s = await setUp()
  const { id } = await ok(s.ada, 'POST', '/messages', { type: 'private', to: [s.grace.user_id], content: 'hello' })
  const path = `/messages/${id}/reactions`
  const reactions = async () => {
    const { message } = await ok(s.ada, 'GET', `/messages/${id}`)
    return message.reactions.map(({ emoji_code, reaction_type }) => [emoji_code, reaction_type])
  }
  const codes: Record<string, [former: string, type: string]> = {
    zulip: ['zulip', 'service_extra_emoji'],
    smile: ['1f642', 'unicode_emoji'],
  }
  for (const [i, [emoji_name, former]] of Object.entries(codes).entries()) {
    await ok(s.ada, 'POST', path, { emoji_name })
    await add(s.admin, emoji_name)
    const custom = [String(i + 1), 'realm_emoji']
    await ok(s.ada, 'POST', path, { emoji_name })
    expect(await reactions()).toEqual([former, custom])
    // Without reaction_type, the name yields only a code, which the server takes as the code of a Unicode emoji.
    expect((await call(s.ada, 'DELETE', path, { emoji_name })).body.code).toBe('REACTION_DOES_NOT_EXIST')
    await ok(s.ada, 'DELETE', path, { emoji_name, reaction_type: 'realm_emoji' })
    await ok(s.ada, 'DELETE', path, { emoji_code: former[0], reaction_type: former[1] })
    expect(await reactions()).toEqual([])
  }
})

test('The server refuses a reaction whose code and name do not match or whose emoji is deactivated.', async () => {
  await using s = await setUp()
  const { id } = await ok(s.ada, 'POST', '/messages', { type: 'private', to: [s.grace.user_id], content: 'hello' })
  await add(s.ada, 'gopher')
  const gopher = { emoji_name: 'gopher', emoji_code: '1', reaction_type: 'realm_emoji' }
  const said = async (params: Record<string, unknown>) =>
    (await call(s.ada, 'POST', `/messages/${id}/reactions`, { ...gopher, ...params })).body.msg
  for (const emoji_code of ['2', 'gopher', '1.0']) {
    expect(await said({ emoji_code })).toBe('There is no custom emoji with this code.')
  }
  expect(await said({ emoji_name: 'mole' })).toBe('emoji_name is not the name of this custom emoji.')
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }
  expect(await said({ ...extra, emoji_code: '1f642' })).toBe('There is no emoji with this code.')
  expect(await said({ ...extra, emoji_name: 'smile' })).toBe('emoji_name is not a name of this emoji.')
  await ok(s.ada, 'DELETE', '/realm/emoji/gopher')
  expect(await said({})).toBe('This custom emoji is deactivated.')
})

test('An animated emoji also has a still image.', async () => {
  await using s = await setUp()
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 80, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const data = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  await add(s.ada, 'blink', { ...picture, data })
  const { still_url, source_url } = (await emojiOf(s.ada))[1] as Emoji[string]
  expect(still_url).toMatch(/^\/user_avatars\/\d+\/emoji\/images\/[0-9a-f]+\.png$/)
  expect((await fetchFile(s.ada.host, source_url)).bytes.equals(data)).toBe(true)
  const still = await fetchFile(s.ada.host, still_url ?? '')
  expect(still.headers['content-type']).toBe('image/png')
  const { width, height, pages } = await sharp(still.bytes).metadata()
  expect([width, height, pages]).toEqual([64, 32, undefined])
})

test('The server does not serve an emoji image of another organization.', async () => {
  await using s = await setUp()
  await using other = await setUp()
  await add(s.ada, 'gopher')
  const path = (await emojiOf(s.ada))[1]?.source_url as string
  expect((await fetchFile(other.ada.host, path)).status).toBe(404)
  expect((await fetchFile(s.ada.host, path.replace('/images/', '/images/../images/'))).status).toBe(404)
})

describe('Refused custom emoji', () => {
  test.each([
    ['Parrot', 'An emoji name may contain only a-z, 0-9, spaces, dashes and underscores.'],
    ['gopher!', 'An emoji name may contain only a-z, 0-9, spaces, dashes and underscores.'],
    ['gopher_', 'An emoji name must end with a letter or a digit.'],
    ['taken', 'There is a custom emoji with this name already.'],
    ['smile', 'Only administrators may replace a built-in emoji.'],
  ])('The server refuses the emoji name %s: %s', async (name, msg) => {
    await using s = await setUp()
    await add(s.grace, 'taken')
    expect((await add(s.ada, name)).json).toMatchObject({ code: 'BAD_REQUEST', msg })
  })

  test('The server refuses an upload that is not an image or does not contain exactly one file.', async () => {
    await using s = await setUp()
    const svg = { filename: 'a.png', type: 'image/png', data: '<svg/>' }
    expect((await add(s.ada, 'blob', svg as unknown as typeof picture)).json).toMatchObject({ code: 'BAD_IMAGE' })
    const msg = 'Upload exactly one file.'
    expect(await call(s.ada, 'POST', '/realm/emoji/blob')).toMatchObject({ body: { msg } })
    expect((await upload(s.ada, '/realm/emoji/blob', picture, picture)).json).toMatchObject({ msg })
  })

  test('The server refuses an emoji file of more than 5 MiB.', async () => {
    await using s = await setUp()
    const msg = 'This file is larger than 5 MiB.'
    for (const size of [5 * 1024 * 1024 + 1, 6 * 1024 * 1024]) {
      const data = Buffer.concat([redPixel, Buffer.alloc(size - redPixel.length)])
      expect((await add(s.ada, 'blob', { ...picture, data })).json).toMatchObject({ msg })
    }
  })

  test('A guest and a member without permission cannot add an emoji.', async () => {
    await using s = await setUp()
    expect((await add(s.guest, 'blob')).json).toMatchObject({ msg: 'Guests may not do this.' })
    await updateRealmSettings(s.realm, { can_add_custom_emoji_group: SystemGroup.administrators })
    expect((await add(s.ada, 'blob')).json).toMatchObject({
      msg: 'Insufficient permission: ask an administrator of the organization.',
    })
    expect((await add(s.admin, 'smile')).status).toBe(200)
  })
})

describe('Deactivating a custom emoji', () => {
  test('An administrator can deactivate an emoji, and a member who did not add it cannot.', async () => {
    await using s = await setUp()
    await add(s.ada, 'gopher')
    expect(await call(s.grace, 'DELETE', '/realm/emoji/gopher')).toMatchObject({
      status: 400,
      body: { msg: 'Only administrators and the user who added the emoji may do this.' },
    })
    const listener = await listen(s.guest, { event_types: ['realm_emoji'] })
    await ok(s.admin, 'DELETE', '/realm/emoji/gopher')
    expect(await listener.events()).toMatchObject([
      { op: 'update', realm_emoji: { 1: { name: 'gopher', deactivated: true } } },
    ])
  })

  test('An emoji can be deactivated only once.', async () => {
    await using s = await setUp()
    await add(s.ada, 'gopher')
    await ok(s.ada, 'DELETE', '/realm/emoji/gopher')
    expect(await call(s.ada, 'DELETE', '/realm/emoji/gopher')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'There is no emoji named “gopher”.' },
    })
  })
})

test('The emoji table is served without login at the URL that a registration contains.', async () => {
  await using s = await setUp()
  const { server_emoji_data_url } = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm'] })
  const { status, json } = await fetchFile(s.ada.host, new URL(server_emoji_data_url as string).pathname)
  expect([status, (json.code_to_names as Record<string, string[]>)['1f642']]).toEqual([
    200,
    expect.arrayContaining(['smile']),
  ])
  const catalog = json.emoji_catalog as Record<string, string[]>
  expect(catalog.Flags).toContain('1f1e9-1f1ea')
  // Each emoji is in one category.
  expect(Object.values(catalog).flat().sort()).toEqual(Object.keys(json.code_to_names as object).sort())
})
