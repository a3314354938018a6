/** Avatars of users over the API. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { drawnAvatar } from '../../src/gateway/api/files/generated-avatars.js'
import { accountColours } from '../../src/gateway/api/files/letter-pictures.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { emptyGif, fetchFile, redPixel, upload } from '../setup/requests/files.js'

/** An organization in which Ada shows her email address to administrators only. */
const setUp = async () => {
  const s = await newRealmWith('Admin', 'Ada', 'Grace')
  await ok(s.ada, 'PATCH', '/settings', { email_address_visibility: 3 })
  return s
}

/** Lets callers without an account read a channel. */
const openToVisitors = async (realm: TestRealm, admin: Person) => {
  await updateRealmSettings(realm, {
    enable_spectator_access: true,
    can_create_web_public_channel_group: SystemGroup.administrators,
  })
  await createChannel(admin, 'open', [admin], { is_web_public: true })
}

const picture = { filename: 'me.png', data: redPixel }

test('An uploaded avatar replaces the computed one, and other users receive an event about it.', async () => {
  await using s = await setUp()
  const listener = await listen(s.grace, { event_types: ['realm_user'] })
  const { avatar_url } = (await upload(s.ada, '/users/me/avatar', picture)).json
  expect(avatar_url).toBe(`/user_avatars/${s.ada.user_id}.png?version=2`)
  expect(await listener.events()).toMatchObject([
    {
      person: {
        user_id: s.ada.user_id,
        avatar_url,
        avatar_url_medium: `/user_avatars/${s.ada.user_id}-medium.png?version=2`,
        avatar_source: 'U',
        avatar_version: 2,
      },
    },
  ])
  const shown = async (path: string) => {
    const { status, headers, bytes } = await fetchFile(s.ada.host, path)
    const { width, height } = await sharp(bytes).metadata()
    return [status, headers['content-type'], width, height]
  }
  const medium = `/user_avatars/${s.ada.user_id}-medium.png`
  expect(await shown(avatar_url as string)).toEqual([200, 'image/png', 100, 100])
  expect(await shown(medium)).toEqual([200, 'image/png', 500, 500])
  await upload(s.ada, '/users/me/avatar', { ...picture, data: emptyGif })
  expect(await shown(avatar_url as string)).toEqual([200, 'image/png', 100, 100])
})

test('When a user deletes their avatar, the server draws one, which reveals nothing about the account.', async () => {
  await using s = await setUp()
  await upload(s.ada, '/users/me/avatar', picture)
  const [admin, grace] = [await listen(s.admin), await listen(s.grace)]
  const { avatar_url } = await ok(s.ada, 'DELETE', '/users/me/avatar')
  expect(avatar_url).toBe(drawn(s.ada))
  for (const listener of [admin, grace]) {
    expect(await listener.events()).toMatchObject([
      { person: { avatar_url, avatar_url_medium: drawn(s.ada, '-medium'), avatar_source: 'G', avatar_version: 3 } },
    ])
  }
  expect((await fetchFile(s.ada.host, `/user_avatars/${s.ada.user_id}.png`)).status).toBe(404)
  for (const [path, side] of [
    [drawn(s.ada), 100],
    [drawn(s.ada, '-medium'), 500],
    [drawn({ user_id: 999_999, full_name: 'X' }), 100],
  ] as const) {
    const { status, headers, bytes } = await fetchFile(s.ada.host, path)
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
    const { width, height } = await sharp(bytes).metadata()
    expect([width, height]).toEqual([side, side])
    const { channels } = await sharp(bytes).stats()
    expect(channels.some(({ min, max }) => min !== max)).toBe(true)
  }
})

/** The address of the picture of a person of one name. */
const drawn = ({ user_id, full_name }: Pick<Person, 'user_id' | 'full_name'>, size = '') =>
  `/user_avatars/drawn/${user_id}.${full_name.charCodeAt(0).toString(16)}${size}.png`

describe('The picture that the server draws', () => {
  const fetchPicture = async (host: string, path: string) => {
    const { status, bytes } = await fetchFile(host, path)
    return status === 200 ? bytes : undefined
  }

  test('It shows the initials of a name in many scripts, and another name has another address and an event.', async () => {
    await using s = await setUp()
    const listener = await listen(s.grace, { event_types: ['realm_user'] })
    const codes: string[] = []
    const pictures = new Set<string>()
    const names = ['Ada King', 'ada Kay', 'Жанна Ильина', 'Ælfgiva Ångström', 'محمد علي', 'דוד לוי', 'ნინო', 'Ấn Độ']
    for (const full_name of [...names, '1337 &lt;svg onload', '张伟', '😀 👍', `${'x'.repeat(90)} y`]) {
      await ok(s.admin, 'PATCH', `/users/${s.ada.user_id}`, { full_name })
      const { avatar_url, avatar_version } = (await ok(s.grace, 'GET', `/users/${s.ada.user_id}`)).user
      codes.push(String(avatar_url).replace(/^.*drawn\/\d+(.*)\.png$/, '$1'))
      const bytes = (await fetchPicture(s.ada.host, String(avatar_url))) as Buffer
      pictures.add(bytes.toString('base64'))
      const events = await listener.events()
      const changed = events.filter(({ person }) => 'avatar_url' in (person as object))
      const isSame = codes.at(-1) === codes.at(-2)
      expect(changed).toMatchObject(isSame ? [] : [{ person: { user_id: s.ada.user_id, avatar_url, avatar_version } }])
    }
    const expected = ['.41.4b', '.41.4b', '.416.418', '.c6.c5', '.645.639', '.5d3.5dc', '.10dc', '.41.110', '.31.4f']
    expect(codes).toEqual([...expected, '', '', '.58.59'])
    expect(pictures.size).toBe(codes.length - 2)
  })

  test('A bot has a picture of its own form, and the same in the list of bots as in the list of users.', async () => {
    await using s = await setUp()
    const listener = await listen(s.ada, { event_types: ['realm_bot'] })
    const { user_id, avatar_url } = await ok(s.ada, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    expect(avatar_url).toBe(`/user_avatars/drawn/${user_id}.52.bot.png`)
    const [bot, person] = [
      await fetchPicture(s.ada.host, avatar_url),
      await fetchPicture(s.ada.host, avatar_url.replace('.bot', '')),
    ]
    expect(bot?.equals(person as Buffer)).toBe(false)
    await ok(s.ada, 'PATCH', `/bots/${user_id}` as '/bots/{bot_id}', { full_name: '张三' })
    const renamed = `/user_avatars/drawn/${user_id}.bot.png`
    expect((await listener.events()).at(-1)).toMatchObject({ bot: { full_name: '张三', avatar_url: renamed } })
    expect(await fetchPicture(s.ada.host, renamed)).toBeDefined()
  })

  test('It depends on its address alone: no address tells which accounts there are, here or elsewhere.', async () => {
    await using s = await setUp()
    await using other = await setUp()
    const paths = [s.ada.user_id, 999_999].map((id) => `/user_avatars/drawn/${id}.58.59.png`)
    for (const path of paths) expect(await fetchPicture(s.ada.host, path)).toBeDefined()
    const [path = ''] = paths
    expect(await fetchPicture(other.ada.host, path)).toEqual(await fetchPicture(s.ada.host, path))
    const wrong = [
      '1.zz',
      '1.41.42.43',
      '1.4f60',
      '1.fffff',
      '1..41',
      '1.41.',
      '1.bot.41',
      '1.0041',
      '-1',
      '1.41%2F..',
      '12345678901',
    ]
    for (const one of wrong) {
      expect([one, await fetchPicture(s.ada.host, `/user_avatars/drawn/${one}.png`)]).toEqual([one, undefined])
    }
  })

  test('Its letters are in the middle, whole and in the colours of the page.', async () => {
    const css = readFileSync(join(root, 'web/src/ui/avatar.css'), 'utf8')
    const colours = [...css.matchAll(/--avatar-color: #(..)(..)(..)/g)]
    expect(colours.map((colour) => colour.slice(1).map((part) => Number.parseInt(part, 16)))).toEqual(accountColours)
    for (const letters of [['41', '4c'], ['49'], ['57', '4d'], ['645', '639'], ['51', 'c5']]) {
      for (const [is_bot, user_id] of [
        [false, 3],
        [true, 14],
      ] as const) {
        const drawing = drawnAvatar(1, { user_id, letters, is_bot, medium: false })
        const { data } = await sharp(drawing).removeAlpha().raw().toBuffer({ resolveWithObject: true })
        expect([...data.subarray(0, 3)]).toEqual(accountColours[user_id % 10])
        // Whether a column has a pixel that is nearly white. A row has 100 pixels of three bytes.
        const columns = Array.from({ length: 100 }, (_, x) => data.some((red, at) => at % 300 === 3 * x && red > 200))
        const [left, right] = [columns.indexOf(true), columns.lastIndexOf(true)]
        expect(Math.abs(left + right - 99)).toBeLessThan(3)
        expect(left).toBeGreaterThan(5)
      }
    }
  })
})

describe('Gravatars', () => {
  test('No address of a new organization leads to Gravatar, and no client computes one.', async () => {
    await using s = await setUp()
    await sendDirectMessage(s.admin, [s.grace], 'x')
    const form = { client_gravatar: true }
    const registered = await ok(s.grace, 'POST', '/register', { fetch_event_types: ['realm', 'realm_user'], ...form })
    const answers = [
      registered,
      await ok(s.grace, 'GET', '/users', form),
      await ok(s.grace, 'GET', `/users/${s.admin.user_id}`, form),
      await ok(s.grace, 'GET', '/users/me'),
      await ok(s.grace, 'GET', '/messages', { anchor: 'newest', num_before: 9, ...form }),
    ]
    expect(registered).toMatchObject({ realm_default_avatar_source: 'J', avatar_url: drawn(s.grace) })
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain('gravatar.com')
      expect(JSON.stringify(answer)).not.toContain('"avatar_url":null')
    }
    for (const person of [undefined, s.grace, s.admin]) {
      const { headers } = await fetchFile(s.ada.host, `/avatar/${s.ada.user_id}`, person)
      expect(headers.location ?? '').not.toContain('gravatar')
    }
  })

  test('An organization that chooses Gravatars has them at once, with the address that each viewer may see.', async () => {
    await using s = await setUp()
    await upload(s.admin, '/users/me/avatar', picture)
    const [admin, grace] = [
      await listen(s.admin, { event_types: ['realm', 'realm_user'] }),
      await listen(s.grace, { event_types: ['realm', 'realm_user'] }),
    ]
    await ok(s.admin, 'PATCH', '/realm', { default_avatar_source: 'G' })
    const find = async (viewer: Person, form: Record<string, unknown>) =>
      (await ok(viewer, 'GET', `/users/${s.ada.user_id}`, form)).user.avatar_url
    const own = (await ok(s.ada, 'GET', '/users/me')).avatar_url
    expect(own).toMatch(/^https:\/\/secure\.gravatar\.com\//)
    expect(await find(s.admin, { client_gravatar: false })).toBe(own)
    expect(await find(s.admin, {})).toBeNull()
    const plain = await find(s.grace, {})
    expect(plain).toMatch(/^https:\/\/secure\.gravatar\.com\//)
    expect(plain).not.toBe(own)
    for (const [listener, avatar_url] of [
      [admin, own],
      [grace, plain],
    ] as const) {
      const [changed, ...persons] = (await listener.events()) as unknown as { person: { user_id: number } }[]
      expect(changed).toMatchObject({ type: 'realm', property: 'default_avatar_source', value: 'G' })
      expect(persons.find(({ person }) => person.user_id === s.ada.user_id)).toMatchObject({ person: { avatar_url } })
      expect(persons.some(({ person }) => person.user_id === s.admin.user_id)).toBe(false)
    }
    const [later] = await s.realm.people({ full_name: 'DatabaseField' })
    expect((await ok(s.grace, 'GET', `/users/${later?.user_id}`, {})).user.avatar_url).toBeNull()
    await ok(s.admin, 'PATCH', '/realm', { default_avatar_source: 'J' })
    expect(await find(s.admin, {})).toBe(drawn(s.ada))
    expect((await call(s.grace, 'PATCH', '/realm', { default_avatar_source: 'G' })).status).toBe(400)
    expect((await call(s.admin, 'PATCH', '/realm', { default_avatar_source: 'U' })).status).toBe(400)
  })
})

describe('The avatar URL', () => {
  const unknown = '/static/images/unknown-user-avatar.png'
  const locate = async (host: string, path: string, person?: Person) => {
    const { status, headers } = await fetchFile(host, path, person)
    return status === 302 ? headers.location : status
  }
  const sizes = ['', '/medium']

  test('The URL with a user ID redirects an account to the avatar of that user.', async () => {
    await using s = await setUp()
    await upload(s.ada, '/users/me/avatar', picture)
    const own = `/user_avatars/${s.ada.user_id}`
    expect(await locate(s.ada.host, `/avatar/${s.ada.user_id}`, s.grace)).toBe(`${own}.png?version=2`)
    expect(await locate(s.ada.host, `/avatar/${s.ada.user_id}/medium`, s.grace)).toBe(`${own}-medium.png?version=2`)
  })

  test('Without credentials, it is refused, and shows an unknown user where visitors have access.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { default_avatar_source: 'G' })
    await upload(s.grace, '/users/me/avatar', picture)
    const ids = [s.ada.user_id, s.grace.user_id, 999_999]
    for (const id of ids) for (const size of sizes) expect(await locate(s.ada.host, `/avatar/${id}${size}`)).toBe(401)
    await openToVisitors(s.realm, s.admin)
    for (const id of ids)
      for (const size of sizes) expect(await locate(s.ada.host, `/avatar/${id}${size}`)).toBe(unknown)
    for (const size of sizes) expect(await locate(s.ada.host, `/avatar/${s.ada.email}${size}`)).toBe(401)
  })

  test('A guest who may not see an account gets the avatar of an unknown user, by ID and by address.', async () => {
    await using s = await setUp()
    const [guest] = (await s.realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
    await upload(s.ada, '/users/me/avatar', picture)
    await updateRealmSettings(s.realm, {
      can_access_all_users_group: SystemGroup.members,
      default_avatar_source: 'G',
    })
    const ways = [s.ada, s.grace].flatMap(({ user_id, email }) => [user_id, email])
    for (const way of ways) {
      for (const size of sizes) expect(await locate(guest.host, `/avatar/${way}${size}`, guest)).toBe(unknown)
    }
    await sendDirectMessage(guest, [s.ada], 'x').catch(() => undefined)
    await sendDirectMessage(s.ada, [guest], 'x')
    expect(await locate(guest.host, `/avatar/${s.ada.user_id}`, guest)).toContain('/user_avatars/')
  })

  test('The URL with an unknown user ID redirects to a default picture.', async () => {
    await using s = await setUp()
    const { headers } = await fetchFile(s.ada.host, '/avatar/99', s.ada)
    const found = await fetchFile(s.ada.host, headers.location as string)
    expect([found.status, found.headers['content-type']]).toEqual([200, 'image/png'])
  })

  test('The URL does not reveal a hidden email address.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'PATCH', '/realm', { default_avatar_source: 'G' })
    const own = (await ok(s.ada, 'GET', '/users/me')).avatar_url
    const path = `/avatar/${s.ada.user_id}`
    expect(await locate(s.ada.host, path, s.grace)).not.toBe(own)
    expect(await locate(s.ada.host, path, s.admin)).toBe(own)
    expect(await locate(s.ada.host, `/avatar/${s.ada.email}`, s.grace)).toBe(unknown)
    expect(await locate(s.ada.host, `/avatar/${s.ada.email}`, s.admin)).toBe(own)
    expect(await locate(s.ada.host, `/avatar/${s.ada.email}`)).toBe(401)
  })
})

describe('Refused avatars', () => {
  test('The server refuses an upload that is not an image or does not contain exactly one file.', async () => {
    await using s = await setUp()
    const text = { filename: 'me.png', data: 'hello' }
    expect((await upload(s.ada, '/users/me/avatar', text)).json).toMatchObject({ code: 'BAD_IMAGE' })
    const msg = 'Upload exactly one picture.'
    expect(await call(s.ada, 'POST', '/users/me/avatar')).toMatchObject({ body: { msg } })
    expect((await upload(s.ada, '/users/me/avatar', picture, picture)).json).toMatchObject({ msg })
  })

  test('With avatar_changes_disabled, a member cannot change their avatar and an administrator can.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { avatar_changes_disabled: true })
    const msg = 'Only administrators may change avatars in this organization.'
    expect((await upload(s.ada, '/users/me/avatar', picture)).json).toMatchObject({ msg })
    expect(await call(s.ada, 'DELETE', '/users/me/avatar')).toMatchObject({ body: { msg } })
    expect((await upload(s.admin, '/users/me/avatar', picture)).status).toBe(200)
  })
})

test('The server serves a default icon for an organization without an uploaded one.', async () => {
  await using s = await setUp()
  const { realm_icon_url } = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm'] })
  const { status, headers } = await fetchFile(s.ada.host, realm_icon_url as string)
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
})
