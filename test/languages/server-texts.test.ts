/**
 * The texts that the server writes itself are in the language of their reader: pages, mails and notices.
 *
 * In the language en-XA every letter of a text has an accent. The values in these tests are Cyrillic, so a plain letter
 * is of a text that is in no catalogue.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { languages, pseudoLanguage } from '../../rules/src/languages.js'
import { textsIn } from '../../src/domain/languages/texts.js'
import { Role } from '../../src/domain/log/rows.js'
import { formatTime } from '../../src/domain/messages/missed/mail-content.js'
import { composeMissedMail } from '../../src/domain/messages/missed/missed-mail.js'
import { listedReminderText, reminderText } from '../../src/domain/messages/reminders.js'
import { reportReasons } from '../../src/domain/messages/report-reasons.js'
import { composeReport } from '../../src/domain/messages/reports.js'
import { type ApiError, errors } from '../../src/domain/protocol/errors.js'
import { isNotice, joinMentions, noticeTexts } from '../../src/domain/readers/notice-texts.js'
import { formatDuration } from '../../src/domain/readers/reader-texts.js'
import * as accountPages from '../../src/gateway/api/accounts/account-pages.js'
import { parseAcceptLanguage } from '../../src/gateway/contract/accept-language.js'
import { describeRefusal, renderErrorPage } from '../../src/gateway/pages/error-page.js'
import { pageTexts } from '../../src/gateway/pages/page-texts.js'
import type { JobSpec } from '../../src/store/jobs/job-table.js'
import { commitEntries } from '../../src/store/log/change.js'
import { resolveNotices } from '../../src/store/messages/moving/resolve-notices.js'
import * as accountMail from '../../src/workers/accounts/account-mail.js'
import { invitationMail, joinMail } from '../../src/workers/accounts/invitation-mail.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings, withWriteContext } from '../setup/realm/row-changes.js'
import { StateBuilder } from '../setup/realm/state-builder.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const t = textsIn(pseudoLanguage)

/** The plain words of a text, without what is no text: elements, addresses, mentions, quotes, and times of Intl. */
const listPlainWords = (text: string): string[] =>
  text
    .replace(/<(style|svg)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/&[a-z]+;/g, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+\.\S+/g, ' ')
    .replace(/@_\*+[^*]*\*+|#\*\*[^*]*\*\*|\(#narrow[^)]*\)|`+ ?quote/g, ' ')
    .replace(/\d+ (?:second|minute|hour)s?|\b[AP]M UTC\b/g, ' ')
    .match(/[A-Za-z]{2,}/g) ?? []

const expectTranslated = (texts: readonly string[]): void => {
  for (const text of texts) expect({ text, plain: listPlainWords(text) }).toEqual({ text, plain: [] })
}

const organization = 'Сад'
const link = 'https://acme.example'

describe('Pages', () => {
  const about = { organization, email: 'ada@acme.example', refusal: 'Нет' }
  const shown = (): string[] =>
    [
      accountPages.renderJoinPage(t, { ...about, channelGroups: [{ id: 1, name: 'Гр', description: 'Оп' }] }),
      accountPages.renderJoinAddressPage(t, about),
      accountPages.renderWelcomePage(t, { ...about, realm_url: link }),
      accountPages.renderConfirmEmailPage(t, { ...about, full_name: 'Ада' }),
      accountPages.renderUnsubscribePage(t, about),
      accountPages.renderForgottenPasswordPage(t, about),
      accountPages.renderNewPasswordPage(t, about),
      accountPages.renderMailedPage(t, 'Да'),
    ].map(({ html }) => html)

  test('The pages of accounts have no text that is in no catalogue.', () => expectTranslated(shown()))

  test.each<[string, ApiError]>([
    ['a wrong method', errors.methodNotAllowed({ allowed_methods: ['GET'] })],
    ['no organization', errors.nonexistentSubdomain()],
    ['no passwords', errors.passwordAuthDisabled()],
    ['a closed organization', errors.realmIsDeactivated()],
    ['an unknown address', errors.unknownPath({ path: '/' })],
    ['no log-in', errors.noSession()],
    ['too many tries', errors.rateLimitHit({ 'retry-after': 5 })],
    ['another error', errors.badRequest('This is not an email address.')],
  ])('The page of an error has no text that is in no catalogue: %s.', (_, error) =>
    expectTranslated([renderErrorPage(t, error).html]),
  )

  test('What a form says about a refusal has no text that is in no catalogue.', () =>
    expectTranslated([
      describeRefusal(t, errors.rateLimitHit({ 'retry-after': 5 })),
      describeRefusal(t, errors.badRequest('This is not an email address.')),
    ]))

  test('A page names its language and its direction, and its style is the one that its policy permits.', () => {
    const render = (language: string) => accountPages.renderMailedPage(textsIn(language), '')
    expect(render('en').html).toContain('<html lang="en" dir="ltr">')
    expect(render('ar').html).toContain('<html lang="ar" dir="rtl">')
    expect(render('ar').headers).toEqual(render('en').headers)
  })

  test('A page is in the language of the account, otherwise in one that the browser accepts, otherwise in that of the organization.', () => {
    const { state } = new StateBuilder({ default_language: 'fr' })
    const user = new StateBuilder().user({ settings: { default_language: 'ja' } })
    const choose = (accepted: string, known = {}) => pageTexts({ accepted, ...known }).language
    expect(choose('de', { state, user })).toBe('ja')
    expect(choose('pl, de-AT;q=0.8, es;q=0.9, ar;q=0', { state })).toBe('es')
    expect(choose('pl', { state })).toBe('fr')
    expect(choose('')).toBe('en')
    expect(parseAcceptLanguage('*, fr;q=0.5, de')).toEqual(['de', 'fr'])
  })

  test.each(Object.keys(languages))('A duration is written as a language writes it: %s.', (language) => {
    const write = (seconds: number) => formatDuration({ language }, seconds)
    expect(new Set([write(1), write(89), write(90), write(5_400)]).size).toBe(4)
  })
})

describe('Mails', () => {
  const builder = new StateBuilder({ default_language: pseudoLanguage })
  const { state } = builder
  state.realm.name = organization
  const settings = { default_language: pseudoLanguage } as const
  const owner = builder.user({ full_name: 'Ада', role: Role.owner, settings })
  const user = builder.user({ full_name: 'Грейс', settings })
  const bot = builder.user({ full_name: 'Эхо', is_bot: true, bot_owner_id: user.id })
  const invitation = { id: 1, email: 'a@b.example', invited_by: owner.id, invited_as: Role.member, expires_at: null }
  const change = { id: 1, user_id: user.id, email: 'c@d.example', key_version: 1, former_email: user.delivery_email }

  /** The subjects and texts of the mails that a job sends. @param row what the database answers */
  const mailsOf = async <Job>(handler: (job: Job) => Promise<unknown>, payload: object, row?: object) => {
    const sent: string[] = []
    const job = {
      payload: { realm_url: link, user_id: user.id, actor_id: owner.id, ...payload },
      realm: { id: 1, state },
      write: { sql: async () => (row === undefined ? [] : [row]) },
      realmUrl: () => link,
      sendMail: async ({ subject, text }: { subject: string; text: string }) => void sent.push(subject, text),
      runExternalCall: (run: () => Promise<unknown>) => run(),
    }
    await handler(job as Job)
    expect(sent).toHaveLength(2)
    return sent
  }
  const credentials = (changed: string, user_id: number) =>
    mailsOf(accountMail.credentialsMail, { user_id, changed, to: 'a@b.example', former_email: 'a@b.example' })

  test('The mails about accounts have no text that is in no catalogue.', async () => {
    const mails = [
      mailsOf(accountMail.welcomeMail, {}),
      mailsOf(accountMail.emailChangeMail, { change_id: 1 }, change),
      mailsOf(accountMail.emailChangedMail, { former_email: 'a@b.example' }),
      ...['email', 'api_key', 'credentials'].flatMap((changed) =>
        [user, bot].map(({ id }) => credentials(changed, id)),
      ),
      mailsOf(accountMail.loginMail, { client: 'Лиса', ip: '192.0.2.1', at: 0 }),
      mailsOf(accountMail.passwordResetMail, {}),
      mailsOf(accountMail.passwordChangedMail, {}),
      mailsOf(accountMail.deactivationMail, { comment: 'Прощай' }),
      mailsOf(invitationMail, { invitation_id: 1 }, invitation),
      mailsOf(joinMail, { invitation_id: 1, email: 'new@b.example' }, invitation),
      mailsOf(joinMail, { invitation_id: 1, email: user.delivery_email }, invitation),
    ]
    expectTranslated((await Promise.all(mails)).flat())
  })

  test('The mail about a log-in has its time in the time zone of the reader.', async () => {
    const { id } = builder.user({ timezone: 'Asia/Tokyo', settings: { twenty_four_hour_time: true } })
    const [, text] = await mailsOf(accountMail.loginMail, { user_id: id, client: 'x', ip: '192.0.2.1', at: 0 })
    expect(text).toContain('at 1970-01-01 09:00 GMT+9\n')
  })

  const missed = {
    language: pseudoLanguage as string,
    realm_url: link,
    timezone: '',
    twenty_four_hour_time: false,
    nameOf: () => undefined,
    realm_name: organization,
    names_realm: true,
    withheld: undefined,
    unsubscribe_url: `${link}/accounts/unsubscribe/1`,
  }
  const spoiler =
    '<div class="spoiler-block"><div class="spoiler-header"></div><div class="spoiler-content"></div></div>'
  const direct = {
    message: { sender_full_name: 'Ада', content: spoiler, timestamp: 0 },
    thread: '1',
    place: ['Ада', 'Грейс'],
    link: '#narrow/dm/1',
  }
  const topic = { ...direct, thread: '2', place: '#сад > роза' }

  test('The mails with missed messages have no text that is in no catalogue.', () => {
    for (const withheld of [undefined, 'organization', 'person'] as const) {
      for (const messages of [[direct], [topic], [direct, topic]]) {
        const { subject, text, html } = composeMissedMail({ ...missed, withheld }, messages)
        expectTranslated([subject, text, html])
      }
    }
  })

  test('The HTML part of a mail names its language and its direction.', () => {
    expect(composeMissedMail({ ...missed, language: 'ar' }, [topic]).html).toContain('<html lang="ar" dir="rtl">')
    expect(composeMissedMail({ ...missed, language: 'de' }, [topic]).html).toContain('<html lang="de" dir="ltr">')
    expect(composeMissedMail({ ...missed, language: 'xx' }, [topic]).html).toContain('<html lang="en" dir="ltr">')
  })

  test('A mail writes times in the language of its reader.', () => {
    const format = (language: string) =>
      formatTime(1_772_366_400, { language, timezone: 'Europe/Berlin', twenty_four_hour_time: true })
    expect(format('en')).toBe('2026-03-01 13:00 CET')
    expect(format('pl')).toBe(format('en'))
    expect(format('de')).toMatch(/^1\. März 2026.*13:00 MEZ$/)
    expect(format('ja')).toContain('2026年3月1日')
  })
})

describe('Notices', () => {
  let realm: TestRealm
  let ada: Person
  let grace: Person

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ада', email: 'ada@example.com', role: Role.owner },
      { full_name: 'Грейс', email: 'grace@example.com' },
    )) as [Person, Person]
    await updateRealmSettings(realm, { default_language: pseudoLanguage })
    await createChannel(ada, 'сад', [ada, grace])
    const places = { new_stream_announcements_stream_id: 1, signup_announcements_stream_id: 1 }
    await updateRealmSettings(realm, places)
    return () => realm[Symbol.asyncDispose]()
  })

  /** The topics and texts of the Notification Bot, in order. */
  const listNotices = async () => {
    await waitForJobs(realm)
    const rows = await realm.sql<{ topic: string; content: string }[]>`
      select topic, content from messages where realm_id = ${realm.realm_id} and sender_id = 1 order by id`
    return rows.map(({ topic, content }) => ({ topic, content }))
  }
  const runJobs = (jobs: readonly JobSpec[]) => withWriteContext(realm, (context) => commitEntries(context, [], jobs))

  test('The notices of jobs, and the names of their topics, have no text that is in no catalogue.', async () => {
    const actor_id = ada.user_id
    const user_id = grace.user_id
    await createChannel(ada, 'лес', [ada])
    await createChannel(ada, 'луг', [ada])
    const { user_groups } = await ok(ada, 'GET', '/user_groups', {})
    const [group_id = 0] = user_groups.map(({ id }) => id)
    const first_id = await postMessage(ada, 'сад', 'роза')
    const news = (before: object, after: object): JobSpec => ({
      kind: 'channel_news',
      payload: { actor_id, channel_id: 1, before, after },
    })
    const moved = (given: object): JobSpec => ({
      kind: 'move_notices',
      payload: {
        actor_id,
        old: { channel_id: 1, topic: 'роза' },
        new: { channel_id: 1, topic: 'мак' },
        resolves: null,
        notify: { old_thread: true, new_thread: true },
        first_id,
        count: 1,
        takes_all: false,
        into_empty: false,
        ...given,
      },
    })
    const jobs: JobSpec[] = [
      { kind: 'signup_notice', payload: { user_ids: [actor_id, user_id] } },
      { kind: 'signup_notice', payload: { user_ids: Array.from({ length: 30 }, () => user_id) } },
      { kind: 'invitation_accepted', payload: { user_id, inviter_id: actor_id } },
      { kind: 'channel_notices', payload: { actor_id, channel_ids: [2], announce: true } },
      { kind: 'channel_notices', payload: { actor_id, channel_ids: [2, 3], announce: true } },
      { kind: 'channel_notices', payload: { actor_id, channel_ids: Array(103).fill(2), announce: true } },
      { kind: 'subscription_notices', payload: { actor_id, user_channels: [{ user_id, channel_ids: [2] }] } },
      { kind: 'subscription_notices', payload: { actor_id, user_channels: [{ user_id, channel_ids: [2, 3] }] } },
      {
        kind: 'subscription_notices',
        payload: { actor_id, user_channels: [{ user_id, channel_ids: Array(101).fill(2) }] },
      },
      { kind: 'group_notices', payload: { actor_id, group_id, added: [user_id], removed: [user_id] } },
      news({ invite_only: false }, { invite_only: true }),
      news({ message_retention_days: -1 }, { message_retention_days: 5 }),
      news({ message_retention_days: null }, { message_retention_days: 1 }),
      news({ description: '' }, { description: 'Розы' }),
      news({ name: 'сад' }, { name: 'парк' }),
      news(
        { can_send_message_group: 1 },
        { can_send_message_group: { direct_members: [user_id], direct_subgroups: [2] } },
      ),
      news({ is_archived: true }, { is_archived: false }),
      news({ is_archived: false }, { is_archived: true }),
      moved({}),
      moved({ count: 3 }),
      moved({ takes_all: true, into_empty: true }),
      moved({ resolves: 'resolved' }),
    ]
    await runJobs(jobs)
    const notices = await listNotices()
    // Three channels, and some jobs with two notices each: those of moves and of the group.
    expect(notices).toHaveLength(3 + jobs.length + 4)
    const ownTopics = ['роза', 'мак', '']
    expectTranslated(notices.flatMap(({ topic, content }) => (ownTopics.includes(topic) ? content : [topic, content])))
    expect(new Set(notices.map(({ topic }) => topic))).toEqual(
      new Set([...ownTopics, t('channel events'), t('signups'), t('new channels')]),
    )
  })

  test('A notice about a resolved topic is taken back, although the organization chose another language since.', async () => {
    const resolve = (resolves: 'resolved' | 'unresolved'): JobSpec => {
      const place = { channel_id: 1, topic: 'тюльпан' }
      return {
        kind: 'move_notices',
        payload: {
          actor_id: ada.user_id,
          old: place,
          new: place,
          resolves,
          notify: { old_thread: false, new_thread: false },
          first_id: 1,
          count: 1,
          takes_all: true,
          into_empty: true,
        },
      }
    }
    const inTopic = async () => (await listNotices()).filter(({ topic }) => topic === 'тюльпан').length
    await runJobs([resolve('resolved')])
    expect(await inTopic()).toBe(1)
    await updateRealmSettings(realm, { default_language: 'de' })
    await runJobs([resolve('unresolved')])
    expect(await inTopic()).toBe(0)
    await updateRealmSettings(realm, { default_language: pseudoLanguage })
  })

  test('The owner of a bot gets one notice in five minutes about messages that reach no user.', async () => {
    const bot = await ok(ada, 'POST', '/bots', { full_name: 'Эхо', short_name: 'echo' })
    const { email } = (await ok(ada, 'GET', `/users/${bot.user_id}`, {})).user
    const robot = { ...ada, user_id: bot.user_id, email, api_key: bot.api_key }
    const send = (to: string | number) =>
      call(robot, 'POST', '/messages', { type: 'stream', to, topic: 'x', content: 'x' })
    const about = async () => (await listNotices()).filter(({ content }) => content.includes(`Эхо|${bot.user_id}`))
    expect((await send('пустыня')).status).toBe(400)
    await expect.poll(async () => (await about()).length, { timeout: 15_000 }).toBe(1)
    expect((await send(4711)).status).toBe(400)
    const sent = await about()
    expect(sent).toHaveLength(1)
    expectTranslated(sent.map(({ content }) => content))
  })

  test('Reminders and reports have no text that is in no catalogue.', () => {
    const builder = new StateBuilder({ default_language: pseudoLanguage })
    const reporter = builder.user({ full_name: 'Ада' })
    builder.channel({ name: 'сад' })
    const inChannel = { id: 7, sender_id: reporter.id, channel_id: 1, user_ids: null, topic: 'роза', content: 'Да' }
    const direct = { ...inChannel, channel_id: null, user_ids: [reporter.id], sender_id: 99 }
    for (const message of [inChannel, direct]) {
      expectTranslated([reminderText(builder.state, message), reminderText(builder.state, message, 'Да')])
      for (const reason of reportReasons) {
        const { topic, content } = composeReport(builder.state, reporter, message, reason, '')
        expectTranslated([topic, content, composeReport(builder.state, reporter, message, reason, 'Да').content])
      }
    }
    expectTranslated([listedReminderText(builder.state, undefined)])
  })

  test.each(Object.keys(languages))('A notice is found again by its text, and no other text is: %s.', (language) => {
    const texts = textsIn(language)
    const { resolved, unresolved } = resolveNotices
    const [one, two] = [resolved, unresolved].map((message) => texts(message, { user: '@_**Ада|1**' })) as [
      string,
      string,
    ]
    expect([isNotice(one, resolved, ['user']), isNotice(two, unresolved, ['user'])]).toEqual([true, true])
    expect([isNotice(two, resolved, ['user']), isNotice(`${one} Да`, resolved, ['user'])]).toEqual([false, false])
  })

  test('A mention stays a mention, whatever a language puts in front of it.', () => {
    const { state } = new StateBuilder({ default_language: 'ar' })
    expect(joinMentions(noticeTexts(state), ['@_**A|1**', '@_**B|2**'])).toBe('@_**A|1** و@_**B|2**')
    const english = noticeTexts(new StateBuilder().state)
    expect(english('x{user}', { user: '@_**A|1**' })).toBe('x @_**A|1**')
    expect(english('“{user}”', { user: '@_**A|1**' })).toBe('“@_**A|1**”')
  })
})

test('The page of an error is in the language of the account, otherwise in one that the browser accepts.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await ok(ada, 'PATCH', '/settings', { default_language: 'ar' })
  const read = async (headers: Record<string, string>, authorization?: string) => {
    const { text } = await sendRequest(Number(new URL(anyGateway()).port), {
      path: `/user_uploads/${realm.realm_id}/ab/no-such-file.txt`,
      host: realm.host,
      headers: { Accept: 'text/html', ...headers },
      ...(authorization === undefined ? {} : { authorization }),
    })
    return /<html[^>]*>/.exec(text)?.[0]
  }
  expect(await read({}, basicAuthorization(ada))).toBe('<html lang="ar" dir="rtl">')
  expect(await read({ 'Accept-Language': 'xx, fr;q=0.5' })).toBe('<html lang="fr" dir="ltr">')
  expect(await read({})).toBe('<html lang="en" dir="ltr">')
})
