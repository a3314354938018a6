/** Avatars of users over the API. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/event-listener.js'
import { emptyGif, fetchFile, redPixel, upload } from '../setup/files.js'
import { call, ok, type Person } from '../setup/realm.js'
import { newRealmWith } from '../setup/realm-with-people.js'
import { updateRealmSettings } from '../setup/row-changes.js'

/** An organization in which Ada shows her email address to administrators only. */
const setUp = async () => {
  const s = await newRealmWith('Admin', 'Ada', 'Grace')
  await ok(s.ada, 'PATCH', '/settings', { email_address_visibility: 3 })
  return s
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

test('When a user deletes their avatar, each viewer receives the one computed from the email address they may see.', async () => {
  await using s = await setUp()
  await upload(s.ada, '/users/me/avatar', picture)
  const [admin, grace] = [await listen(s.admin), await listen(s.grace)]
  const { avatar_url } = await ok(s.ada, 'DELETE', '/users/me/avatar')
  expect(avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/.*version=3$/)
  expect(await admin.events()).toMatchObject([{ person: { avatar_url, avatar_source: 'G', avatar_version: 3 } }])
  const [event] = (await grace.events()) as { person?: { avatar_url: string } }[]
  expect(event?.person?.avatar_url).not.toBe(avatar_url)
  expect((await fetchFile(s.ada.host, `/user_avatars/${s.ada.user_id}.png`)).status).toBe(404)
})

describe('The avatar URL', () => {
  test('The URL with a user ID redirects any caller to the avatar of that user.', async () => {
    await using s = await setUp()
    await upload(s.ada, '/users/me/avatar', picture)
    const small = await fetchFile(s.ada.host, `/avatar/${s.ada.user_id}`)
    expect([small.status, small.headers.location]).toEqual([302, `/user_avatars/${s.ada.user_id}.png?version=2`])
    const medium = await fetchFile(s.ada.host, `/avatar/${s.ada.user_id}/medium`)
    expect(medium.headers.location).toBe(`/user_avatars/${s.ada.user_id}-medium.png?version=2`)
  })

  test('The URL with an unknown user ID redirects to a default picture.', async () => {
    await using s = await setUp()
    const { headers } = await fetchFile(s.ada.host, '/avatar/99')
    const found = await fetchFile(s.ada.host, headers.location as string)
    expect([found.status, found.headers['content-type']]).toEqual([200, 'image/png'])
  })

  test('The URL does not reveal a hidden email address.', async () => {
    await using s = await setUp()
    const by = async (person?: Person) =>
      (await fetchFile(s.ada.host, `/avatar/${s.ada.user_id}`, person)).headers.location
    const own = (await ok(s.ada, 'GET', '/users/me')).avatar_url
    expect(await by()).not.toBe(own)
    const hidden = await fetchFile(s.ada.host, `/avatar/${s.ada.email}`, s.grace)
    expect(hidden.headers.location).toBe('/static/images/unknown-user-avatar.png')
    expect((await fetchFile(s.ada.host, `/avatar/${s.ada.email}`, s.admin)).headers.location).toBe(own)
    expect((await fetchFile(s.ada.host, `/avatar/${s.ada.email}`)).status).toBe(401)
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
