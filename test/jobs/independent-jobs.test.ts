/**
 * Jobs of one organization, and jobs that wait for one server, do not delay other jobs.
 *
 * The slow servers are real ones that never answer. What must not be delayed is shown by order: it happens while their
 * first calls are still waiting.
 */
import { describe, expect, test } from 'vitest'
import { type OwnFleet, startOwnFleet } from '../setup/processes/own-fleet.js'
import { openSilentServer, type SilentServer } from '../setup/proxies/silent-servers.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { waitForMails } from '../setup/realm/mails.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { multipart, redPixel } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openServer } from '../setup/web/web-server.js'

/** More than the jobs of a class that run at a time. */
const MANY = 24
const TIMEOUT = 60_000

interface Organization extends AsyncDisposable {
  realm: TestRealm
  ada: Person
  grace: Person
}

const withPeople = async (realm: TestRealm): Promise<Organization> => {
  const [ada, grace] = (await realm.people(
    { full_name: 'Ada', settings: neverFollowing },
    { full_name: 'Grace', settings: neverFollowing },
  )) as [Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false, inline_url_embed_preview: true })
  return { realm, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

/** A fleet with one worker and two organizations. */
const setUp = async (env: Record<string, string> = {}) => {
  const fleet = await startOwnFleet()
  const worker = await fleet.worker(env)
  const [first, second] = [await withPeople(fleet.realm), await withPeople(await fleet.newRealm())]
  return {
    fleet,
    first,
    second,
    async [Symbol.asyncDispose]() {
      worker.signal('SIGKILL')
      await worker.ended
      await second[Symbol.asyncDispose]()
      await fleet[Symbol.asyncDispose]()
    },
  }
}

let count = 0
const newAddress = () => `independent-${process.pid}-${++count}@example.com`

const createBot = async ({ gateway }: OwnFleet, by: Person, payload_url: string, name = 'Echo'): Promise<number> => {
  const bot = { full_name: name, short_name: name.toLowerCase(), bot_type: 3, payload_url }
  return (await ok(by, 'POST', '/bots', bot, { url: gateway.url })).user_id
}

const sendDirect = ({ gateway }: OwnFleet, by: Person, to: number[], content = 'hello') =>
  ok(by, 'POST', '/messages', { type: 'direct', to, content }, { url: gateway.url })

const invite = ({ gateway }: OwnFleet, by: Person, invitee_emails: string) =>
  ok(by, 'POST', '/invites', { invitee_emails, stream_ids: [] }, { url: gateway.url })

/** Sends many messages to a bot, and waits until its server was called. */
const callManyTimes = async (fleet: OwnFleet, by: Person, bot: number, server: SilentServer) => {
  await Promise.all(Array.from({ length: MANY }, () => sendDirect(fleet, by, [bot])))
  await expect.poll(server.opened, { timeout: TIMEOUT }).toBeGreaterThan(0)
}

/** Resolves when Ada subscribed Grace to a channel, and Grace has the message of the Notification Bot about it. */
const waitForNotice = async ({ gateway }: OwnFleet, { ada, grace }: Organization) => {
  const url = gateway.url
  const name = `channel ${++count}`
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] }, { url })
  const principals = [grace.user_id]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals }, { url })
  const last = async () => {
    const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
    return (await ok(grace, 'GET', '/messages', asked, { url })).messages.at(-1)?.content
  }
  await expect.poll(last, { timeout: TIMEOUT, interval: 20 }).toContain(`subscribed you to #**${name}**`)
}

const doneJobs = ({ sql, realm_id }: TestRealm, kind: string) => sql`
  select from jobs where realm_id = ${realm_id} and kind = ${kind} and (done_at is not null or attempts > 0)`

describe('A server that never answers', () => {
  test('Calls of an outgoing webhook delay no mail and no notice, with Redis and without.', {
    timeout: 2 * TIMEOUT,
  }, async () => {
    await using s = await setUp()
    await using server = await openSilentServer()
    const { fleet, first, second } = s
    const bot = await createBot(fleet, first.ada, server.url)
    await callManyTimes(fleet, first.ada, bot, server)
    const email = newAddress()
    await invite(fleet, second.ada, email)
    await waitForMails(email)
    await waitForNotice(fleet, second)
    await waitForNotice(fleet, first)
    expect([server.closed(), (await doneJobs(first.realm, 'outgoing_webhook')).length]).toEqual([0, 0])

    // Without Redis, the sweeper finds the jobs.
    await fleet.redis.kill()
    const others = await createBot(fleet, second.ada, server.url)
    const before = server.opened()
    await Promise.all(Array.from({ length: MANY }, () => sendDirect(fleet, second.ada, [others])))
    await expect.poll(server.opened, { timeout: TIMEOUT }).toBeGreaterThan(before)
    const [closed, done] = [server.closed(), (await doneJobs(second.realm, 'outgoing_webhook')).length]
    const another = newAddress()
    await invite(fleet, second.ada, another)
    await waitForMails(another)
    expect((await doneJobs(second.realm, 'outgoing_webhook')).length).toBe(done)
    expect(done).toBe(0)
    expect(closed).toBeLessThan(server.opened())
  })

  test('Calls of an outgoing webhook delay no webhook of another organization.', { timeout: TIMEOUT }, async () => {
    await using s = await setUp()
    await using silent = await openSilentServer()
    await using server = await openServer((_, response) => response.end('{"content": "here"}'))
    const { fleet, first, second } = s
    for (const name of ['One', 'Two', 'Three']) {
      const bot = await createBot(fleet, first.ada, silent.url, name)
      await callManyTimes(fleet, first.ada, bot, silent)
    }
    const bot = await createBot(fleet, second.ada, server.url)
    await sendDirect(fleet, second.ada, [bot])
    await expect.poll(() => server.calls.length, { timeout: TIMEOUT, interval: 20 }).toBe(1)
    expect(silent.closed()).toBe(0)
  })

  test('Page previews delay no preview of another organization and no notice.', { timeout: TIMEOUT }, async () => {
    await using s = await setUp()
    await using silent = await openSilentServer()
    await using server = await openServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<head><title>News</title><meta property="og:image" content="/logo.png"></head>')
    })
    const { fleet, first, second } = s
    const { url } = fleet.gateway
    for (let i = 0; i < MANY; i++) await sendDirect(fleet, first.ada, [first.grace.user_id], `${silent.url}/${i}`)
    await expect.poll(silent.opened, { timeout: TIMEOUT }).toBeGreaterThan(0)
    const { id } = await sendDirect(fleet, second.ada, [second.grace.user_id], `${server.url}/news`)
    const html = async () => (await ok(second.grace, 'GET', `/messages/${id}`, {}, { url })).message.content
    await expect.poll(html, { timeout: TIMEOUT, interval: 20 }).toContain('message_embed_title')
    await waitForNotice(fleet, first)
    expect(silent.closed()).toBe(0)
  })

  test('A mail server that does not greet delays no notice and no webhook.', { timeout: TIMEOUT }, async () => {
    await using silent = await openSilentServer()
    await using s = await setUp({ SMTP_URL: `smtp://127.0.0.1:${silent.port}` })
    await using server = await openServer((_, response) => response.end('{"content": "here"}'))
    const { fleet, first, second } = s
    await invite(fleet, first.ada, Array.from({ length: MANY }, newAddress).join())
    await expect.poll(silent.opened, { timeout: TIMEOUT }).toBeGreaterThan(0)
    const bot = await createBot(fleet, second.ada, server.url)
    await sendDirect(fleet, second.ada, [bot])
    await expect.poll(() => server.calls.length, { timeout: TIMEOUT, interval: 20 }).toBe(1)
    await waitForNotice(fleet, first)
    expect(silent.closed()).toBe(0)
  })

  test('A file storage that does not answer delays no notice and no mail.', { timeout: TIMEOUT }, async () => {
    await using silent = await openSilentServer()
    const keys = { S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    await using s = await setUp({ ...keys, S3_ENDPOINT: silent.url })
    const { fleet, first, second } = s
    const request = {
      method: 'POST',
      path: '/api/v1/user_uploads',
      host: first.ada.host,
      authorization: basicAuthorization(first.ada),
      ...multipart([{ filename: 'a.png', data: redPixel, type: 'image/png' }]),
    }
    for (let i = 0; i < MANY; i++) await sendRequest(Number(new URL(fleet.gateway.url).port), request)
    await expect.poll(silent.opened, { timeout: TIMEOUT }).toBeGreaterThan(0)
    const email = newAddress()
    await invite(fleet, second.ada, email)
    await waitForMails(email)
    await waitForNotice(fleet, first)
    expect((await doneJobs(first.realm, 'thumbnail')).length).toBe(0)
  })
})

test('A scheduled message is sent while other jobs of its organization wait for a server.', {
  timeout: TIMEOUT,
}, async () => {
  await using s = await setUp()
  await using silent = await openSilentServer()
  const { fleet, first } = s
  const { url } = fleet.gateway
  const content = 'it is time'
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3_600
  const scheduled = { type: 'direct', to: [first.grace.user_id], content, scheduled_delivery_timestamp }
  await ok(first.ada, 'POST', '/scheduled_messages', scheduled, { url })
  const bot = await createBot(fleet, first.ada, silent.url)
  await callManyTimes(fleet, first.ada, bot, silent)
  await makeScheduledDue(first.realm)
  const last = async () =>
    (
      await ok(first.grace, 'GET', '/messages', { anchor: 'newest', num_before: 1, apply_markdown: false }, { url })
    ).messages.at(-1)?.content
  await expect.poll(last, { timeout: TIMEOUT, interval: 20 }).toBe(content)
  expect(silent.closed()).toBe(0)
})
