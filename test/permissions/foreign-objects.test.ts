/**
 * The objects of another organization: nobody reads or changes them, whatever the id in a request, and no address of
 * the server leads elsewhere. The calls are generated from the declarations of all endpoints.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GeneratedCall, generateCall, toText } from '../fuzz/cases.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { openRandom } from '../setup/random.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { fetchFile, upload } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

/** It is in every text of the foreign organization, and in no request. */
const MARKER = 'Quagga'
const CALLS = 300
const AT_ONCE = 12

/** Calls after which the caller has no account or no key any more. */
const endsCaller = /^(?:deactivate|regenerate|logOut|endOwn|removeSession|updateSettings|updateRealm$|updateUser)/i

let foreign: TestRealm
let mara: Person
let own: TestRealm
let ada: Person
let fileUrl: string

beforeAll(async () => {
  foreign = await newRealm()
  own = await newRealm()
  ;[mara] = (await foreign.people({ full_name: `${MARKER} Mara`, role: 100 })) as [Person]
  ;[ada] = (await own.people({ full_name: 'Ada', role: 100 })) as [Person]
  await createChannel(mara, `${MARKER} channel`, [mara])
  await postMessage(mara, `${MARKER} channel`, `${MARKER} topic`, `a ${MARKER} message`)
  const { json } = await upload(mara, '/user_uploads', { filename: `${MARKER}.txt`, data: `a ${MARKER} file` })
  fileUrl = String(json.url)
  await postMessage(mara, `${MARKER} channel`, `${MARKER} topic`, `[${MARKER}](${fileUrl})`)
  await ok(mara, 'POST', '/drafts', {
    drafts: [{ type: 'private', to: [mara.user_id], topic: '', content: `a ${MARKER} draft` }],
  })
  await ok(mara, 'POST', '/saved_snippets', { title: MARKER, content: MARKER })
  await ok(mara, 'POST', '/user_groups/create', { name: `${MARKER}s`, description: MARKER, members: [mara.user_id] })
  await ok(mara, 'POST', '/realm/filters', { pattern: `${MARKER}-(?P<id>[0-9]+)`, url_template: 'https://e.org/{id}' })
  await ok(mara, 'POST', '/invites/multiuse', {})
  await ok(mara, 'POST', '/users/me/alert_words', { alert_words: [MARKER] })
})
afterAll(async () => {
  await foreign[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
})

/** What workers write by themselves, and counts. */
const volatile = [
  'jobs',
  'message_words',
  'message_terms',
  'search_marks',
  'known_words',
  'known_word_marks',
  'event_queues',
  'missed_messages',
  'channel_activity',
]

/** All rows of the foreign organization, as text. */
const foreignRows = async (): Promise<Record<string, string>> => {
  const { sql, realm_id } = foreign
  const tables = await sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'realm_id' and t.table_type = 'BASE TABLE'`
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    if (volatile.includes(name)) continue
    const [row] = await sql<{ text: string | null }[]>`
      select string_agg(t::text, e'\n' order by t::text) as text from ${sql(name)} t where realm_id = ${realm_id}`
    rows[name] = row?.text ?? ''
  }
  return rows
}

/** The ids of everything in the foreign organization. */
const foreignIds = async (): Promise<number[]> => {
  const { sql, realm_id } = foreign
  const tables = [
    'users',
    'channels',
    'groups',
    'messages',
    'attachments',
    'drafts',
    'saved_snippets',
    'invitations',
    'linkifiers',
  ]
  const ids = await Promise.all(
    tables.map(async (name) => {
      const rows = await sql<
        { id: number }[]
      >`select id from ${sql(name)} where realm_id = ${realm_id} order by id desc limit 3`
      return rows.map(({ id }) => Number(id))
    }),
  )
  return [realm_id, ...ids.flat()]
}

const send = ({ method, path, isSite, fields }: GeneratedCall, host: string, by: Person) => {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, toText(value) ?? 'null']),
  ).toString()
  const isInQuery = method === 'GET' || method === 'HEAD'
  return sendRequest(portOf(anyGateway()), {
    method,
    path: `${isSite ? '' : '/api/v1'}${path}${isInQuery && form !== '' ? `?${form}` : ''}`,
    host,
    authorization: basicAuthorization(by),
    ...(isInQuery ? {} : { body: form }),
  })
}

test('An owner reads and changes nothing of another organization, with its ids and its queue in any call.', async () => {
  await waitForJobs(foreign)
  const { queue_id } = await ok(mara, 'POST', '/register', {})
  const world = { emails: [], names: [], user_ids: await foreignIds(), queue_ids: [queue_id as string] }
  const before = await foreignRows()
  expect(Object.values(before).join('')).toContain(MARKER)
  const random = openRandom(7)
  const reached = new Set<string>()
  const tryCall = async (n: number) => {
    const call = generateCall(random, { ...world, emails: [ada.email], names: ['Ada'] })
    if (endsCaller.test(call.name) || call.path.includes('\0')) return
    // At the host of the other organization, the key is that of no account.
    const isElsewhere = n % 3 === 0
    const { status, text } = await send(call, isElsewhere ? mara.host : ada.host, ada)
    expect([call.name, call.path, text.includes(MARKER)]).toEqual([call.name, call.path, false])
    if (status === 200 && !isElsewhere) reached.add(call.name)
  }
  for (let n = 0; n < CALLS; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => tryCall(n + i)))
  expect(reached.size).toBeGreaterThan(25)
  const after = await foreignRows()
  for (const [table, rows] of Object.entries(before)) expect([table, after[table]]).toEqual([table, rows])
  expect((await ok(mara, 'GET', '/events', { queue_id, last_event_id: -1, dont_block: true })).events).toBeDefined()
}, 60_000)

test('The address of a file of another organization, and a temporary one, lead nowhere from here.', async () => {
  const { url } = await ok(mara, 'GET', fileUrl as '/user_uploads/{realm_id}/{path}')
  expect((await fetchFile(mara.host, String(url))).text).toContain(MARKER)
  for (const path of [fileUrl, fileUrl.replace('/user_uploads/', '/user_uploads/download/'), String(url)]) {
    for (const by of [ada, undefined]) {
      const { status, text } = await fetchFile(ada.host, path, by)
      expect([path, [401, 403, 404].includes(status), text.includes(MARKER)]).toEqual([path, true, false])
    }
  }
})

test('No redirect leads to another site, whatever the request says about its host or asks for.', async () => {
  const evil = 'evil.example'
  const headers = {
    'X-Forwarded-Host': evil,
    Forwarded: `host=${evil}`,
    Referer: `https://${evil}/`,
    Accept: 'text/html',
  }
  const paths = [
    ...['/login', '/accounts/login', '/register', '/join', '/realm/icon', '/realm/logo'],
    ...['//evil.example', '//evil.example/..', '/\\evil.example', '/%2f%2fevil.example', '/avatar/%2f%2fevil.example'],
    ...[
      '/user_uploads/1/..%2f..%2f%2fevil.example',
      '/user_avatars/%2f%2fevil.example/x.png',
      '/login/%0d%0aLocation:%20x',
    ],
  ]
  const queries = ['', `?next=https://${evil}/&redirect=//${evil}&return_to=${evil}&url=${evil}`]
  for (const path of paths.flatMap((one) => queries.flatMap((query) => [`${one}${query}`, `/api/v1${one}${query}`]))) {
    const answer = await sendRequest(portOf(anyGateway()), {
      path,
      host: ada.host,
      headers: { ...headers, Authorization: basicAuthorization(ada) },
    })
    const { location } = answer.headers
    expect([path, location === undefined || /^\/(?![/\\])/.test(location)]).toEqual([path, true])
    expect([path, answer.headers['x-injected'], answer.text.includes(`//${evil}`) && answer.status < 400]).toEqual([
      path,
      undefined,
      false,
    ])
  }
})
