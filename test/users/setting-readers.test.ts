/**
 * Every setting of an account has a reader. What the server reads has an effect; what nothing here reads is named by
 * the answer that stores it. test/web/setting-readers.test.ts shows the effects of what the page reads.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { secondsNow } from '../../rules/src/time.js'
import { Role } from '../../src/domain/log/rows.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { shouldMail } from '../../src/domain/messages/missed/missed-messages.js'
import type { Reader } from '../../src/domain/settings/reader.js'
import { defaultUserSettings, settingReaders, type UserSettings } from '../../src/domain/settings/user-settings.js'
import { recordMissedMessages } from '../../src/store/messages/missed/missed-messages.js'
import { loginMail } from '../../src/workers/accounts/account-mail.js'
import { describeMailReader } from '../../src/workers/messages/missed-mail.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

type Name = keyof UserSettings
type ReadBy<R extends Reader> = { [N in Name]: (typeof settingReaders)[N] extends R ? N : never }[Name]

const names = Object.keys(settingReaders) as Name[]

interface Stage {
  realm: TestRealm
  ada: Person
  grace: Person
  owner: Person
  channelId: number
  /** a name that no other topic has */
  topic: () => string
}

let stage: Stage

beforeAll(async () => {
  const realm = await newRealm()
  const [owner, ada, grace] = (await realm.people(
    { full_name: 'Owner', role: Role.owner, settings: neverFollowing },
    { full_name: 'Ada', settings: neverFollowing },
    { full_name: 'Grace', settings: neverFollowing },
  )) as [Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const channelId = Number(await createChannel(owner, 'general', [owner, ada, grace]))
  let count = 0
  stage = { realm, owner, ada, grace, channelId, topic: () => `topic ${++count}` }
  return () => realm[Symbol.asyncDispose]()
})

const set = (settings: object) => ok(stage.ada, 'PATCH', '/settings', { ...settings })

const readAda = async () => {
  const { realm, ada } = stage
  await realm.realm.barrier()
  const { state } = realm.realm
  const user = state.users.get(ada.user_id)
  if (user === undefined) throw new Error('Ada has no account.')
  return { state, user }
}

const typing = async (params: object): Promise<number> =>
  (await call(stage.ada, 'POST', '/typing', { op: 'start', ...params })).status

const wantsMail = async (given: { channel_id?: number; mentions?: number; policy?: number }) => {
  const { state, user } = await readAda()
  const { channel_id, mentions = 0, policy } = given
  return shouldMail(state, user, { channel_id, sender_id: stage.grace.user_id, mentions, policy })
}

const policyOf = async (topic: string): Promise<number | undefined> => {
  const { user_topics = [] } = await ok(stage.ada, 'POST', '/register', { fetch_event_types: ['user_topic'] })
  return user_topics.find(({ topic_name }) => topic_name === topic)?.visibility_policy
}

const policyAfterSending = async (): Promise<number | undefined> => {
  const topic = stage.topic()
  await postMessage(stage.ada, stage.channelId, topic)
  return policyOf(topic)
}

const mailReader = async () => {
  const { state, user } = await readAda()
  return describeMailReader(stage.realm.sql, state, user, 'https://acme.example')
}

/** After how many seconds Ada gets a mail about a message that she misses now. */
const mailDelay = async (): Promise<number | undefined> => {
  const { realm, ada, grace } = stage
  const id = await sendDirectMessage(grace, [ada])
  await realm.realm.barrier()
  while (await recordMissedMessages(realm.sql, realm.realm, secondsNow()));
  const [row] = await realm.sql<{ wait: number }[]>`
    select (due_at - timestamp)::int as wait from missed_messages
      join messages on messages.realm_id = missed_messages.realm_id and messages.id = message_id
    where missed_messages.realm_id = ${realm.realm_id} and message_id = ${id}`
  return row?.wait
}

const MINUTES_OF_DAY = 24 * 60
/** The minute of the day so many minutes from now, in UTC. */
const minuteIn = (minutes: number): number =>
  (Math.floor(secondsNow() / 60) + minutes + MINUTES_OF_DAY) % MINUTES_OF_DAY
/** Quiet hours that began two hours ago and end in two hours. */
const quietNow = { quiet_hours_enabled: true, quiet_hours_start: minuteIn(-120), quiet_hours_end: minuteIn(120) }
const isQuietNow = async (): Promise<boolean> => Number(await mailDelay()) > 3_600

interface Check {
  /** the other value; the first one is the default unless `from` is given */
  to: unknown
  from?: unknown
  /** other settings that the effect needs */
  given?: Partial<UserSettings>
  /** what is to be seen with the first and with the other value */
  seen: readonly [first: unknown, other: unknown]
  look: () => Promise<unknown>
}

const checks: Record<ReadBy<'server'>, Check> = {
  receives_typing_notifications: {
    to: false,
    seen: [['typing/start'], []],
    async look() {
      const listener = await listen(stage.ada, { event_types: ['typing'] })
      await ok(stage.grace, 'POST', '/typing', { op: 'start', type: 'direct', to: [stage.ada.user_id] })
      return listener.eventNames()
    },
  },
  send_private_typing_notifications: {
    to: false,
    seen: [200, 400],
    look: () => typing({ type: 'direct', to: [stage.grace.user_id] }),
  },
  send_stream_typing_notifications: {
    to: false,
    seen: [200, 400],
    look: () => typing({ type: 'stream', stream_id: stage.channelId, topic: 'typing' }),
  },
  send_read_receipts: {
    to: false,
    seen: [true, false],
    async look() {
      const { ada, grace, channelId } = stage
      const id = await postMessage(grace, channelId, 'receipts')
      await ok(ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      return (await ok(grace, 'GET', `/messages/${id}/read_receipts`)).user_ids.includes(ada.user_id)
    },
  },
  translate_emoticons: {
    to: true,
    seen: [false, true],
    look: async () => (await ok(stage.ada, 'POST', '/messages/render', { content: ':)' })).rendered.includes('emoji'),
  },
  resolved_topic_notice_auto_read_policy: {
    to: 'never',
    seen: [true, false],
    async look() {
      const { ada, grace, channelId } = stage
      const topic = stage.topic()
      const id = await postMessage(ada, channelId, topic)
      await ok(grace, 'PATCH', `/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })
      await waitForJobs(stage.realm)
      const { messages } = await ok(ada, 'GET', '/messages', {
        narrow: [
          { operator: 'channel', operand: channelId },
          { operator: 'topic', operand: `✔ ${topic}` },
        ],
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
      })
      return messages[0]?.flags?.includes('read')
    },
  },
  enable_drafts_synchronization: {
    to: false,
    seen: [200, 400],
    look: async () => (await call(stage.ada, 'POST', '/drafts', { drafts: [] })).status,
  },
  email_address_visibility: {
    to: 4,
    seen: [true, false],
    look: async () =>
      typeof (await ok(stage.grace, 'GET', `/users/${stage.ada.user_id}`)).user.delivery_email === 'string',
  },
  allow_private_data_export: {
    to: true,
    seen: [false, true],
    async look() {
      const { export_consents } = await ok(stage.owner, 'GET', '/export/realm/consents')
      return export_consents.find(({ user_id }) => user_id === stage.ada.user_id)?.consented
    },
  },
  enable_offline_email_notifications: { to: false, seen: [true, false], look: () => wantsMail({}) },
  enable_stream_email_notifications: {
    to: true,
    seen: [false, true],
    look: () => wantsMail({ channel_id: stage.channelId }),
  },
  enable_followed_topic_email_notifications: {
    to: false,
    seen: [true, false],
    look: () => wantsMail({ channel_id: stage.channelId, policy: 3 }),
  },
  message_content_in_email_notifications: {
    to: false,
    seen: [undefined, 'person'],
    look: async () => (await mailReader()).withheld,
  },
  realm_name_in_email_notifications_policy: {
    from: 2,
    to: 3,
    seen: [true, false],
    look: async () => (await mailReader()).names_realm,
  },
  email_notifications_batching_period_seconds: {
    to: 3_600,
    seen: [120, 3_600],
    look: mailDelay,
  },
  enable_login_emails: {
    to: false,
    seen: [['A new log-in'], []],
    async look() {
      await readAda()
      const subjects: string[] = []
      const job = {
        realm: stage.realm.realm,
        payload: { user_id: stage.ada.user_id, client: 'a', ip: '192.0.2.1', at: 0, realm_url: 'https://acme.example' },
        sendMail: async ({ subject }: { subject: string }) => subjects.push(subject.replace(/ at .*/, '')),
        runExternalCall: (run: () => Promise<unknown>) => run(),
      }
      await loginMail(job as unknown as Parameters<typeof loginMail>[0])
      return subjects
    },
  },
  automatically_follow_topics_policy: { from: 2, to: 4, seen: [3, undefined], look: policyAfterSending },
  automatically_unmute_topics_in_muted_streams_policy: {
    from: 2,
    to: 4,
    seen: [2, undefined],
    async look() {
      const { ada, channelId: stream_id } = stage
      const mute = (value: boolean) =>
        ok(ada, 'POST', '/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id, property: 'is_muted', value }],
        })
      await mute(true)
      const policy = await policyAfterSending()
      await mute(false)
      return policy
    },
  },
  automatically_follow_topics_where_mentioned: {
    from: true,
    to: false,
    seen: [3, undefined],
    async look() {
      const topic = stage.topic()
      await postMessage(stage.grace, stage.channelId, topic, '@**Ada**')
      return policyOf(topic)
    },
  },
  quiet_hours_start: {
    given: quietNow,
    from: quietNow.quiet_hours_start,
    to: minuteIn(60),
    seen: [true, false],
    look: isQuietNow,
  },
  quiet_hours_end: {
    given: quietNow,
    from: quietNow.quiet_hours_end,
    to: minuteIn(-60),
    seen: [true, false],
    look: isQuietNow,
  },
  quiet_hours_days: { given: quietNow, to: 0, seen: [true, false], look: isQuietNow },
  // After the others, so that it ends the quiet hours.
  quiet_hours_enabled: { given: quietNow, from: false, to: true, seen: [false, true], look: isQuietNow },
  // The last one, because mails are sent to users who were away.
  presence_enabled: {
    to: false,
    seen: ['active', 'offline'],
    async look() {
      await ok(stage.ada, 'POST', '/users/me/presence', { status: 'active' })
      const { presence } = await ok(stage.grace, 'GET', `/users/${stage.ada.user_id}/presence`)
      return presence.aggregated?.status
    },
  },
}

const readBy = (reader: Reader): Name[] => names.filter((name) => settingReaders[name] === reader)

describe('A setting that the server reads', () => {
  test('has a check of its effect here', () => {
    expect(Object.keys(checks).sort()).toEqual(readBy('server').sort())
  })

  test.each(Object.entries(checks))(
    '%s changes what the server does.',
    async (name, { from, to, given, seen, look }) => {
      const first = from ?? defaultUserSettings[name as Name]
      await set({ ...neverFollowing, ...given, [name]: first })
      expect(await look()).toEqual(seen[0])
      expect(await set({ [name]: to })).not.toHaveProperty('ignored_parameters_unsupported')
      expect(await look()).toEqual(seen[1])
      await set({ ...given, [name]: defaultUserSettings[name as Name] })
    },
  )

  test('Mentions of everyone count for mails as the settings of the page for them say.', async () => {
    const everyone = { channel_id: stage.channelId, mentions: Flag.stream_wildcard_mentioned }
    const followed = { ...everyone, policy: 3 }
    await set({
      wildcard_mentions_notify: true,
      enable_offline_email_notifications: true,
      enable_stream_email_notifications: false,
      enable_followed_topic_email_notifications: false,
      enable_followed_topic_wildcard_mentions_notify: false,
    })
    expect([await wantsMail(everyone), await wantsMail(followed)]).toEqual([true, true])
    await set({ wildcard_mentions_notify: false })
    expect([await wantsMail(everyone), await wantsMail(followed)]).toEqual([false, false])
    await set({ enable_followed_topic_wildcard_mentions_notify: true })
    expect([await wantsMail(everyone), await wantsMail(followed)]).toEqual([false, true])
  })
})

describe('A setting that nothing here reads', () => {
  test.each(readBy('none'))('%s is stored, and the answer says that it has no effect.', async (name) => {
    const value = !defaultUserSettings[name]
    const listener = await listen(stage.ada, { event_types: ['user_settings'] })
    expect(await set({ [name]: value, dense_mode: true })).toMatchObject({
      ignored_parameters_unsupported: ['dense_mode', name].sort(),
    })
    expect(await listener.events()).toMatchObject([{ property: name, value }])
    const { user_settings } = await ok(stage.ada, 'POST', '/register', { fetch_event_types: ['user_settings'] })
    expect(user_settings).toMatchObject({ [name]: value })
  })

  test.each(['set_b', 'set_c', 'google-blob', 'twitter'])(
    'The image set %s is stored and has no effect.',
    async (set_) => {
      expect(await set({ emojiset: set_ })).toMatchObject({ ignored_parameters_unsupported: ['emojiset'] })
      for (const drawn of ['set_a', 'google', 'text']) {
        expect(await set({ emojiset: drawn })).not.toHaveProperty('ignored_parameters_unsupported')
      }
    },
  )
})
