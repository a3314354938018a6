/** Jobs: the Notification Bot sends each message exactly once, even when workers are killed and Redis is down. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { Role } from '../../src/domain/log/rows.js'
import { claimJob, deleteDoneJobs, extendReservation } from '../../src/store/jobs/job-table.js'
import { beginRelease } from '../../src/store/realm/releases.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

interface Notice {
  to: number[] | null
  channel: number | null
  topic: string
  content: string
}

/** The messages of the Notification Bot, in order. */
const notices = ({ sql, realm_id }: TestRealm): Promise<Notice[]> => sql<Notice[]>`
  select c.user_ids as to, m.channel_id as channel, m.topic, m.content
  from messages m left join dm_conversations c on c.realm_id = m.realm_id and c.id = m.dm_id
  where m.realm_id = ${realm_id} and m.sender_id = 1
  order by m.id`

const SUBSCRIPTIONS = '/users/me/subscriptions'
const add = (person: Person, names: string[], params: Record<string, unknown> = {}, url?: string) =>
  ok(
    person,
    'POST',
    SUBSCRIPTIONS,
    { subscriptions: names.map((name) => ({ name })), ...params },
    url === undefined ? {} : { url },
  )

describe('Notices to users who were subscribed by another user', () => {
  test('A user gets one message about all channels that another user subscribed them to; bots and the subscribing user get none.', async () => {
    await using realm = await newRealm()
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    const [ada, grace, guest, bot] = (await realm.people(
      { full_name: 'Ada' },
      { full_name: 'Grace' },
      { full_name: 'Guest', role: Role.guest },
      { full_name: 'Bot', bot: { type: 1, owner_id: null } },
    )) as [Person, Person, Person, Person]
    await add(ada, ['a', 'b'])
    const principals = [ada, grace, guest, bot].map(({ user_id }) => user_id)
    await add(ada, ['a', 'new'], { principals: [grace.user_id] })
    await waitForJobs(realm)
    await add(ada, ['a', 'b'], { principals })
    await waitForJobs(realm)
    const by = `@_**Ada|${ada.user_id}** subscribed you to`
    expect(await notices(realm)).toMatchObject([
      { to: [1, grace.user_id], content: `${by} #**a**.` },
      { to: [1, guest.user_id], content: `${by} the following channels:\n\n* #**a**\n* #**b**` },
      { to: [1, grace.user_id], content: `${by} #**b**.` },
    ])
  })

  test('No message is sent if the caller asks for none or if more than 100 users are subscribed.', async () => {
    await using realm = await newRealm()
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    const crowd = await realm.people(...Array.from({ length: 102 }, (_, i) => ({ full_name: `Person ${i}` })))
    const [ada, ...others] = crowd as [Person, ...Person[]]
    const principals = others.map(({ user_id }) => user_id)
    await add(ada, ['a', 'b'])
    expect(await add(ada, ['a'], { principals })).toMatchObject({ new_subscription_messages_sent: false })
    const quiet = await add(ada, ['b'], { principals: principals.slice(0, 5), send_new_subscription_messages: false })
    expect(quiet).not.toHaveProperty('new_subscription_messages_sent')
    expect(await notices(realm)).toEqual([])
    const hundred = await add(ada, ['b'], { principals: principals.slice(1) })
    expect(hundred).toMatchObject({ new_subscription_messages_sent: true })
    await waitForJobs(realm)
    expect((await notices(realm)).length).toBe(96)
  })
})

test('The notice about a private channel links to that channel.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  await add(ada, ['secret'], { invite_only: true })
  await add(ada, ['secret'], { principals: [grace.user_id] })
  await waitForJobs(realm)
  const [row] = await realm.sql<{ html: string }[]>`
    select rendered_content as html from messages where realm_id = ${realm.realm_id} and dm_id is not null`
  expect(row?.html).toMatch(/<a class="stream" data-stream-id="1" href="[^"]*secret">#secret<\/a>/)
})

describe('Notices about new channels', () => {
  test('A new channel starts with a message that names its creator and its privacy.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'design', description: 'Shapes\nand colours' }] })
    await add(ada, ['secret'], { invite_only: true })
    await add(ada, ['shared'], { invite_only: true, history_public_to_subscribers: true })
    await waitForJobs(realm)
    const created = (kind: string, description: string) =>
      `**${kind}** channel created by @_**Ada|${ada.user_id}**. **Description:**\n\`\`\`\` quote\n${description}\n\`\`\`\``
    // Jobs of different requests run concurrently.
    expect((await notices(realm)).sort((a, b) => Number(a.channel) - Number(b.channel))).toMatchObject([
      { channel: 1, topic: 'channel events', content: created('Public', 'Shapes and colours') },
      { channel: 2, content: created('Private, protected history', '*No description.*') },
      { channel: 3, content: created('Private, shared history', '*No description.*') },
    ])
  })

  test('A new public channel is announced in the configured channel if the caller asks for it, and a private one is not.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    await add(ada, ['announcements'])
    await waitForJobs(realm)
    await updateRealmSettings(realm, { new_stream_announcements_stream_id: 1, send_channel_events_messages: false })
    await add(ada, ['one'], { announce: true })
    await waitForJobs(realm)
    await add(ada, ['two', 'three'], { announce: true })
    await waitForJobs(realm)
    await add(ada, ['secret'], { announce: true, invite_only: true })
    await add(ada, ['quiet'])
    await waitForJobs(realm)
    const by = `@_**Ada|${ada.user_id}** created`
    expect((await notices(realm)).slice(1)).toMatchObject([
      { channel: 1, topic: 'new channels', content: `${by} a new channel #**one**.` },
      { channel: 1, topic: 'new channels', content: `${by} the following channels: #**two**, #**three**.` },
    ])
  })
})

test('New users are announced in the configured channel, and new bots are not.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada', role: 100 })) as [Person]
  await add(ada, ['announcements'])
  await waitForJobs(realm)
  await updateRealmSettings(realm, { signup_announcements_stream_id: 1, send_channel_events_messages: false })
  await ok(ada, 'POST', '/bots', { full_name: 'Echo', short_name: 'echo' })
  const grace = { email: 'grace@parley.test', full_name: 'Grace', password: 'a long password of hers' }
  const { user_id } = await ok(ada, 'POST', '/users', grace)
  await waitForJobs(realm)
  await realm.people(...Array.from({ length: 21 }, (_, i) => ({ full_name: `Person ${i}` })))
  await waitForJobs(realm)
  expect((await notices(realm)).slice(1)).toMatchObject([
    { channel: 1, topic: 'signups', content: `@_**Grace|${user_id}** joined this organization.` },
    { channel: 1, topic: 'signups', content: '21 people joined this organization.' },
  ])
})

describe('Failures of workers and Redis', () => {
  test('Each notice is sent exactly once while workers are killed.', { timeout: 120_000 }, async () => {
    await using fleet = await startOwnFleet()
    const { realm, gateway } = fleet
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    const crowd = await realm.people(...Array.from({ length: 21 }, (_, i) => ({ full_name: `Person ${i}` })))
    const [ada, ...others] = crowd as [Person, ...Person[]]
    const principals = others.map(({ user_id }) => user_id)
    const names = Array.from({ length: 30 }, (_, i) => `c${i}`)
    await add(ada, names, {}, gateway.url)

    const subscribing = (async () => {
      for (const name of names) await add(ada, [name], { principals }, gateway.url)
    })()
    for (let kills = 0; kills < 5; kills++) {
      const worker = await fleet.worker()
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 150))
      worker.signal('SIGKILL')
      expect(await worker.ended).toBe('SIGKILL')
    }
    await subscribing
    await using _ = await fleet.worker()
    await waitForJobs(realm, 60_000)
    const said = (await notices(realm)).map(({ to, content }) => `${to?.at(-1)} ${content}`)
    const wanted = names.flatMap((name) =>
      principals.map((id) => `${id} @_**Person 0|${ada.user_id}** subscribed you to #**${name}**.`),
    )
    expect(said.sort()).toEqual(wanted.sort())
  })

  test('A failed job is retried later and kept, and a done job is deleted after a day.', {
    timeout: 60_000,
  }, async () => {
    await using fleet = await startOwnFleet()
    const { realm } = fleet
    const { sql } = realm
    await using _ = await fleet.worker()
    await sql`insert into jobs (realm_id, kind, payload) values (4711, 'channel_notices', '{}')`
    const failures = async () => {
      const [job] = await sql<{ attempts: number }[]>`
        select attempts from jobs where realm_id = 4711 and done_at is null and run_after > created_at`
      return job?.attempts ?? 0
    }
    await expect.poll(failures, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await deleteDoneJobs(sql, 24)).toBe(0)
    await sql`update jobs set done_at = now() - interval '25 hours'`
    expect(await deleteDoneJobs(sql, 24)).toBe(1)
  })

  test('Jobs run while Redis is down and at once after it is back; a new release is announced once; a worker stops cleanly.', {
    timeout: 180_000,
  }, async () => {
    await using fleet = await startOwnFleet()
    const { realm, gateway, redis } = fleet
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    const worker = await fleet.worker()
    const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
    let channels = 0
    /** Subscribes Grace to a new channel: a job writes the notice for her. */
    const subscribeGrace = async () => {
      const name = `channel ${++channels}`
      await add(ada, [name], {}, gateway.url)
      await add(ada, [name], { principals: [grace.user_id] }, gateway.url)
      await expect.poll(async () => (await notices(realm)).length, { timeout: 15_000, interval: 20 }).toBe(channels)
    }
    const isDoneAtOnce = async () => {
      await subscribeGrace()
      await waitForJobs(realm)
      // The sweeper finds a job only after three seconds.
      const [newest] = await realm.sql<{ is_done: boolean }[]>`
        select done_at - created_at < interval '3 seconds' as is_done from jobs
        where realm_id = ${realm.realm_id} order by id desc limit 1`
      return newest?.is_done
    }

    // One of several jobs: a machine that stalls can be as slow as the sweeper.
    const expectDoneAtOnce = () => expect.poll(isDoneAtOnce, { timeout: 60_000 }).toBe(true)
    await expectDoneAtOnce()
    await redis.kill()
    expect(await isDoneAtOnce()).toBe(false)
    await redis.start()
    // Until the connections are restored, the sweeper finds the jobs.
    await expectDoneAtOnce()

    // A restarted process of the same release sends no event. A new release sends one `restart` event.
    const registered = await ok(ada, 'POST', '/register', {}, { url: gateway.url })
    const { queue_id, last_event_id, server_generation } = registered
    const names = await realm.sql<{ name: string }[]>`select name from releases`
    const build = readFileSync(join(root, 'dist/.stamp'), 'utf8').slice(0, 7)
    expect(names).toEqual([{ name: expect.stringMatching(`^\\d+\\.\\d+\\.\\d+\\+${build}$`) }])
    const name = names[0]?.name ?? ''
    const [first, again] = [await beginRelease(realm.sql, name), await beginRelease(realm.sql, 'another one')]
    expect([first.began_at, first.jobs, again.jobs.length]).toEqual([server_generation, [], 1])
    expect((await beginRelease(realm.sql, 'another one')).jobs).toEqual([])
    const poll = { queue_id, last_event_id }
    const { events } = await ok(ada, 'GET', '/events', poll, { url: gateway.url })
    expect(events).toMatchObject([
      { type: 'restart', server_generation: again.began_at, api_feature_level: 398, zulip_feature_level: 398 },
    ])
    expect(await worker.stop()).toBe('exit code 0')
  })
})

test('A worker extends the reservation of a job without waiting for the transaction that has claimed the job.', async () => {
  await using realm = await newRealm()
  const { sql, realm_id } = realm
  const [job] = await sql<{ id: number }[]>`
    insert into jobs (realm_id, kind, payload, run_after)
    values (${realm_id}, 'reminder', '{}', now() + interval '1 hour') returning id`
  const id = job?.id ?? 0
  await sql.begin(async (tx) => {
    expect(await claimJob(tx, id)).toBe(true)
    // Fails as a timeout of the test if it waits.
    await extendReservation(sql, id, 7_200)
  })
  await extendReservation(sql, id, 7_200)
  const [after] = await sql`select run_after > now() + interval '90 minutes' as is_extended from jobs where id = ${id}`
  expect(after?.is_extended).toBe(true)
  await sql`delete from jobs where id = ${id}`
})
