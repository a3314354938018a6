/** The organization's icon and logos. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { fetchFile, redPixel, upload } from '../setup/requests/files.js'

const setUp = async () => {
  const realm = await newRealm()
  const [admin, ada] = (await realm.people({ full_name: 'Admin', role: 200 }, { full_name: 'Ada' })) as [Person, Person]
  return { realm, admin, ada, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const wide = () =>
  sharp({ create: { width: 2000, height: 500, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
const sizeOf = async (host: string, url: string) => {
  const { status, headers, bytes } = await fetchFile(host, url)
  const { width, height } = await sharp(bytes).metadata()
  return [status, headers['content-type'], width, height]
}

const registered = async (by: Person) => {
  const all = await ok<Record<string, unknown>>(by, 'POST', '/register', { fetch_event_types: ['realm'] })
  return ['icon', 'logo', 'night_logo'].map((name) => [all[`realm_${name}_url`], all[`realm_${name}_source`]])
}

test('The icon is a square image with a URL that changes with each upload, and users receive an event.', async () => {
  await using s = await setUp()
  const { realm_id } = s.realm
  const computed = `/user_avatars/${realm_id}/realm/icon.png?version=1`
  expect((await registered(s.ada))[0]).toEqual([computed, 'G'])
  const listener = await listen(s.ada, { event_types: ['realm'] })
  const { json } = await upload(s.admin, '/realm/icon', { filename: 'i.png', data: await wide() })
  const icon_url = `/user_avatars/${realm_id}/realm/icon.png?version=2`
  expect(json).toEqual({ result: 'success', msg: '', icon_url })
  expect(await sizeOf(s.realm.host, icon_url)).toEqual([200, 'image/png', 256, 256])
  expect((await registered(s.ada))[0]).toEqual([icon_url, 'U'])
  expect((await ok(s.ada, 'GET', '/server_settings')).realm_icon).toContain('version=2')
  const leads = await fetchFile(s.realm.host, '/api/v1/realm/icon', s.ada)
  expect([leads.status, leads.headers.location]).toEqual([302, icon_url])
  const gone = await ok(s.admin, 'DELETE', '/realm/icon')
  expect(gone.icon_url).toBe(`/user_avatars/${realm_id}/realm/icon.png?version=3`)
  expect(await listener.events()).toMatchObject([
    { op: 'update_dict', property: 'icon', data: { icon_url, icon_source: 'U' } },
    { op: 'update_dict', property: 'icon', data: { icon_url: gone.icon_url, icon_source: 'G' } },
  ])
  expect((await sizeOf(s.realm.host, gone.icon_url as string)).slice(0, 2)).toEqual([200, 'image/png'])
})

test.each([
  ['logo', false],
  ['night_logo', true],
])('The %s keeps its aspect ratio and is independent of the other logo.', async (name, night) => {
  await using s = await setUp()
  const standard = '/static/images/logo.svg'
  const listener = await listen(s.ada, { event_types: ['realm'] })
  expect((await fetchFile(s.realm.host, standard)).headers['content-type']).toBe('image/svg+xml')
  await upload(s.admin, `/realm/logo?night=${night}`, { filename: 'l.png', data: await wide() })
  const url = `/user_avatars/${s.realm.realm_id}/realm/${name}.png?version=2`
  expect(await sizeOf(s.realm.host, url)).toEqual([200, 'image/png', 400, 100])
  const [, logo, night_logo] = await registered(s.ada)
  expect(night ? [night_logo, logo] : [logo, night_logo]).toEqual([
    [url, 'U'],
    [standard, 'D'],
  ])
  expect((await fetchFile(s.realm.host, `/api/v1/realm/logo?night=${night}`, s.ada)).headers.location).toBe(url)
  await ok(s.admin, 'DELETE', '/realm/logo', { night })
  expect((await fetchFile(s.realm.host, `/api/v1/realm/logo?night=${night}`, s.ada)).headers.location).toBe(standard)
  expect(await listener.events()).toMatchObject([
    { property: name, data: { [`${name}_url`]: url, [`${name}_source`]: 'U' } },
    { property: name, data: { [`${name}_url`]: standard, [`${name}_source`]: 'D' } },
  ])
  expect((await fetchFile(s.realm.host, url)).status).toBe(404)
})

describe('Refused icons, logos and avatars', () => {
  test('A member cannot change the icon or the logo.', async () => {
    await using s = await setUp()
    for (const path of ['/realm/icon', '/realm/logo']) {
      const file = { filename: 'i.png', data: redPixel }
      expect((await upload(s.ada, path, file)).json).toMatchObject({
        msg: 'Only administrators of the organization may do this.',
      })
      expect((await call(s.ada, 'DELETE', path)).body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  test('A logo needs the parameter night, because an organization has two.', async () => {
    await using s = await setUp()
    const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'night' }
    const file = { filename: 'l.png', data: redPixel }
    expect((await upload(s.admin, '/realm/logo', file)).json).toMatchObject(missing)
    for (const method of ['GET', 'DELETE']) {
      expect((await call(s.admin, method, '/realm/logo')).body).toMatchObject(missing)
    }
  })

  test.each([
    ['/realm/icon', 'Upload exactly one picture.'],
    ['/realm/logo?night=false', 'Upload exactly one picture.'],
    ['/users/me/avatar', 'Upload exactly one picture.'],
  ])(
    'The endpoint %s refuses no file, two files, a file that is too large and a file that is not an image.',
    async (path, msg) => {
      await using s = await setUp()
      const file = { filename: 'i.png', data: redPixel }
      expect((await call(s.admin, 'POST', path)).body).toMatchObject({ msg })
      expect((await upload(s.admin, path, file, file)).json).toMatchObject({ msg })
      const data = Buffer.concat([redPixel, Buffer.alloc(5 * 1024 * 1024)])
      expect((await upload(s.admin, path, { ...file, data })).json).toMatchObject({
        msg: 'This file is larger than 5 MiB.',
      })
      const bad = { code: 'BAD_IMAGE', msg: 'This is not an image of a known format.' }
      expect((await upload(s.admin, path, { ...file, data: 'none' })).json).toMatchObject(bad)
      const whole = await sharp({ create: { width: 500, height: 500, channels: 3, background: 'red' } })
        .png({ compressionLevel: 0 })
        .toBuffer()
      expect((await upload(s.admin, path, { ...file, data: whole.subarray(0, 9000) })).json).toMatchObject(bad)
      const bomb = Buffer.from(redPixel)
      bomb.writeUInt32BE(50_000, 16)
      bomb.writeUInt32BE(50_000, 20)
      expect((await upload(s.admin, path, { ...file, data: bomb })).json).toMatchObject({
        code: 'BAD_IMAGE',
        msg: 'This image has too many pixels: send a smaller one.',
      })
    },
  )
})
