/** Exports of an organization's data: the contents of the archive, and access to it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDiskStorage } from '../../src/store/files/disk-storage.js'
import { deleteExpiredArchive, exportKey, findExpiredArchives } from '../../src/store/realm/realm-exports.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { withWriteContext } from '../setup/realm/row-changes.js'
import { fetchFile, upload } from '../setup/requests/files.js'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
  const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
  const [ada, grace, mary] = people as [Person, Person, Person]
  return { realm, owner, ada, grace, mary, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

interface Export {
  id: number
  export_url: string | null
  pending: boolean
  failed_timestamp: number | null
  deleted_timestamp: number | null
}

const exportsOf = async (by: Person) => (await ok(by, 'GET', '/export/realm')).exports

const finished = async (by: Person, id: number): Promise<string> => {
  const find = async () => (await exportsOf(by)).find((one) => one.id === id)
  await expect.poll(async () => (await find())?.pending, { timeout: 15_000 }).toBe(false)
  return (await find())?.export_url as string
}

/** Unpacks the archive with the system's tar. */
const unpacked = (bytes: Buffer) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-unpacked-'))
  writeFileSync(join(folder, 'export.tar.gz'), bytes)
  execFileSync('tar', ['-xzf', 'export.tar.gz'], { cwd: folder })
  const names = execFileSync('tar', ['-tzf', 'export.tar.gz'], { cwd: folder }).toString().trim().split('\n')
  return {
    names,
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
    json: <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

const exported = async (by: Person, export_type: number) => {
  const { id } = await ok(by, 'POST', '/export/realm', { export_type })
  const url = await finished(by, id)
  const { status, bytes } = await fetchFile(by.host, new URL(url).pathname, by)
  expect(status).toBe(200)
  return unpacked(bytes)
}

interface Exported {
  id: number
  content: string
  reactions: object[]
}

const contents = (archive: ReturnType<typeof unpacked>) =>
  archive.json<Exported[]>('messages/000001.json').map(({ content }) => content)

test('A public export contains the public channels and their files, and no private messages.', async () => {
  await using s = await setUp()
  await createChannel(s.ada, 'public', [s.ada])
  await createChannel(s.ada, 'private', [s.ada, s.grace], { invite_only: true })
  const file = { filename: 'a long name, with blanks and ümläuts.txt', type: 'text/plain', data: 'in the archive' }
  const url = (await upload(s.ada, '/user_uploads', file)).json.url as string
  const hidden = (await upload(s.ada, '/user_uploads', { filename: 'b.txt', data: 'not in it' })).json.url as string
  const id = await postMessage(s.ada, 'public', 'plans', `open ${`[f](${url})`}`)
  await postMessage(s.ada, 'private', 'plans', `closed [f](${hidden})`)
  await sendDirectMessage(s.ada, [s.grace], 'between us')
  await ok(s.grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  using archive = await exported(s.owner, 1)
  expect(contents(archive)).toEqual([`open [f](${url})`])
  const [message] = archive.json<Exported[]>('messages/000001.json')
  expect(message).toMatchObject({ id, reactions: [{ user_id: s.grace.user_id, emoji_name: 'tada' }] })
  const path_id = url.slice('/user_uploads/'.length)
  expect(archive.text(`uploads/${path_id}`)).toBe('in the archive')
  expect(archive.json('attachments.json')).toMatchObject([{ path_id, name: file.filename }])
  expect(archive.json('export.json')).toMatchObject({ format: 'parley-export/1', export_type: 1 })
  expect(archive.json<{ name: string }[]>('channels.json').map(({ name }) => name)).toEqual(['public'])
  const users = archive.text('users.json')
  expect(users).toContain('Grace')
  for (const secret of [s.ada.api_key, 'key_version', 'password']) expect(users).not.toContain(secret)
})

test('An export with private data contains the messages that consenting users can read now.', async () => {
  await using s = await setUp()
  const wanted = { export_type: 2 }
  expect(await readRefusal(call(s.owner, 'POST', '/export/realm', wanted))).toEqual(
    badRequest('At least one owner must consent before private data can be exported.'),
  )
  for (const one of [s.owner, s.grace]) await ok(one, 'PATCH', '/settings', { allow_private_data_export: true })
  await createChannel(s.ada, 'shared', [s.ada], { invite_only: true, history_public_to_subscribers: true })
  await createChannel(s.ada, 'protected', [s.ada], { invite_only: true, history_public_to_subscribers: false })
  await createChannel(s.ada, 'left', [s.ada, s.grace], { invite_only: true })
  await createChannel(s.ada, 'foreign', [s.ada, s.mary], { invite_only: true })
  for (const name of ['shared', 'protected']) await postMessage(s.ada, name, 'plans', `${name} before`)
  const principals = [s.grace.user_id]
  const subscriptions = [{ name: 'shared' }, { name: 'protected' }]
  await ok(s.ada, 'POST', '/users/me/subscriptions', {
    subscriptions,
    principals,
    send_new_subscription_messages: false,
  })
  for (const name of ['shared', 'protected', 'left', 'foreign'])
    await postMessage(s.ada, name, 'plans', `${name} after`)
  await sendDirectMessage(s.ada, [s.grace], 'to Grace')
  await sendDirectMessage(s.ada, [s.mary], 'to Mary')
  await ok(s.grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  using archive = await exported(s.owner, 2)
  expect(contents(archive)).toEqual(['shared before', 'shared after', 'protected after', 'to Grace'])
  expect(archive.json<{ consenting_user_ids: number[] }>('export.json').consenting_user_ids.sort()).toEqual(
    [s.owner.user_id, s.grace.user_id].sort(),
  )
  const { export_consents } = await ok(s.owner, 'GET', '/export/realm/consents')
  expect(export_consents).toContainEqual(expect.objectContaining({ user_id: s.grace.user_id, consented: true }))
  expect(export_consents).toContainEqual(expect.objectContaining({ user_id: s.mary.user_id, consented: false }))
})

const until = async (listener: Listener, count: number) => {
  const all: Awaited<ReturnType<Listener['events']>> = []
  const collect = async () => {
    all.push(...(await listener.events()))
    return all.length
  }
  await expect.poll(collect, { timeout: 15_000 }).toBe(count)
  return all as unknown as { exports: Export[] }[]
}

test('The requester of an export receives its progress, and downloads the archive until it is deleted.', async () => {
  await using s = await setUp()
  const [listener, adaListener] = await Promise.all(
    [s.owner, s.ada].map((one) => listen(one, { event_types: ['realm_export'] })),
  )
  const { id } = await ok(s.owner, 'POST', '/export/realm')
  const [pendingEvent, made] = await until(listener as Listener, 2)
  expect(pendingEvent?.exports).toEqual([
    {
      id,
      acting_user_id: s.owner.user_id,
      export_time: expect.any(Number),
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: null,
      pending: true,
      export_type: 1,
    },
  ])
  const url = made?.exports[0]?.export_url as string
  const path = new URL(url).pathname
  expect(made?.exports).toMatchObject([{ pending: false, export_url: expect.stringMatching(/\/export\.tar\.gz$/) }])
  expect((await fetchFile(s.realm.host, path, s.owner)).headers['content-type']).toBe('application/gzip')
  const otherSecret = path.replace(/(?<=exports\/\d+\/)./, (first) => (first === '_' ? '-' : '_'))
  expect((await fetchFile(s.realm.host, otherSecret, s.owner)).status).toBe(404)
  await using elsewhere = await setUp()
  expect((await fetchFile(elsewhere.realm.host, path, elsewhere.owner)).status).toBe(404)
  await ok(s.owner, 'DELETE', `/export/realm/${id}`)
  expect((await fetchFile(s.realm.host, path, s.owner)).status).toBe(404)
  expect(await until(listener as Listener, 1)).toMatchObject([
    { exports: [{ id, export_url: null, deleted_timestamp: expect.any(Number) }] },
  ])
  expect(await readRefusal(call(s.owner, 'DELETE', `/export/realm/${id}`))).toEqual(
    badRequest('The archive of this export is deleted already.'),
  )
  expect(await (adaListener as Listener).events()).toEqual([])
})

test('Only its requester downloads an archive, and only owners know of one with the audit log.', async () => {
  await using s = await setUp()
  const [admin, second] = (await s.realm.people(
    { full_name: 'Admin', role: 200 },
    { full_name: 'Second owner', role: 100 },
  )) as [Person, Person]
  const ids = {
    owner: (await ok(s.owner, 'POST', '/export/realm')).id,
    admin: (await ok(admin, 'POST', '/export/realm')).id,
  }
  const paths = {
    owner: new URL(await finished(s.owner, ids.owner)).pathname,
    admin: new URL(await finished(admin, ids.admin)).pathname,
  }
  const download = async (path: string, by?: Person) => (await fetchFile(s.realm.host, path, by)).status
  expect(await download(paths.owner, s.owner)).toBe(200)
  expect(await download(paths.admin, admin)).toBe(200)
  for (const path of Object.values(paths)) {
    expect(await download(path)).toBe(401)
    expect(await download(path, s.ada)).toBe(400)
    expect(await download(path, second)).toBe(404)
    expect(await download(`${path}?api_key=${s.owner.api_key}`)).toBe(401)
  }
  expect([await download(paths.owner, admin), await download(paths.admin, s.owner)]).toEqual([404, 404])
  const list = async (by: Person) => (await exportsOf(by)).map(({ id, export_url }) => [id, export_url !== null])
  expect(await list(admin)).toEqual([[ids.admin, true]])
  expect(await list(s.owner)).toEqual([
    [ids.owner, true],
    [ids.admin, false],
  ])
  expect(await list(second)).toEqual([
    [ids.owner, false],
    [ids.admin, false],
  ])
  expect(await readRefusal(call(admin, 'DELETE', `/export/realm/${ids.owner}`))).toEqual(
    badRequest('There is no export with this ID.'),
  )
  // A former owner does not get the audit log any more, and nobody downloads after losing the role.
  await ok(second, 'PATCH', `/users/${s.owner.user_id}`, { role: 200 })
  expect(await download(paths.owner, s.owner)).toBe(404)
  expect(await list(s.owner)).toEqual([[ids.admin, false]])
  await ok(second, 'DELETE', `/users/${admin.user_id}`)
  expect(await download(paths.admin, admin)).toBe(401)
})

test('An archive expires after a week, and is deleted then.', async () => {
  await using s = await setUp()
  const { id } = await ok(s.owner, 'POST', '/export/realm')
  const path = new URL(await finished(s.owner, id)).pathname
  await s.realm.sql`
    update realm_exports set export_time = export_time - 7 * 86400 where realm_id = ${s.realm.realm_id} and id = ${id}`
  expect((await fetchFile(s.realm.host, path, s.owner)).status).toBe(404)
  expect(await exportsOf(s.owner)).toMatchObject([{ id, export_url: null, pending: false, deleted_timestamp: null }])
  const files = openDiskStorage(inject('process_env').UPLOADS_DIR ?? '')
  const [, secret] = /exports\/\d+\/([^/]+)/.exec(path) ?? []
  const key = exportKey(s.realm.realm_id, secret as string)
  expect(await files.size(key)).toBeGreaterThan(0)
  expect(await findExpiredArchives(s.realm.sql, 10_000)).toContainEqual({ realm_id: s.realm.realm_id, id })
  await withWriteContext(s.realm, (context) => deleteExpiredArchive(context, files, id))
  expect(await files.size(key)).toBeUndefined()
  expect(await exportsOf(s.owner)).toMatchObject([{ id, export_url: null, deleted_timestamp: expect.any(Number) }])
})

test('An export has no address that its requester cannot read over the API.', async () => {
  await using s = await setUp()
  const [admin] = (await s.realm.people({ full_name: 'Admin', role: 200 })) as [Person]
  const visibilities = [1, 2, 3, 4, 5]
  const hidden = (await s.realm.people(
    ...visibilities.map((value) => ({
      full_name: `Visible ${value}`,
      email: `address${value}@example.org`,
      settings: { email_address_visibility: value },
    })),
  )) as Person[]
  await ok(s.owner, 'PATCH', `/users/${hidden[3]?.user_id}`, { full_name: 'Renamed' })
  const { members } = await ok(admin, 'GET', '/users')
  for (const by of [admin, s.owner]) {
    using archive = await exported(by, 1)
    const everything = archive.names
      .filter((name) => name.endsWith('.json'))
      .map((name) => archive.text(name))
      .join()
    for (const { user_id, email } of hidden) {
      const isReadable = members.some((member) => member.user_id === user_id && member.delivery_email !== null)
      expect(everything.includes(email), email).toBe(isReadable)
    }
    expect(archive.names.some((name) => name.includes('audit_log'))).toBe(by === s.owner)
  }
})

test('A member cannot use exports, and an organization can make five exports in seven days.', async () => {
  await using s = await setUp()
  const administrators = badRequest('Only administrators of the organization may do this.', 'UNAUTHORIZED_PRINCIPAL')
  for (const [method, path] of [
    ['POST', '/export/realm'],
    ['GET', '/export/realm'],
    ['DELETE', '/export/realm/1'],
    ['GET', '/export/realm/consents'],
  ] as const) {
    expect(await readRefusal(call(s.ada, method, path)), path).toEqual(administrators)
  }
  expect(await readRefusal(call(s.owner, 'POST', '/export/realm', { export_type: 3 }))).toMatchObject({ status: 400 })
  expect(await readRefusal(call(s.owner, 'DELETE', '/export/realm/99999'))).toEqual(
    badRequest('There is no export with this ID.'),
  )
  await s.realm.sql`
    insert into realm_exports (realm_id, acting_user_id, export_type, export_time, realm_url, failed_timestamp)
    select ${s.realm.realm_id}, ${s.owner.user_id}, 1, ${Math.floor(Date.now() / 1000)}, '', 1 from generate_series(1, 4)`
  const [failed] = await exportsOf(s.owner)
  expect(await readRefusal(call(s.owner, 'DELETE', `/export/realm/${failed?.id}`))).toEqual(
    badRequest('This export failed: there is nothing to delete.'),
  )
  const answers = await Promise.all([1, 2, 3].map(() => call(s.owner, 'POST', '/export/realm')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({
    msg: 'The organization made five exports in the last seven days: wait before you request another one.',
  })
  await s.realm.sql`
    insert into realm_exports (realm_id, acting_user_id, export_type, export_time, realm_url)
    values (${s.realm.realm_id}, ${s.owner.user_id}, 1, 1, '')`
  const waiting = (await exportsOf(s.owner)).at(-1)
  expect(await readRefusal(call(s.owner, 'DELETE', `/export/realm/${waiting?.id}`))).toEqual(
    badRequest('This export is not finished yet: delete it later.'),
  )
})

test('An export that fails because the storage is away is tried again until it is back, however often that is.', {
  timeout: 60_000,
}, async () => {
  const UPLOADS_DIR = mkdtempSync(join(tmpdir(), 'parley-exports-'))
  // In the place of the folder of archives.
  writeFileSync(join(UPLOADS_DIR, 'exports'), '')
  await using fleet = await startOwnFleet({ UPLOADS_DIR })
  await using _worker = await fleet.worker()
  const { realm } = fleet
  const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
  const at = { url: fleet.gateway.url }
  const { id } = await ok(owner, 'POST', '/export/realm', {}, at)
  const find = async () => (await ok(owner, 'GET', '/export/realm', {}, at)).exports.find((one) => one.id === id)
  const hurry = () => realm.sql`
    update jobs set run_after = now() where kind = 'realm_export' and done_at is null and attempts > 0
      and run_after > now() + interval '1 second' returning attempts`
  const attempts = async () =>
    (await realm.sql<{ attempts: number }[]>`select attempts from jobs where kind = 'realm_export'`)[0]?.attempts ?? 0
  await expect.poll(attempts, { timeout: 30_000 }).toBeGreaterThan(3)
  expect(await find()).toMatchObject({ pending: true, failed_timestamp: null })
  rmSync(join(UPLOADS_DIR, 'exports'))
  await hurry()
  await expect.poll(async () => (await find())?.pending, { timeout: 30_000 }).toBe(false)
  expect(await find()).toMatchObject({ export_url: expect.any(String), failed_timestamp: null })
})
