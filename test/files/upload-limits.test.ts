/** The upload quota of an organization, and the deletion of files that no message links to. */
import { expect, inject, test } from 'vitest'
import { runSteps } from '../../src/domain/log/steps.js'
import { setQuotas } from '../../src/domain/realm/realm-changes.js'
import { openDiskStorage } from '../../src/store/files/disk-storage.js'
import { loadUnclaimedFiles, removeUnclaimedFile } from '../../src/store/files/file-removal.js'
import { uploadKey } from '../../src/store/files/storage-keys.js'
import { commitEntries } from '../../src/store/log/change.js'
import { listen } from '../setup/realm/event-listener.js'
import { sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { withWriteContext } from '../setup/realm/row-changes.js'
import { upload } from '../setup/requests/files.js'

const put = async (by: Person, filename: string, size = 5) =>
  (await upload(by, '/user_uploads', { filename, data: Buffer.alloc(size, 'x') })).json

const setQuota = (test: TestRealm, mib: number | null) =>
  withWriteContext(test, (context) => {
    const { entries } = runSteps(test.realm.state, [setQuotas({ upload_quota_mib: mib })])
    return commitEntries(context, entries)
  })

const quotaOf = async (by: Person) =>
  (await ok(by, 'POST', '/register', { fetch_event_types: ['realm'] })).realm_upload_quota_mib

const used = async (by: Person) => (await ok(by, 'GET', '/attachments')).upload_space_used

test('An organization never stores more than its quota, even with concurrent uploads by several users.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const ear = await listen(ada, { event_types: ['realm'] })
  expect(await quotaOf(ada)).toBe(null)
  await setQuota(realm, 1)
  expect(await quotaOf(ada)).toBe(1)
  expect(await ear.events()).toMatchObject([{ op: 'update_dict', property: 'default', data: { upload_quota_mib: 1 } }])
  const part = 300 * 1024
  const answers = await Promise.all([ada, grace, ada, grace, ada, grace].map((by, i) => put(by, `${i}.bin`, part)))
  const refusals = answers.filter(({ result }) => result === 'error')
  expect([answers.length - refusals.length, await used(ada)]).toEqual([3, 3 * part])
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      code: 'REALM_UPLOAD_QUOTA',
      msg: 'The upload quota of the organization has no space for this file.',
    })
  }
  // One of them has the most, if not all.
  for (const by of [ada, grace]) {
    const { attachments } = await ok(by, 'GET', '/attachments')
    for (const { id } of attachments.slice(1)) await ok(by, 'DELETE', `/attachments/${id}`)
  }
  expect((await put(grace, 'now.bin', part)).result).toBe('success')
  await setQuota(realm, null)
  expect((await put(grace, 'more.bin', part)).result).toBe('success')
})

test('A file without a message, draft or scheduled message is deleted after a while, and its uploader receives an event.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const urls: string[] = []
  for (const name of ['sent', 'drafted', 'scheduled', 'left', 'fresh']) urls.push((await put(ada, name)).url as string)
  const [sent = '', drafted = '', scheduled = '', left = '', fresh = ''] = urls
  const link = (url: string) => `[file](${url})`
  await sendDirectMessage(ada, [ada], link(sent))
  await ok(ada, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: link(drafted) }] })
  await ok(ada, 'POST', '/scheduled_messages', {
    type: 'direct',
    to: [ada.user_id],
    content: link(scheduled),
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  })
  const pathOf = (url: string) => url.slice('/user_uploads/'.length)
  // Nothing but the clock makes a file old.
  await realm.sql`
    update attachments set unclaimed_since = unclaimed_since - 2 * 86400000
    where realm_id = ${realm.realm_id} and path_id <> ${pathOf(fresh)}`
  const ear = await listen(ada, { event_types: ['attachment'] })
  const files = openDiskStorage(inject('process_env').UPLOADS_DIR ?? '')
  await withWriteContext(realm, async (context) => {
    const found = (await loadUnclaimedFiles(realm.sql, 1, 100)).filter(({ realm_id }) => realm_id === realm.realm_id)
    expect(found.map(({ path_id }) => path_id)).toEqual([pathOf(left)])
    for (const row of found) await removeUnclaimedFile(context, files, row)
  })
  expect(await ear.events()).toMatchObject([{ op: 'remove', upload_space_used: 20 }])
  expect([await files.get(uploadKey(pathOf(left))), await used(ada)]).toEqual([undefined, 20])
  expect((await ok(ada, 'GET', '/attachments')).attachments).toHaveLength(4)
})

test('A file that a message links to just before its deletion is kept.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const url = (await put(ada, 'late')).url as string
  const path_id = url.slice('/user_uploads/'.length)
  await realm.sql`update attachments set unclaimed_since = 1 where realm_id = ${realm.realm_id}`
  const [row] = (await loadUnclaimedFiles(realm.sql, 1, 100)).filter(({ realm_id }) => realm_id === realm.realm_id)
  if (row === undefined) throw new Error('the file is not found')
  await sendDirectMessage(ada, [ada], `[file](${url})`)
  const files = openDiskStorage(inject('process_env').UPLOADS_DIR ?? '')
  await withWriteContext(realm, (context) => removeUnclaimedFile(context, files, row))
  expect(await files.get(uploadKey(path_id))).toBeDefined()
})
