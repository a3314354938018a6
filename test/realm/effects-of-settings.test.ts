/**
 * What each setting of an organization changes. `test/web/effects-of-settings.test.ts` has those that only the page
 * reads, and `test/permissions/matrix-setting-holders.test.ts` what permissions permit.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secondsNow } from '../../rules/src/time.js'
import { root } from '../../src/dev/root.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import {
  isRealmGroupSetting,
  type RealmSettings,
  realmSettingReaders,
} from '../../src/domain/settings/realm-settings.js'
import { getSetting } from '../../src/domain/settings/user-settings.js'
import { deleteExpiredBatch } from '../../src/store/messages/editing/retention.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { type Answer, anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { withWriteContext } from '../setup/realm/row-changes.js'
import { changedSettingValues } from '../setup/realm/setting-values.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { postSession, setPassword } from '../setup/web/browser-session.js'

interface Stage extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  ada: Person
  guest: Person
  /** to which all are subscribed; and a private one, of the owner */
  channel: number
  secret: number
  /** a word that no other call has returned */
  next(): string
}

const setUp = async (): Promise<Stage> => {
  const realm = await newRealm()
  const settings = neverFollowing
  const email = (name: string) => `${name}-${realm.host.split('.')[0]}@example.com`
  const [owner, ada, guest] = (await realm.people(
    { full_name: 'Owner', role: 100, settings, email: email('owner') },
    { full_name: 'Ada', settings, email: email('ada') },
    { full_name: 'Guest', role: 600, settings, email: email('guest') },
    // Subscribed nowhere.
    { full_name: 'Mary', settings, email: email('mary') },
  )) as [Person, Person, Person]
  const channel = await createChannel(owner, 'design', [owner, ada, guest])
  const secret = await createChannel(owner, 'secret', [owner], { invite_only: true })
  await createChannel(owner, 'elsewhere', [owner, ada])
  let count = 0
  const next = () => `${realm.host.split('.')[0]}x${++count}`
  return { realm, owner, ada, guest, channel, secret, next, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const postToSite = (s: Stage, path: string, form: Record<string, string>) =>
  sendRequest(Number(new URL(anyGateway()).port), {
    method: 'POST',
    path,
    host: s.realm.host,
    headers: { Accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  })

const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status

/** A message of Ada that is a minute and a half old. */
const oldMessage = async ({ realm, ada, channel, next }: Stage): Promise<number> => {
  const id = await postMessage(ada, channel, next())
  await realm.sql`
    update messages set timestamp = ${secondsNow() - 90} where realm_id = ${realm.realm_id} and id = ${id}`
  return id
}

const htmlOf = async ({ ada, channel, next }: Stage, content: string): Promise<string> =>
  (await fetchMessage(ada, await postMessage(ada, channel, next(), content))).content

const invite = ({ owner, next }: Stage, host: string) =>
  statusOf(call(owner, 'POST', '/invites', { invitee_emails: `${next()}@${host}`, stream_ids: [] }))

const createAccount = async ({ owner, next }: Stage): Promise<number> => {
  const full_name = next()
  const given = { email: `${full_name}@example.com`, full_name, password: 'correct horse battery' }
  return (await ok(owner, 'POST', '/users', given)).user_id
}

const createNewChannel = async (s: Stage, params: object = {}): Promise<number> =>
  statusOf(call(s.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: s.next() }], ...params }))

const countMessages = async ({ realm, owner }: Stage, operator: string, operand: unknown): Promise<number> => {
  await waitForJobs(realm)
  const narrow = [{ operator, operand }]
  return (await ok(owner, 'GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })).messages
    .length
}

const countJobs = async ({ realm }: Stage, kind: string): Promise<number> =>
  (await realm.sql`select from jobs where realm_id = ${realm.realm_id} and kind = ${kind}`).length

/** How many more there are after the work. */
const added = async (count: () => Promise<number>, work: () => Promise<unknown>): Promise<number> => {
  const before = await count()
  await work()
  return (await count()) - before
}

type Setting = keyof RealmSettings
type Look = (s: Stage) => Promise<unknown>

/** What users see of each setting on which the server acts. */
const looks: { readonly [N in Setting]?: Look } = {
  can_access_all_users_group: async ({ guest }) =>
    (await ok(guest, 'GET', '/users')).members.map(({ full_name }) => full_name).sort(),
  can_create_web_public_channel_group: async (s) => {
    await ok(s.owner, 'PATCH', '/realm', { enable_spectator_access: true })
    return createNewChannel(s, { is_web_public: true })
  },
  default_language: async (s) => {
    const id = await createAccount(s)
    await s.realm.realm.barrier()
    return getSetting(s.realm.realm.state.users.get(id) as UserRow, 'default_language')
  },
  default_code_block_language: (s) => htmlOf(s, '```\nx = 1\n```'),
  allow_message_editing: async (s) => {
    const id = await postMessage(s.ada, s.channel, 'logo')
    return statusOf(call(s.ada, 'PATCH', `/messages/${id}`, { content: 'other' }))
  },
  message_content_edit_limit_seconds: async (s) =>
    statusOf(call(s.ada, 'PATCH', `/messages/${await oldMessage(s)}`, { content: 'other' })),
  message_content_delete_limit_seconds: async (s) =>
    statusOf(call(s.ada, 'DELETE', `/messages/${await oldMessage(s)}`)),
  move_messages_within_stream_limit_seconds: async (s) =>
    statusOf(call(s.ada, 'PATCH', `/messages/${await oldMessage(s)}`, { topic: s.next() })),
  move_messages_between_streams_limit_seconds: async (s) => {
    const { stream_id } = await ok(s.ada, 'GET', '/get_stream_id', { stream: 'elsewhere' })
    return statusOf(call(s.ada, 'PATCH', `/messages/${await oldMessage(s)}`, { stream_id }))
  },
  message_edit_history_visibility_policy: async (s) =>
    statusOf(call(s.ada, 'GET', `/messages/${await postMessage(s.ada, s.channel, 'logo')}/history`)),
  topics_policy: ({ ada, channel }) =>
    statusOf(call(ada, 'POST', '/messages', { type: 'stream', to: channel, topic: '', content: 'hello' })),
  message_retention_days: async (s) => {
    const id = await postMessage(s.ada, s.channel, 'logo')
    const { sql, realm_id, realm } = s.realm
    await sql`update messages set timestamp = 1600000000 where realm_id = ${realm_id}`
    await withWriteContext(s.realm, async ({ dependencies }) => {
      while (await deleteExpiredBatch(dependencies, realm));
    })
    return statusOf(call(s.ada, 'GET', `/messages/${id}`))
  },
  waiting_period_threshold: ({ ada }) => ok(ada, 'GET', `/user_groups/${SystemGroup.fullmembers}/members`),
  second_factor_required_for: async ({ realm, owner }) => {
    await setPassword(realm, owner)
    return (await postSession(owner.host, owner.email)).json.code
  },
  invite_required: async ({ realm }) =>
    (await ok(undefined, 'GET', '/server_settings', {}, { host: realm.host })).realm_invite_required,
  sign_up_approval_required: async (s) => {
    await ok(s.owner, 'PATCH', '/realm', { invite_required: false })
    const email = `${s.next()}@example.com`
    await postToSite(s, '/accounts/sign_up', { email })
    const { sql, realm_id, realm } = s.realm
    const [row] = await sql<{ id: number }[]>`select id from sign_ups where realm_id = ${realm_id} and email = ${email}`
    const token = realm.state.deployment.keys.signUpToken(realm_id, { id: row?.id ?? 0, email })
    const form = { full_name: s.next(), password: 'correct horse battery staple' }
    return (await postToSite(s, `/accounts/sign_up/${token}`, form)).json.is_waiting
  },
  refused_email_domains: (s) => invite(s, 'refused.example'),
  emails_restricted_to_domains: (s) => invite(s, 'example.com'),
  disallow_disposable_email_addresses: (s) => invite(s, 'mailinator.com'),
  name_changes_disabled: async ({ ada, next }) => {
    const full_name = next()
    await call(ada, 'PATCH', '/settings', { full_name })
    return (await ok(ada, 'GET', '/users/me')).full_name === full_name
  },
  email_changes_disabled: (s) => statusOf(call(s.ada, 'PATCH', '/settings', { email: `${s.next()}@example.com` })),
  avatar_changes_disabled: ({ ada }) => statusOf(call(ada, 'DELETE', '/users/me/avatar')),
  default_avatar_source: async ({ ada }) => (await ok(ada, 'GET', '/users/me')).avatar_url,
  require_unique_names: async ({ ada, next }) => {
    await ok(ada, 'PATCH', '/settings', { full_name: next() })
    return statusOf(call(ada, 'PATCH', '/settings', { full_name: 'Owner' }))
  },
  enable_read_receipts: async (s) =>
    statusOf(call(s.ada, 'GET', `/messages/${await postMessage(s.ada, s.channel, 'logo')}/read_receipts`)),
  enable_spectator_access: async ({ realm }) =>
    (await ok(undefined, 'GET', '/server_settings', {}, { host: realm.host })).realm_web_public_access_enabled,
  inline_image_preview: async (s) => (await htmlOf(s, 'https://pictures.example.com/a.png')).includes('<img'),
  inline_url_embed_preview: (s) => {
    const post = () => postMessage(s.ada, s.channel, 'links', 'http://127.0.0.1:9/news')
    return added(() => countJobs(s, 'page_previews'), post)
  },
  send_welcome_emails: (s) =>
    added(
      () => countJobs(s, 'welcome_mail'),
      () => createAccount(s),
    ),
  send_channel_events_messages: async (s) => {
    const name = s.next()
    await ok(s.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    return countMessages(s, 'channel', name)
  },
  new_stream_announcements_stream_id: (s) =>
    added(
      () => countMessages(s, 'channel', s.channel),
      () => createNewChannel(s, { announce: true }),
    ),
  signup_announcements_stream_id: (s) =>
    added(
      () => countMessages(s, 'channel', s.channel),
      () => createAccount(s),
    ),
  moderation_request_channel_id: async (s) => {
    const id = await postMessage(s.owner, s.channel, 'logo')
    return statusOf(call(s.ada, 'POST', `/messages/${id}/report`, { report_type: 'spam' }))
  },
}

/** Settings whose effect needs more than one look: the file and the name of the test that shows it. */
const shownElsewhere: { readonly [N in Setting]?: readonly [file: string, name: string] } = {
  message_content_allowed_in_email_notifications: ['messages/missed-messages', 'A user who is offline gets one mail'],
  welcome_message_custom_text: ['accounts/invites', 'The new user receives the welcome message of the invitation'],
  authentication_methods: ['accounts/logins', 'An owner can make tokens the only login method'],
}

const values: Readonly<Record<string, unknown>> = changedSettingValues

/** What a client sends to change the setting. */
const changedValue = ({ channel, secret }: Stage, name: Setting): unknown => {
  if (name === 'can_access_all_users_group') return { new: SystemGroup.members }
  if (name === 'can_create_web_public_channel_group') return { new: SystemGroup.nobody }
  if (isRealmGroupSetting(name)) return { new: SystemGroup.owners }
  if (name === 'moderation_request_channel_id') return secret
  return name.endsWith('_stream_id') ? channel : values[name]
}

const names = Object.keys(realmSettingReaders) as Setting[]
const readBy = (reader: string) => names.filter((name) => realmSettingReaders[name] === reader)

describe('Settings on which the server acts', () => {
  // What permissions permit is in their matrix, which fails for one that is missing there.
  const ofServer = readBy('server').filter((name) => !isRealmGroupSetting(name) || name in looks)

  test.each(ofServer.filter((name) => !(name in shownElsewhere)))('%s changes what users see.', async (name) => {
    const look = looks[name]
    if (look === undefined) throw new Error(`No look shows what ${name} changes: add one, or declare its reader none.`)
    await using s = await setUp()
    const before = await look(s)
    const answer = await ok<Record<string, unknown>>(s.owner, 'PATCH', '/realm', { [name]: changedValue(s, name) })
    expect(answer).toHaveProperty(name)
    expect(answer).not.toHaveProperty('ignored_parameters_unsupported')
    expect(await look(s)).not.toEqual(before)
  })

  test.each(Object.entries(shownElsewhere))('What %s changes is shown by a test of its own.', (name, [file, title]) => {
    expect(ofServer).toContain(name)
    expect(readFileSync(join(root, `test/${file}.test.ts`), 'utf8')).toContain(title)
  })
})

test('The answer names the settings on which nothing acts, and they are stored.', async () => {
  await using s = await setUp()
  const wanted = readBy('none')
  const answer = await ok<Record<string, unknown>>(s.owner, 'PATCH', '/realm', {
    ...Object.fromEntries(wanted.map((name) => [name, changedValue(s, name)])),
    send_welcome_emails: false,
  })
  expect(answer.ignored_parameters_unsupported).toEqual([...wanted].sort())
  for (const name of wanted) expect(answer).toHaveProperty(name)
})
