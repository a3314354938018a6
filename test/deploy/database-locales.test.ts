/**
 * Databases with other locales: real calls get the same answers from all of them, so the order and the case of text do
 * not depend on the locale.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { indexRealm } from '../../src/store/messages/narrow/index-messages.js'
import { openSql } from '../../src/store/sql.js'
import { startEnglishPostgres } from '../setup/processes/database-locales.js'
import { newDatabase } from '../setup/processes/new-database.js'
import { type KillableService, startGateway, startRedis } from '../setup/processes/processes.js'
import { call, newRealm, type Person } from '../setup/realm/realm.js'

let redis: KillableService
let databases = 0
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.kill())

/** Each database needs a Redis database of its own. */
const nextRedis = () => `${redis.url}/${databases++}`

const WORDS = ['zebra', 'Apple', '_under', 'Éclair', 'élan', '-dash', 'beta', 'Ångström', 'ПРИВЕТ', 'Straße', 'ı']

/** The run: each step is a call, and what is read of its answer. */
const collectAnswers = async (database_url: string): Promise<Record<string, unknown>> => {
  const redis_url = nextRedis()
  await using gateway = await startGateway({ DATABASE_URL: database_url, REDIS_URL: redis_url })
  await using realm = await newRealm({ database_url, redis_url })
  const names = ['Zoë', 'anna', 'Éva', 'Örjan', 'zed']
  const people = await realm.people(
    { full_name: 'Owner', role: Role.owner },
    ...names.map((full_name, i) => ({ full_name, email: `person${i}@example.com` })),
  )
  const [owner, reader] = people as [Person, Person]
  const answers: Record<string, unknown> = {}
  const send = async (person: Person, method: string, path: string, params: Record<string, unknown> = {}) => {
    const { status, body } = await call(person, method, path, params, { url: gateway.url })
    return { status, body: body as Record<string, unknown>, refusal: status === 200 ? undefined : body.msg }
  }
  const note = (name: string, value: unknown) => {
    answers[name] = value
  }

  // Names of channels, of groups, folders and addresses are unique whatever their case.
  for (const word of WORDS) {
    for (const name of [word, word.toUpperCase()]) {
      const { status, body } = await send(owner, 'POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [owner.user_id, reader.user_id],
      })
      note(`subscribe ${name}`, [status, body.subscribed, body.already_subscribed])
    }
    const group = { name: word, description: '', members: [owner.user_id] }
    note(`group ${word}`, (await send(owner, 'POST', '/user_groups/create', group)).refusal)
    for (const name of [word, word.toLowerCase()]) {
      note(`folder ${name}`, (await send(owner, 'POST', '/channel_folders/create', { name, description: '' })).refusal)
    }
  }
  for (const email of ['Someone@Example.com', 'someone@example.com', 'PERSON0@example.com']) {
    const account = { email, password: 'correct horse battery staple 9', full_name: email.slice(0, 4) }
    note(`user ${email}`, (await send(owner, 'POST', '/users', account)).refusal)
  }
  note(
    'streams',
    ((await send(owner, 'GET', '/streams')).body.streams as { name: string }[]).map(({ name }) => name),
  )
  note(
    'members',
    ((await send(owner, 'GET', '/users')).body.members as { full_name: string }[]).map((m) => m.full_name),
  )

  // Topics, whatever their case, their pages, and their policies.
  const channels = (await send(owner, 'GET', '/streams')).body.streams as { name: string; stream_id: number }[]
  const { stream_id } = channels.find(({ name }) => name === 'beta') as { stream_id: number }
  for (const word of WORDS) {
    for (const topic of [word, word.toUpperCase(), word.toLowerCase()]) {
      const content = `The word ${topic} and résumé, naïve ${word.toUpperCase()}.`
      await send(owner, 'POST', '/messages', { type: 'channel', to: 'beta', topic, content })
    }
  }
  const read = async (narrow: unknown, anchor = 'newest', num_before = 100, num_after = 0) => {
    const { body, refusal } = await send(reader, 'GET', '/messages', {
      narrow,
      anchor,
      num_before,
      num_after,
      apply_markdown: false,
    })
    if (refusal !== undefined) return refusal
    const messages = body.messages as { subject: string; content: string; match_subject?: string }[]
    return messages.map(({ subject, content, match_subject }) => [subject, content, match_subject])
  }
  note('topics', (await send(reader, 'GET', `/users/me/${stream_id}/topics`)).body.topics)
  for (const word of [...WORDS, 'STRASSE', 'I', 'привет', 'RESUME', 'Résumé', 'RÉSUMÉ', 'naive', 'NAÏVE']) {
    for (const each of new Set([word, word.toUpperCase()])) {
      note(
        `topic ${each}`,
        await read([
          { operator: 'channel', operand: 'beta' },
          { operator: 'topic', operand: each },
        ]),
      )
      note(`search ${each}`, await read([{ operator: 'search', operand: each }]))
    }
  }
  note('page', await read([{ operator: 'channel', operand: 'beta' }], 'oldest', 0, 7))
  for (const topic of WORDS.flatMap((word) => [word.toUpperCase(), word])) {
    const policy = { stream_id, topic, visibility_policy: 1 + (topic.length % 3) }
    note(`policy ${topic}`, (await send(reader, 'POST', '/user_topics', policy)).refusal)
  }
  for (const word of WORDS) {
    const view = { fragment: `narrow/${word}`, is_pinned: true, name: word }
    note(`view ${word}`, (await send(reader, 'POST', '/navigation_views', view)).refusal)
  }
  note('views', (await send(reader, 'GET', '/navigation_views')).body)
  note(
    'stored',
    (await send(reader, 'PUT', '/bot_storage', { storage: Object.fromEntries(WORDS.map((w) => [w, w])) })).refusal,
  )
  note('storage', JSON.stringify((await send(reader, 'GET', '/bot_storage')).body.storage))
  const { body } = await send(reader, 'POST', '/register', {
    fetch_event_types: [
      'user_topic',
      'message',
      'update_message_flags',
      'navigation_views',
      'subscription',
      'realm_user_groups',
      'onboarding_steps',
    ],
  })
  const policies = body.user_topics as { topic_name: string; visibility_policy: number }[]
  note(
    'user_topics',
    policies.map((policy) => [policy.topic_name, policy.visibility_policy]),
  )
  note('registered views', body.navigation_views)
  note(
    'subscriptions',
    (body.subscriptions as { name: string }[]).map(({ name }) => name),
  )
  note(
    'groups',
    (body.realm_user_groups as { name: string }[]).map(({ name }) => name),
  )
  const { streams } = body.unread_msgs as { streams: { topic: string; unread_message_ids: number[] }[] }
  note(
    'unread',
    streams.map(({ topic, unread_message_ids }) => [topic, unread_message_ids.length]),
  )
  return answers
}

/** Which searches find which messages. The topics have letters of ASCII only, whose case every locale knows. */
const collectSearches = async (database_url: string): Promise<Record<string, unknown>> => {
  const redis_url = nextRedis()
  await using gateway = await startGateway({ DATABASE_URL: database_url, REDIS_URL: redis_url })
  await using realm = await newRealm({ database_url, redis_url })
  const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
  const send = async (method: string, path: string, params: Record<string, unknown>) =>
    (await call(owner, method, path, params, { url: gateway.url })).body as Record<string, unknown>
  await send('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'beta' }] })
  const searches = [
    ...WORDS,
    'quince',
    'привет',
    'strasse',
    'eclair',
    '"a Ångström"',
    '北京',
    'résumé',
    'ИВЕТ',
    'İSTANBUL',
  ]
  const texts = [
    ...searches.map((word) => `“${word.toUpperCase()}…” and a ${word.toLowerCase()}—x`),
    '我们去北京',
    'pre—quince—post',
    'resume\u0301s, istanbul',
  ]
  for (const content of texts) await send('POST', '/messages', { type: 'channel', to: 'beta', topic: 'words', content })
  const answers: Record<string, unknown> = {}
  for (const round of ['fresh', 'indexed']) {
    for (const [word, negated] of searches.flatMap((each) => [[each, false] as const, [each, true] as const])) {
      const narrow = [
        { operator: 'channel', operand: 'beta' },
        { operator: 'search', operand: word, negated },
      ]
      const found = (await send('GET', '/messages', { narrow, anchor: 'newest', num_before: 100 })).messages
      answers[`${round} ${negated ? '-' : ''}${word}`] = (found as Record<string, string>[]).map(
        ({ content, match_content }) => [content, match_content],
      )
    }
    const sql = openSql(database_url, 1)
    await indexRealm(sql, realm.realm_id)
    await sql.end()
  }
  return answers
}

/** The options of a database with a locale. */
const encodedIn = (locale: string): string => `template template0 encoding 'UTF8' ${locale}`
/** The locale of `npm start` and of the tests. */
const USUAL = "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'"
let expected: Record<string, unknown>

beforeAll(async () => {
  expected = await collectAnswers(await newDatabase(inject('database_url'), encodedIn(USUAL)))
}, 120_000)
afterAll(() => {
  delete process.env.LOCPATH
})

describe('The same calls get the same answers', () => {
  test.each([
    ['ICU, en-US', "locale_provider icu icu_locale 'en-US' locale 'C'"],
    ['ICU, sv-SE', "locale_provider icu icu_locale 'sv-SE' locale 'C'"],
    ['the C library, C.UTF-8', "locale_provider libc locale 'C.UTF-8'"],
  ])('with %s.', { timeout: 120_000 }, async (_, locale) => {
    expect(await collectAnswers(await newDatabase(inject('database_url'), encodedIn(locale)))).toEqual(expected)
  })

  test('with the C library, en_US.UTF-8.', { timeout: 120_000 }, async ({ skip }) => {
    const english = await startEnglishPostgres()
    if (english === undefined) return skip('Debian’s package `locales` cannot be had')
    const database_url = await newDatabase(english, encodedIn("locale_provider libc locale 'en_US.UTF-8'"))
    expect(await collectAnswers(database_url)).toEqual(expected)
  })
})

test('A search finds the same in a database whose locale knows ASCII letters only.', { timeout: 120_000 }, async () => {
  const found = await collectSearches(
    await newDatabase(inject('database_url'), encodedIn("locale_provider libc locale 'C'")),
  )
  expect(Object.values(found).every(Array.isArray)).toBe(true)
  expect(found).toEqual(await collectSearches(await newDatabase(inject('database_url'), encodedIn(USUAL))))
})

test.each([
  ['knows ASCII letters only', "locale_provider libc locale 'C'", 'É and i'],
  ['is Turkish', "locale_provider icu icu_locale 'tr-TR' locale 'C'", 'é and ı'],
])('Operators are warned of a database whose locale %s.', { timeout: 120_000 }, async (_, locale, letters) => {
  const DATABASE_URL = await newDatabase(inject('database_url'), encodedIn(locale))
  await using gateway = await startGateway({ DATABASE_URL, REDIS_URL: nextRedis() })
  const ready = await fetch(`${gateway.operations_url}/health/ready`)
  const { warnings } = (await ready.json()) as { warnings: string[] }
  expect([ready.status, warnings]).toEqual([200, [expect.stringContaining(`its É and I are ${letters}.`)]])
})
