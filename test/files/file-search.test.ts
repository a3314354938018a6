/** A search finds messages by the words of the files to which they link. */
import { expect, test } from 'vitest'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { upload } from '../setup/requests/files.js'
import { docxOf, odtOf, pdfOf, xlsxOf } from '../setup/web/documents.js'

type Term = { operator: string; operand: string | number; negated?: boolean }
type Found = { id: number; match_content?: string; match_files?: { name: string; url: string }[] }

const search = async (by: Person, text: string, ...others: Term[]): Promise<Found[]> => {
  const narrow = [{ operator: 'search', operand: text }, ...others]
  return (await ok(by, 'GET', '/messages', { anchor: 'newest', num_before: 50, narrow })).messages
}
const idsOf = async (by: Person, text: string, ...others: Term[]) =>
  (await search(by, text, ...others)).map(({ id }) => id)

const uploadFile = async (by: Person, filename: string, data: Uint8Array | string): Promise<string> =>
  (await upload(by, '/user_uploads', { filename, data: Buffer.from(data) })).json.url as string

const indexAll = ({ sql, realm_id }: TestRealm) =>
  expect
    .poll(
      () => sql`
        select from log_heads h left join search_marks s using (realm_id)
        where realm_id = ${realm_id} and coalesce(s.terms_up_to, 0) < h.last_message_id`,
      { timeout: 15_000, interval: 50 },
    )
    .toEqual([])

test('The words of a file lead those who may read a message with it to the message, and name the file.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
  await using _ = realm
  const [ada, grace, mary] = people as [Person, Person, Person]
  await createChannel(ada, 'kitchen', [ada, grace])
  const files: [name: string, data: Uint8Array | string][] = [
    ['notes.txt', 'A quince text'],
    ['notes.md', '# A quince in *Markdown*'],
    ['report.pdf', pdfOf(['A quince print'])],
    ['report.docx', docxOf(['A quince letter'])],
    ['report.odt', odtOf(['A quince writing'])],
    ['budget.xlsx', xlsxOf('Fruit', [['quince table', 4711]])],
  ]
  const words = ['text', 'markdown', 'print', 'letters', 'writing', '4711']
  const urls = await Promise.all(files.map(([name, data]) => uploadFile(ada, name, data)))
  const ids: number[] = []
  for (const url of urls) ids.push(await postMessage(ada, 'kitchen', 'files', `See [this](${url})`))
  const plain = await postMessage(ada, 'kitchen', 'files', 'A quince in a message')
  await waitForJobs(realm)
  for (const round of ['fresh', 'indexed']) {
    expect(await idsOf(grace, 'quince'), round).toEqual([...ids, plain])
    for (const [i, word] of words.entries()) expect(await idsOf(grace, `quince ${word}`), word).toEqual([ids[i]])
    expect(await idsOf(grace, '"quince print"'), round).toEqual([ids[2]])
    expect(await idsOf(grace, '"print quince"'), round).toEqual([])
    expect(await idsOf(grace, 'budget'), round).toEqual([ids[5]])
    // A word of the message and one of the file are not added up.
    expect(await idsOf(grace, 'see print'), round).toEqual([])
    const without: Term = { operator: 'search', operand: 'print', negated: true }
    expect(await idsOf(grace, 'quince', without), round).toEqual([...ids.filter((id) => id !== ids[2]), plain])
    expect(await idsOf(mary, 'quince'), round).toEqual([])
    await indexAll(realm)
  }
  const [found] = await search(grace, 'quince prints')
  expect(found?.match_files).toEqual([{ name: 'report.pdf', url: urls[2] }])
  const all = await search(grace, 'quince')
  expect(all.map(({ match_files }) => match_files?.map(({ name }) => name))).toEqual([
    ...files.map(([name]) => [name]),
    undefined,
  ])
  const narrow = [{ operator: 'search', operand: 'print' }]
  const { messages } = await ok(grace, 'GET', '/messages/matches_narrow', { msg_ids: ids, narrow })
  expect(Object.entries(messages)).toEqual([
    [String(ids[2]), expect.objectContaining({ match_files: [{ name: 'report.pdf', url: urls[2] }] })],
  ])
})

test('Words go with the message, the link or the file, and come back with another message.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const { sql, realm_id } = realm
  const [ada, grace] = people as [Person, Person]
  const link = (url: string) => `[it](${url})`
  const urls = await Promise.all(
    ['one', 'two', 'three'].map((name) => uploadFile(ada, `${name}.txt`, `quince ${name}`)),
  )
  const [one, two, three] = urls.map(link) as [string, string, string]
  const first = await sendDirectMessage(ada, [grace], one)
  const second = await sendDirectMessage(ada, [grace], two)
  const third = await sendDirectMessage(ada, [grace], three)
  await waitForJobs(realm)
  const shared = await sendDirectMessage(grace, [ada], one)
  expect(await idsOf(grace, 'quince')).toEqual([first, second, third, shared])
  await ok(ada, 'DELETE', `/messages/${first}`)
  await ok(ada, 'PATCH', `/messages/${second}`, { content: 'nothing' })
  const { attachments } = await ok(ada, 'GET', '/attachments')
  const gone = attachments.find(({ name }: { name: string }) => name === 'three.txt')
  await ok(ada, 'DELETE', `/attachments/${gone?.id}`)
  expect(await idsOf(grace, 'quince')).toEqual([shared])
  const left = await sql`select from file_words where realm_id = ${realm_id}`
  expect(left.count).toBe(1)
  const again = await sendDirectMessage(ada, [grace], two)
  await waitForJobs(realm)
  expect(await idsOf(grace, 'quince')).toEqual([shared, again])
})

test('A file to which a message of a former release links is read by the background step.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const { sql, realm_id } = realm
  const [ada] = people as [Person]
  const url = await uploadFile(ada, 'old.txt', 'quince')
  const id = await sendDirectMessage(ada, [ada], `[old](${url})`)
  await waitForJobs(realm)
  await sql`delete from file_words where realm_id = ${realm_id}`
  await sql`update attachments set is_read = false where realm_id = ${realm_id}`
  await expect.poll(() => idsOf(ada, 'quince'), { timeout: 15_000 }).toEqual([id])
})
