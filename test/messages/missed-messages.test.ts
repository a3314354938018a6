/** Mails about missed messages: the recipients, the messages they contain, and their text. */
import { describe, expect, test } from 'vitest'
import { secondsNow } from '../../rules/src/time.js'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import type { SubscriptionRow, UserRow } from '../../src/domain/log/rows.js'
import { render } from '../../src/domain/markdown/render.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { composeMailContent } from '../../src/domain/messages/missed/mail-content.js'
import { writeMailHtml } from '../../src/domain/messages/missed/mail-html.js'
import { writeMailText } from '../../src/domain/messages/missed/mail-text.js'
import { composeMissedMail } from '../../src/domain/messages/missed/missed-mail.js'
import { shouldMail, subscribersNotifiedOfAll } from '../../src/domain/messages/missed/missed-messages.js'
import { recordMissedMessages } from '../../src/store/messages/missed/missed-messages.js'
import { renderContext } from '../markdown/render-context.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { listen } from '../setup/realm/event-listener.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { anyGateway, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { StateBuilder } from '../setup/realm/state-builder.js'
import { sendRequest } from '../setup/requests/raw-request.js'

type Settings = UserRow['settings']

const joins = (builder: StateBuilder, { id }: UserRow, own: Partial<SubscriptionRow> = {}) =>
  builder.put('subscriptions', { ...composeSubscription(id, 1, '#c2c2c2'), ...own })

/**
 * Returns whether a user with these settings gets a mail about a message of user 1 in channel 1, or to that user
 * alone.
 */
const wantsMailAbout = (
  given: { mentions?: number; policy?: number; direct?: boolean },
  settings: Settings = {},
  own: Partial<SubscriptionRow> | 'outside' = {},
  account: Partial<UserRow> = {},
) => {
  const builder = new StateBuilder()
  builder.user()
  const user = builder.user({ settings, ...account })
  builder.channel({ id: 1 })
  if (own !== 'outside') joins(builder, user, own)
  const { mentions = 0, policy, direct } = given
  return shouldMail(builder.state, user, { channel_id: direct ? undefined : 1, sender_id: 1, mentions, policy })
}

describe('The decision to mail a missed message', () => {
  const off: Settings = { enable_offline_email_notifications: false }
  const every: Settings = { enable_stream_email_notifications: true }
  const named = { mentions: Flag.mentioned }
  const all = { mentions: Flag.stream_wildcard_mentioned }
  const [muted, unmuted, followed] = [{ policy: 1 }, { policy: 2 }, { policy: 3 }]

  test.each<[string, boolean, ...Parameters<typeof wantsMailAbout>]>([
    ['A user gets a mail about a direct message.', true, { direct: true }],
    ['A user who turned off mails gets none about a direct message.', false, { direct: true }, off],
    ['A user gets a mail about a mention.', true, named],
    ['A user gets a mail about a mention of their group.', true, { mentions: Flag.group_mentioned }],
    ['A user gets a mail about a mention in a muted topic.', true, { ...named, ...muted }, {}, { is_muted: true }],
    ['A user who turned off mails gets none about a mention.', false, named, off],
    ['A user gets a mail about @**all**.', true, all],
    ['A user gets a mail about @**topic**.', true, { mentions: Flag.topic_wildcard_mentioned }],
    [
      'A user who turned off wildcard mentions gets no mail about @**all**.',
      false,
      all,
      { wildcard_mentions_notify: false },
    ],
    [
      'A user who turned off wildcard mentions of the channel gets no mail about @**all**.',
      false,
      all,
      {},
      { wildcard_mentions_notify: false },
    ],
    [
      'The setting of the channel for wildcard mentions overrides the general one.',
      true,
      all,
      { wildcard_mentions_notify: false },
      { wildcard_mentions_notify: true },
    ],
    [
      'A user gets a mail about @**all** in a followed topic despite the general setting.',
      true,
      { ...all, ...followed },
      { wildcard_mentions_notify: false },
    ],
    ['A user gets no mail about @**all** in a muted channel.', false, all, {}, { is_muted: true }],
    ['A user gets no mail about @**all** in a muted topic.', false, { ...all, ...muted }],
    [
      'A user gets a mail about @**all** in an unmuted topic of a muted channel.',
      true,
      { ...all, ...unmuted },
      {},
      { is_muted: true },
    ],
    ['A user who is not subscribed gets no mail about @**all**.', false, all, {}, 'outside'],
    ['A user gets no mail about other channel messages.', false, {}],
    ['A user who turned on channel mails gets one about any message.', true, {}, every],
    [
      'A user who turned on mails of this channel gets one about any message in it.',
      true,
      {},
      {},
      { email_notifications: true },
    ],
    [
      'The setting of the channel for mails overrides the general one.',
      false,
      {},
      every,
      { email_notifications: false },
    ],
    ['A user who turned on channel mails gets none about a muted topic.', false, muted, every],
    ['A user gets a mail about a followed topic.', true, followed],
    [
      'A user who turned off mails of followed topics gets none.',
      false,
      followed,
      { enable_followed_topic_email_notifications: false },
    ],
    ['A bot gets no mail.', false, { direct: true }, {}, {}, { is_bot: true }],
    ['A deactivated user gets no mail.', false, { direct: true }, {}, {}, { is_active: false }],
  ])('%s', (_, wanted, ...given) => expect(wantsMailAbout(...given)).toBe(wanted))

  test('A user gets no mail about their own messages or about messages of a muted user.', () => {
    const builder = new StateBuilder()
    const [ada, grace] = [builder.user(), builder.user()]
    const direct = { channel_id: undefined, mentions: 0, policy: undefined }
    expect(shouldMail(builder.state, ada, { ...direct, sender_id: ada.id })).toBe(false)
    builder.put('user_mutes', { user_id: grace.id, muted_users: [{ id: ada.id, timestamp: 0 }] })
    expect(shouldMail(builder.state, grace, { ...direct, sender_id: ada.id })).toBe(false)
  })

  test('Only subscribers with the setting get a mail about every message of a channel.', () => {
    const builder = new StateBuilder()
    const [one, two, three] = [builder.user({ settings: every }), builder.user({ settings: every }), builder.user()]
    builder.channel({ id: 1 })
    joins(builder, one)
    joins(builder, three)
    expect(subscribersNotifiedOfAll(builder.state, 1)).toEqual([one.id])
    joins(builder, two, { email_notifications: false })
    expect(subscribersNotifiedOfAll(builder.state, 1)).toEqual([one.id])
  })
})

describe('The mail', () => {
  const about: Parameters<typeof composeMissedMail>[0] = {
    language: 'en',
    realm_name: 'Acme',
    realm_url: 'https://acme.example',
    timezone: '',
    twenty_four_hour_time: true,
    nameOf: () => undefined,
    names_realm: false,
    withheld: undefined,
    unsubscribe_url: 'https://acme.example/accounts/unsubscribe/7-key',
  }
  const message = (sender_full_name: string, content: string, timestamp = 0) => ({
    sender_full_name,
    content,
    timestamp,
  })
  const direct = {
    thread: '7',
    place: ['Ada'],
    link: '#narrow/dm/1,2-pm/near/5',
    message: message('Ada', '<p>one<br>\ntwo</p>'),
  }
  const topic = {
    thread: '1 logo',
    place: '#design > logo',
    link: '#narrow/x/near/6',
    message: message('Alan', '<p>three</p>', 60),
  }
  const end =
    'You get this because you were away. Which messages come by mail is among your notification settings:\n' +
    'https://acme.example/#settings/notifications\n\n' +
    'To get no more of these mails:\nhttps://acme.example/accounts/unsubscribe/7-key\n'

  test('A mail about one conversation names it, links to it and quotes its messages.', () => {
    const { subject, text, html } = composeMissedMail(about, [direct])
    expect(subject).toBe('Messages from Ada')
    const place = 'https://acme.example/#narrow/dm/1,2-pm/near/5'
    expect(text).toBe(`With Ada\n${place}\n\nAda, 1970-01-01 00:00 UTC:\n\n  one\n  two\n\n${end}`)
    expect(html).toContain(`<h3><a href="${place}">With Ada</a></h3>`)
    expect(html).toContain('<p><strong>Ada</strong>, 1970-01-01 00:00 UTC</p>\n<div><p>one<br>\ntwo</p></div>')
    expect(html).toContain('<a href="https://acme.example/accounts/unsubscribe/7-key">')
    expect(composeMissedMail({ ...about, names_realm: true }, [topic]).subject).toBe('[Acme] #design > logo')
  })

  test('A mail about several conversations groups the messages by conversation, in order.', () => {
    const { subject, text } = composeMissedMail(about, [
      direct,
      topic,
      { ...direct, message: message('Ada', '<p>four</p>', 120) },
    ])
    expect(subject).toBe('Messages in 2 conversations')
    expect(text.split('\n').filter((line) => /^ {2}|^With|^#/.test(line))).toEqual([
      'With Ada',
      '  one',
      '  two',
      '  four',
      '#design > logo',
      '  three',
    ])
  })

  test('A mail keeps conversations with users of the same name apart.', () => {
    const other = { ...direct, thread: '8', link: '#narrow/dm/2,3-pm/near/6', message: message('Ada', '<p>five</p>') }
    const { subject, text } = composeMissedMail(about, [direct, other])
    expect(subject).toBe('Messages in 2 conversations')
    expect(text.match(/#narrow\/dm.*/g)).toEqual([direct.link, other.link])
  })

  test('A mail contains no message content if the organization or the recipient does not allow it.', () => {
    for (const withheld of ['organization', 'person'] as const) {
      const { text, html } = composeMissedMail({ ...about, withheld }, [direct])
      expect(text).toContain('Ada, 1970-01-01 00:00 UTC\n')
      for (const part of [text, html]) {
        expect(part).toContain('open the links to read it.')
        expect(part).not.toMatch(/one|two/)
      }
    }
  })

  test('Names and topics are text in its HTML, whatever they contain.', () => {
    const { subject, html } = composeMissedMail(about, [
      { ...topic, place: '#design > <b> & "it"', message: message('<i>Ada</i>', '<p>x</p>') },
    ])
    expect(subject).toBe('#design > <b> & "it"')
    expect(html).toContain('#design &gt; &lt;b&gt; &amp; "it"')
    expect(html).toContain('<strong>&lt;i&gt;Ada&lt;/i&gt;</strong>')
  })

  test.each([
    ['Europe/Berlin', '1970-01-01 01:00 CET'],
    ['Asia/Kolkata', '1970-01-01 05:30 GMT+5:30'],
    ['UTC', '1970-01-01 00:00 UTC'],
    ['', '1970-01-01 00:00 UTC'],
    ['Nowhere/Land', '1970-01-01 00:00 UTC'],
  ])('Its times are in the time zone of the reader: %s.', (timezone, time) => {
    const { text, html } = composeMissedMail({ ...about, timezone }, [direct])
    for (const part of [text, html]) expect(part).toContain(time)
  })

  test.each([
    [0, '1970-01-01 9:00 AM GMT+9'],
    [16 * 3_600, '1970-01-02 1:00 AM GMT+9'],
    [3 * 3_600, '1970-01-01 12:00 PM GMT+9'],
  ])('Its times have 12 hours for a reader with such a clock: %s seconds.', (timestamp, time) => {
    const reader = { ...about, timezone: 'Asia/Tokyo', twenty_four_hour_time: false }
    const { text } = composeMissedMail(reader, [{ ...direct, message: message('Ada', '<p>one</p>', timestamp) }])
    expect(text).toContain(`Ada, ${time}:`)
  })
})

describe('The content of a message in a mail', () => {
  const realm_url = 'https://acme.example'
  const context = { ...renderContext, realm_url }
  const reader = {
    language: 'en',
    realm_url,
    timezone: 'Europe/Berlin',
    twenty_four_hour_time: true,
    nameOf: (id: number) => (id === 7 ? 'Ada Low-Hill' : undefined),
  }
  const parts = (markdown: string) => {
    const content = composeMailContent(render(markdown, context).html, reader)
    return { text: writeMailText(content), html: writeMailHtml(content) as string }
  }

  test.each<[what: string, markdown: string, text: string, html: string]>([
    ['emphasis', '**a** *b* ~~c~~ `d`', 'a b c d', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    [
      'a link',
      '[the plan](https://x.example/a?b=c&d) and https://y.example',
      'the plan (https://x.example/a?b=c&d) and https://y.example',
      '<p><a href="https://x.example/a?b=c&amp;d">the plan</a> and <a href="https://y.example">https://y.example</a></p>',
    ],
    [
      'a link to a channel',
      'in #**design**',
      'in #design (https://acme.example/#narrow/channel/3-design)',
      '<p>in <a href="https://acme.example/#narrow/channel/3-design">#design</a></p>',
    ],
    [
      'an uploaded file',
      '[plan.pdf](/user_uploads/2/ab/plan.pdf)',
      'plan.pdf (https://acme.example/user_uploads/2/ab/plan.pdf)',
      '<p><a href="https://acme.example/user_uploads/2/ab/plan.pdf">plan.pdf</a></p>',
    ],
    [
      'mentions',
      '@**Ada Low** @_**Ada Low|7** @**all**',
      '@Ada Low-Hill Ada Low-Hill @all',
      '<p>@Ada Low-Hill Ada Low-Hill @all</p>',
    ],
    ['emoji', ':smile: \u{1F600}', '\u{1F642} \u{1F600}', '<p>\u{1F642} \u{1F600}</p>'],
    ['formulas', '$$x^2$$', 'x^2', '<p><code>x^2</code></p>'],
    ['a time', '<time:2026-03-01T12:00:00Z>', '2026-03-01 13:00 CET', '<p>2026-03-01 13:00 CET</p>'],
    ['a quote', '> a\n> b', '> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    [
      'lists',
      '* a\n* b\n\n3. c\n4. d',
      '- a\n- b\n\n3. c\n4. d',
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>',
    ],
    [
      'code',
      '```js\nlet a = "<b>"\n  x\n```',
      '    let a = "<b>"\n      x',
      '<pre><code>let a = "&lt;b&gt;"\n  x\n</code></pre>',
    ],
  ])('%s', (_, markdown, text, html) => expect(parts(markdown)).toEqual({ text, html }))

  test.each([
    ['alone', 'before\n```spoiler The end\nsecretplot **dies**\n```\nafter'],
    ['in a quote', '````quote\nbefore\n```spoiler The end\nsecretplot\n```\n````\nafter'],
    ['around another one', 'before\n````spoiler The end\nx\n```spoiler secretplot\ny\n```\n````\nafter'],
    [
      'with a picture and a list',
      'before\n```spoiler The end\n* secretplot\n\nhttps://x.example/secretplot.png\n```\nafter',
    ],
  ])('It has the header of a spoiler, and not what is inside: %s.', (_, markdown) => {
    for (const part of Object.values(parts(markdown))) {
      expect(part).not.toContain('secretplot')
      for (const shown of ['before', 'The end', 'hidden as a spoiler', 'after']) expect(part).toContain(shown)
    }
  })

  test('Pictures have absolute addresses, and lead to their files.', () => {
    const { text, html } = parts('https://x.example/cat.png and :party:')
    const content =
      '<div class="message_inline_image"><a href="/user_uploads/2/ab/cat.png" title="cat.png"><img src="/user_uploads/thumbnail/2/ab/cat.png/840x560.webp"></a></div>'
    const upload = composeMailContent(content, reader)
    expect(html).toContain('<img src="https://acme.example/user_avatars/2/emoji/images/party.png" alt=":party:"')
    expect(text).toContain(':party:')
    expect(writeMailText(upload)).toBe('cat.png (https://acme.example/user_uploads/2/ab/cat.png)')
    expect(writeMailHtml(upload)).toBe(
      '<p><a href="https://acme.example/user_uploads/2/ab/cat.png"><img src="https://acme.example/user_uploads/thumbnail/2/ab/cat.png/840x560.webp" alt="cat.png" height="200"></a></p>',
    )
  })
})

test('A user who is offline gets one mail about all messages that are still unread.', { timeout: 60_000 }, async () => {
  await using fleet = await startOwnFleet({ MISSED_MESSAGE_MAILS: 'on' })
  const { realm } = fleet
  const at = { url: fleet.gateway.url }
  const settings = { email_notifications_batching_period_seconds: 1 }
  const email = (name: string) => `${name}@missed.example`
  const [ada, grace, alan, mary] = (await realm.people(
    { full_name: 'Ada', email: email('ada'), role: 100 },
    { full_name: 'Grace', email: email('grace'), settings },
    { full_name: 'Alan', email: email('alan'), settings },
    { full_name: 'Mary', email: email('mary'), settings },
  )) as [Person, Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await ok(alan, 'POST', '/users/me/presence', { status: 'active' }, at)
  const principals = [ada, grace, alan, mary].map(({ user_id }) => user_id)
  const joining = { subscriptions: [{ name: 'design' }], principals, send_new_subscription_messages: false }
  await ok(ada, 'POST', '/users/me/subscriptions', joining, at)
  const send = async (params: object) => (await ok(ada, 'POST', '/messages', { ...params }, at)).id
  const sendDirect = (to: Person, content: string) => send({ type: 'direct', to: [to.user_id], content })
  const sendToChannel = (content: string) => send({ type: 'channel', to: 'design', topic: 'logo', content })

  const old = await sendDirect(grace, 'an old story')
  await realm.sql`update messages set timestamp = timestamp - 100000 where id = ${old}`
  const read = await sendDirect(mary, 'read in time')
  await ok(mary, 'POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' }, at)
  await sendDirect(alan, 'to a user who is connected')
  const direct = await sendDirect(grace, 'are you **there**?')
  await sendToChannel('nothing of note')
  await sendToChannel('@**Grace** and @**Mary**, look')
  const unmentioned = await sendToChannel('@**Grace**, not for you')
  await ok(ada, 'PATCH', `/messages/${unmentioned}`, { content: 'not for you' }, at)
  const deleted = await sendToChannel('@**Grace**, not this')
  await ok(ada, 'DELETE', `/messages/${deleted}`, {}, at)

  await using _worker = await fleet.worker()
  const [mail = '', ...more] = await waitForMails(email('grace'))
  expect(more).toEqual([])
  expect(mail).toContain('Subject: Messages in 2 conversations')
  expect(mail).toContain(`/near/${direct}`)
  expect(mail).toContain('are you there?')
  expect(mail).toContain('are you <strong>there</strong>?')
  expect(mail).toContain('@Grace and @Mary, look')
  expect(mail).not.toMatch(/an old story|nothing of note|not this|not for you/)
  const [other = ''] = await waitForMails(email('mary'))
  expect(other).toContain('Subject: #design > logo')
  expect(other).not.toContain('read in time')

  await updateRealmSettings(realm, { message_content_allowed_in_email_notifications: false })
  await sendDirect(grace, 'a secret')
  const [, second = ''] = await waitForMails(email('grace'), 2)
  expect(second).toContain('Subject: Messages from Ada')
  expect(second).not.toContain('a secret')
  expect(second).not.toContain('there')
  expect([...readMails(email('alan')), ...readMails(email('ada'))]).toEqual([])
  await expect.poll(() => realm.sql`select from missed_messages`).toHaveLength(0)

  // Mails about one conversation continue the same id; the mail about two conversations continues both.
  const header = (mail: string, name: string) =>
    new RegExp(`^${name}: ?((?:.|\\r?\\n[ \\t])*)`, 'mi').exec(mail)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  const [first, later] = [header(mail, 'References').split(' '), header(second, 'References').split(' ')]
  expect(first).toHaveLength(2)
  expect(first).toContain(later[0])
  expect(first).toContain(header(other, 'References'))
  expect(header(second, 'In-Reply-To')).toBe(later[0])
  expect(new Set([mail, second, other].map((one) => header(one, 'Message-ID'))).size).toBe(3)
  expect(second).toContain('Content-Type: multipart/alternative')

  // One POST without credentials, as mail programs send it, ends the mails of this user.
  expect(header(second, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  const link = /^<(.*)>$/.exec(header(second, 'List-Unsubscribe'))?.[1] ?? ''
  const { pathname } = new URL(link)
  expect(second).toContain(`To get no more of these mails:`)
  const visit = (method: string, path = pathname) =>
    sendRequest(Number(new URL(fleet.gateway.url).port), {
      method,
      path,
      host: realm.host,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
    })
  const setting = async () =>
    (await ok(grace, 'POST', '/register', { fetch_event_types: ['user_settings'] }, at)).user_settings
      ?.enable_offline_email_notifications
  const page = await visit('GET')
  expect(page.text).toContain('<button>Stop these mails</button>')
  expect(await setting()).toBe(true)
  const forged = pathname.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
  expect([(await visit('GET', forged)).status, (await visit('POST', forged)).status]).toEqual([404, 404])
  expect((await visit('POST')).status).toBe(200)
  expect(await setting()).toBe(false)
  expect((await visit('POST')).status).toBe(200)
})

test('The link of a mail turns off every setting by which such mails are sent, also those of channels.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', people)
  await ok(grace, 'PATCH', '/settings', { enable_stream_email_notifications: true })
  const subscription_data = [{ stream_id, property: 'email_notifications', value: true }]
  await ok(grace, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  const listener = await listen(grace, { event_types: ['user_settings', 'subscription'] })
  const token = realm.realm.state.deployment.keys.unsubscribeToken(realm.realm_id, grace.user_id)
  // RFC 8058 permits both kinds of forms.
  const headers = { Accept: 'application/json', 'Content-Type': 'multipart/form-data; boundary=x' }
  const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const request = { method: 'POST', path: `/accounts/unsubscribe/${token}`, host: realm.host, headers, body }
  const { json } = await sendRequest(Number(new URL(anyGateway()).port), request)
  expect(json).toMatchObject({ result: 'success' })
  const events = await listener.events()
  expect(events.map(({ property, value }) => [property, value])).toEqual([
    ['enable_offline_email_notifications', false],
    ['enable_stream_email_notifications', false],
    ['enable_followed_topic_email_notifications', false],
    ['enable_followed_topic_wildcard_mentions_notify', false],
    ['email_notifications', false],
  ])
  await ok(grace, 'GET', '/users/me')
})

test('At most 20 messages of a followed topic are queued for the mail, plus every mention and direct message.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', people)
  await ok(grace, 'POST', '/user_topics', { stream_id, topic: 'logo', visibility_policy: 3 })
  await realm.sql`update user_topics set last_updated = 0 where realm_id = ${realm.realm_id}`
  const ids: number[] = []
  for (let i = 0; i < 25; i++) ids.push(await postMessage(ada, 'design', 'logo'))
  const named = await postMessage(ada, 'design', 'logo', '@**Grace**')
  const direct = await sendDirectMessage(ada, [grace])
  while (await recordMissedMessages(realm.sql, realm.realm, secondsNow()));
  const rows = await realm.sql<{ user_id: number; message_id: number }[]>`
    select user_id, message_id from missed_messages where realm_id = ${realm.realm_id} order by message_id`
  const expected = [...ids.slice(0, 20), named, direct]
  expect([...rows]).toEqual(expected.map((message_id) => ({ user_id: grace.user_id, message_id })))
})

test('A mail that would be due in the quiet hours of its recipient is due when they end.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const now = secondsNow()
  const minute = Math.floor((now % 86_400) / 60)
  // An hour before and after now, so that the clock cannot leave them while the test runs.
  const quiet = { quiet_hours_start: (minute + 1_380) % 1_440, quiet_hours_end: (minute + 60) % 1_440 }
  await ok(grace, 'PATCH', '/settings', { ...quiet, quiet_hours_enabled: true, timezone: 'UTC' })
  await ok(alan, 'PATCH', '/settings', { ...quiet, quiet_hours_enabled: true, timezone: 'Pacific/Auckland' })
  await sendDirectMessage(ada, [grace, alan])
  while (await recordMissedMessages(realm.sql, realm.realm, secondsNow()));
  const rows = await realm.sql<{ user_id: number; due_at: number }[]>`
    select user_id, due_at from missed_messages where realm_id = ${realm.realm_id}`
  const due = new Map(rows.map(({ user_id, due_at }) => [user_id, Number(due_at)]))
  expect(due.get(grace.user_id)).toBe((Math.floor(now / 86_400) * 1_440 + minute + 60) * 60)
  expect(due.get(alan.user_id)).toBeLessThan(now + 600)
})
