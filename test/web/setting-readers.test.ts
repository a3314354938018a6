/**
 * Every setting of an account that the page reads changes what the page shows or does, at once when it is changed
 * elsewhere. test/users/setting-readers.test.ts has the other settings.
 */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultUserSettings, settingReaders, type UserSettings } from '../../src/domain/settings/user-settings.js'
import { type BusyOrganization, createBusyOrganization } from '../setup/clients/busy-organization.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateChannelRow } from '../setup/realm/row-changes.js'
import { upload } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

type Name = keyof UserSettings
type ReadByPage = { [N in Name]: (typeof settingReaders)[N] extends 'page' ? N : never }[Name]

/** The time zone of the browser, which is not that of the account. */
const zone = 'Asia/Tokyo'

/** Counts notifications and sounds of the page. */
const recorder = `{
  globalThis.popups = []
  globalThis.pitches = []
  globalThis.Notification = class {
    static permission = 'granted'
    constructor(title, { body }) { popups.push(body) }
    close() {}
  }
  const Original = OscillatorNode
  globalThis.OscillatorNode = class extends Original {
    constructor(audio, options) { super(audio, options); pitches.push(options.frequency) }
  }
}`

interface Check {
  /** the fragment of the view in which the effect is to be seen */
  at: string
  /** the other value; the first one is the default */
  to: unknown
  /** other settings that the effect needs */
  given?: Partial<UserSettings>
  /** what is to be seen with the first and with the other value */
  seen: readonly [first: unknown, other: unknown]
  /** an expression that the page evaluates, or what the test does and sees */
  look: string | (() => Promise<unknown>)
}

describe.skipIf(noBrowser !== undefined)(`Settings that the page reads${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let organization: BusyOrganization
  let pages: WebPages
  let page: Page
  /** a conversation with an emoji, a time and a reaction */
  let topic = ''
  let count = 0

  const set = (settings: object) => ok(organization.ada, 'PATCH', '/settings', { ...settings })
  const show = (fragment: string) => page.evaluate(`location.hash = ${JSON.stringify(fragment)}`)
  const fragment = () => page.evaluate<string>('location.hash')

  beforeAll(async () => {
    organization = await createBusyOrganization()
    const { realm, ada, grace, channelId, messageIds } = organization
    topic = `#narrow/channel/${channelId}-general/topic/every.20kind/near/${messageIds[0]}`
    const { channel_folder_id: folder_id } = await ok(ada, 'POST', '/channel_folders/create', { name: 'Projects' })
    await createChannel(ada, 'attic', [ada, grace])
    await updateChannelRow(realm, 'attic', { is_recently_active: false, date_created: 1_600_000_000 })
    await createChannel(ada, 'bridge', [ada, grace])
    await ok(ada, 'PATCH', `/streams/${channelId}`, { folder_id })
    const frames = ['red', 'blue'].map((background) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    )
    const data = await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toBuffer()
    const { json } = await upload(grace, '/user_uploads', { filename: 'moving.gif', type: 'image/gif', data })
    await postMessage(grace, channelId, 'pictures', `[moving.gif](${json.url})`)
    pages = await openWebPages(realm)
    const context = await pages.newContext({ timezoneId: zone, viewport: { width: 1800, height: 900 } })
    await context.addInitScript(recorder)
    page = await pages.logIn('Ada', context)
    // Browsers play sounds only after a click.
    await page.locator('#left-sidebar').click({ position: { x: 3, y: 3 } })
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await organization?.[Symbol.asyncDispose]()
  })

  /** Lets Grace write to a new topic. Returns the notifications and sounds when the page knows the message. */
  const notifiedOf = async (content: string, { isFollowed = false } = {}) => {
    const { ada, grace, channelId } = organization
    const name = `news ${++count}`
    const policy = { stream_id: channelId, topic: name, visibility_policy: 3 }
    if (isFollowed) await ok(ada, 'POST', '/user_topics', policy)
    await page.evaluate('popups.length = pitches.length = 0')
    await postMessage(grace, channelId, name, content)
    await page.locator('.inbox-link').filter({ hasText: name }).waitFor()
    return page.evaluate<{ popups: number; sounds: number }>(
      `({ popups: popups.length, sounds: Math.min(1, pitches.length) })`,
    )
  }
  const popups = (content: string, given?: { isFollowed: boolean }) => async () =>
    (await notifiedOf(content, given)).popups
  const sounds = (content: string, given?: { isFollowed: boolean }) => async () =>
    (await notifiedOf(content, given)).sounds
  const followed = { isFollowed: true }

  const badgeOf = (name: string) =>
    `[...document.querySelectorAll('#left-sidebar .sidebar-link')].find((link) => link.querySelector('.sidebar-label')
      .textContent === '${name}').querySelector('.count-badge') !== null`

  const checks: Record<ReadByPage, () => Check> = {
    web_suggest_update_timezone: () => ({
      at: '#inbox',
      to: false,
      seen: [true, false],
      look: `document.querySelector('.status-line-text')?.textContent.includes('${zone}') === true`,
    }),
    twenty_four_hour_time: () => ({
      at: topic,
      to: true,
      seen: [true, false],
      look: `/[AP]M/.test(document.querySelector('.message-heading .message-time').textContent)`,
    }),
    starred_message_counts: () => ({ at: '#inbox', to: false, seen: [true, false], look: badgeOf('Starred') }),
    fluid_layout_width: () => ({
      at: '#inbox',
      to: true,
      seen: [false, true],
      look: `document.querySelector('.chat-page').clientWidth === innerWidth`,
    }),
    high_contrast_mode: () => ({
      at: '#inbox',
      to: true,
      seen: ['rgb(29, 33, 41)', 'rgb(0, 0, 0)'],
      look: `getComputedStyle(document.body).color`,
    }),
    left_side_userlist: () => ({
      at: '#inbox',
      to: true,
      seen: [true, false],
      async look() {
        await page.setViewportSize({ width: 1000, height: 900 })
        await page.getByRole('button', { name: 'Members', exact: true }).click()
        const isRight = await page.evaluate(
          `document.querySelector('#members').getBoundingClientRect().left > innerWidth / 2 &&
            document.querySelector('.app-bar-tools [aria-controls="members"]') !== null`,
        )
        await page.getByRole('button', { name: 'Close the panel' }).click({ position: { x: 500, y: 450 } })
        await page.setViewportSize({ width: 1800, height: 900 })
        return isRight
      },
    }),
    enter_sends: () => ({
      at: `#narrow/channel/${organization.channelId}-general/topic/pictures`,
      to: true,
      seen: ['a line\n', ''],
      async look() {
        await page.locator('#compose').fill('a line')
        await page.locator('#compose').press('Enter')
        return page.locator('#compose').inputValue()
      },
    }),
    display_emoji_reaction_users: () => ({
      at: topic,
      to: false,
      seen: ['You', '1'],
      look: `document.querySelector('.reaction-button :is(.reaction-users, .reaction-count)')?.textContent`,
    }),
    color_scheme: () => ({
      at: '#inbox',
      to: 2,
      seen: ['rgb(255, 255, 255)', 'rgb(21, 23, 28)'],
      look: `getComputedStyle(document.documentElement).backgroundColor`,
    }),
    web_font_size_px: () => ({
      at: topic,
      to: 20,
      seen: ['15px', '18.75px'],
      look: `getComputedStyle(document.querySelector('article .rendered-message')).fontSize`,
    }),
    web_line_height_percent: () => ({
      at: topic,
      to: 200,
      seen: ['21px', '30px'],
      look: `getComputedStyle(document.querySelector('article .rendered-message p')).lineHeight`,
    }),
    web_home_view: () => ({
      at: '#drafts',
      to: 'all_messages',
      seen: ['#inbox', '#feed'],
      look: `document.querySelector('.app-bar-brand').getAttribute('href')`,
    }),
    web_escape_navigates_to_home_view: () => ({
      at: '#drafts',
      to: false,
      seen: ['#inbox', '#drafts'],
      async look() {
        await show('#drafts')
        await page.locator('body').press('Escape')
        return fragment()
      },
    }),
    web_channel_default_view: () => ({
      at: '#inbox',
      to: 3,
      seen: ['narrow', 'topics'],
      async look() {
        await show('#inbox')
        await page.locator('#left-sidebar').getByRole('link', { name: 'general' }).first().click()
        await expect.poll(fragment, { timeout: PATIENCE_MS }).toContain('general')
        const [, name] = /^#(narrow|topics)\/channel\/\d+-general/.exec(await fragment()) ?? []
        return name
      },
    }),
    web_mark_read_on_scroll_policy: () => ({
      at: '#inbox',
      to: 3,
      seen: [false, true],
      async look() {
        const { grace, channelId } = organization
        const read = `read-${++count}-`
        await postMessage(grace, channelId, read, 'Read me')
        await show(`#narrow/channel/${channelId}-general/topic/${read}`)
        const unread = page.locator('.message-unread').filter({ hasText: 'Read me' })
        await page.getByRole('article').filter({ hasText: 'Read me' }).waitFor()
        // What the page marks as read, it marks within a second (COLLECT_MS of messages/reading.ts).
        return unread.waitFor({ state: 'detached', timeout: 3_000 }).then(
          () => false,
          () => true,
        )
      },
    }),
    web_navigate_to_sent_message: () => ({
      at: '#narrow/is/starred',
      to: false,
      seen: [true, false],
      async look() {
        await show('#narrow/is/starred')
        const message = page.getByRole('article').first()
        await message.locator('.message-body').click({ position: { x: 5, y: 5 } })
        await page.keyboard.press('r')
        await page.locator('#compose').fill('An answer')
        await page.locator('#compose').press('Control+Enter')
        return (await fragment()).includes('/topic/')
      },
    }),
    web_animate_image_previews: () => ({
      at: `#narrow/channel/${organization.channelId}-general/topic/pictures`,
      to: 'always',
      seen: [false, true],
      look: `document.querySelector('img[data-animated]')?.getAttribute('src').endsWith('-anim.webp')`,
    }),
    web_stream_unreads_count_display_policy: () => ({
      at: '#inbox',
      to: 3,
      seen: [true, false],
      look: badgeOf('plans'),
    }),
    web_left_sidebar_unreads_count_summary: () => ({
      at: '#drafts',
      to: false,
      seen: [true, false],
      look: badgeOf('Inbox'),
    }),
    web_left_sidebar_show_channel_folders: () => ({
      at: '#inbox',
      to: false,
      seen: [true, false],
      look: `[...document.querySelectorAll('.sidebar-heading')].some((heading) => heading.textContent.includes('Projects'))`,
    }),
    web_inbox_show_channel_folders: () => ({
      at: '#inbox',
      to: false,
      seen: [['Projects', 'Other channels'], []],
      look: `[...document.querySelectorAll('.inbox-folder-name')].map((folder) => folder.textContent)`,
    }),
    emojiset: () => ({
      at: topic,
      to: 'text',
      seen: [
        ['🐙', '🎉'],
        [':octopus:', ':tada:'],
      ],
      look: `[...document.querySelectorAll('.rendered-message span.emoji, .reaction-button > :first-child')].slice(0, 2)
        .map((emoji) => emoji.textContent)`,
    }),
    user_list_style: () => ({
      at: '#inbox',
      to: 1,
      seen: [
        [true, true],
        [false, false],
      ],
      look: `['.avatar', '.member-status'].map((part) => document.querySelector('.member-line ' + part) !== null)`,
    }),
    demote_inactive_streams: () => ({
      at: '#inbox',
      to: 2,
      seen: [true, false],
      look: `(([...names]) => names.indexOf('attic') < names.indexOf('bridge'))([...document.querySelectorAll(
        '.sidebar-channel .sidebar-label')].map((label) => label.textContent))`,
    }),
    enable_desktop_notifications: () => ({ at: '#inbox', to: false, seen: [1, 0], look: popups('@**Ada**') }),
    enable_stream_desktop_notifications: () => ({ at: '#inbox', to: true, seen: [0, 1], look: popups('News') }),
    enable_followed_topic_desktop_notifications: () => ({
      at: '#inbox',
      to: false,
      seen: [1, 0],
      look: popups('News', followed),
    }),
    wildcard_mentions_notify: () => ({ at: '#inbox', to: false, seen: [1, 0], look: popups('@**all**') }),
    enable_followed_topic_wildcard_mentions_notify: () => ({
      at: '#inbox',
      given: { wildcard_mentions_notify: false, enable_followed_topic_desktop_notifications: false },
      to: false,
      seen: [1, 0],
      look: popups('@**all**', followed),
    }),
    enable_sounds: () => ({ at: '#inbox', to: false, seen: [1, 0], look: sounds('@**Ada**') }),
    enable_stream_audible_notifications: () => ({ at: '#inbox', to: true, seen: [0, 1], look: sounds('News') }),
    enable_followed_topic_audible_notifications: () => ({
      at: '#inbox',
      to: false,
      seen: [1, 0],
      look: sounds('News', followed),
    }),
    notification_sound: () => ({
      at: '#inbox',
      to: 'ding',
      seen: [784, 1318.5],
      async look() {
        await notifiedOf('@**Ada**')
        return page.evaluate('pitches[0]')
      },
    }),
    pm_content_in_desktop_notifications: () => ({
      at: '#inbox',
      to: false,
      seen: ['A secret', 'New direct message'],
      async look() {
        await page.evaluate('popups.length = 0')
        await sendDirectMessage(organization.grace, [organization.ada], 'A secret')
        await expect.poll(() => page.evaluate('popups.length'), { timeout: PATIENCE_MS }).toBe(1)
        return page.evaluate('popups[0]')
      },
    }),
    desktop_icon_count_display: () => ({
      at: '#inbox',
      to: 4,
      seen: [true, false],
      look: `document.title.startsWith('(')`,
    }),
    default_language: () => ({ at: '#inbox', to: 'ar', seen: ['ltr', 'rtl'], look: `document.documentElement.dir` }),
  }

  test('Each of them has a check of its effect here.', () => {
    const read = (Object.keys(settingReaders) as Name[]).filter((name) => settingReaders[name] === 'page')
    expect(Object.keys(checks).sort()).toEqual(read.sort())
  })

  test.each(Object.entries(checks))('%s changes the page.', async (name, check) => {
    const { at, to, given = {}, seen, look } = check()
    const see = () =>
      typeof look === 'string'
        ? page.evaluate(`(() => { try { return ${look} } catch { return 'nothing' } })()`)
        : look()
    const first = defaultUserSettings[name as Name]
    await set({ ...neverFollowing, ...given, [name]: first })
    await show(at)
    await expect.poll(see, { timeout: PATIENCE_MS }).toEqual(seen[0])
    expect(await set({ [name]: to })).not.toHaveProperty('ignored_parameters_unsupported')
    await expect.poll(see, { timeout: PATIENCE_MS }).toEqual(seen[1])
    const others = Object.keys(given).map((other) => [other, defaultUserSettings[other as Name]])
    await set({ ...Object.fromEntries(others), [name]: first })
    // Another language loads the page again, during which the next test cannot use it.
    if (name === 'default_language') await expect.poll(see, { timeout: PATIENCE_MS }).toEqual(seen[0])
  })

  test('A channel opens with its top topic, its top unread topic or all its messages, as the user chose.', async () => {
    const { ada, grace, channelId } = organization
    const [unread, newest] = [`unread-${++count}-`, `newest-${++count}-`]
    await postMessage(grace, channelId, unread)
    const id = await postMessage(grace, channelId, newest)
    await ok(ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    const openAs = async (value: number, expected: string) => {
      await set({ web_channel_default_view: value })
      // Until the page knows the setting. What a click opens is awaited: a second click would find the topic read.
      const open = async () => {
        await show('#inbox')
        await page.locator('#left-sidebar').getByRole('link', { name: 'general' }).first().click()
        await expect.poll(fragment, { timeout: PATIENCE_MS }).toMatch(/^#(narrow|topics)/)
        return (await fragment()).replace(/^#narrow\/channel\/\d+-general/, '')
      }
      await expect.poll(open, { timeout: PATIENCE_MS }).toBe(expected)
    }
    await openAs(1, `/topic/${newest}`)
    await openAs(4, `/topic/${unread}`)
    await openAs(2, '')
    await openAs(3, `#topics/channel/${channelId}-general`)
    await page.getByRole('searchbox', { name: 'Find a topic' }).fill(newest)
    await expect.poll(() => page.locator('.place-row').count(), { timeout: PATIENCE_MS }).toBe(1)
    await page.locator('.place-row').getByRole('link').click()
    await expect.poll(fragment).toContain(`/topic/${newest}`)
    await set({ web_channel_default_view: 1 })
  })

  test('The text of a direct message is hidden as soon as the page has the setting, also before it is drawn.', async () => {
    const { ada, grace } = organization
    const notified = () => page.evaluate('popups')
    await set({ ...neverFollowing, pm_content_in_desktop_notifications: true })
    await page.evaluate('popups.length = 0')
    await sendDirectMessage(grace, [ada], 'To be seen')
    await expect.poll(notified, { timeout: PATIENCE_MS }).toEqual(['To be seen'])
    // A page that is busy draws later than it receives.
    await page.evaluate('popups.length = 0; globalThis.requestAnimationFrame = () => 0')
    await set({ pm_content_in_desktop_notifications: false })
    await sendDirectMessage(grace, [ada], 'A secret')
    await expect.poll(notified, { timeout: PATIENCE_MS }).toEqual(['New direct message'])
    await set({ pm_content_in_desktop_notifications: true })
    await page.reload()
    await page.locator('#left-sidebar').waitFor()
  })

  test('The suggested time zone becomes that of the profile with one click.', async () => {
    await show('#inbox')
    const button = page.getByRole('button', { name: `Use ${zone}` })
    await button.click()
    await button.waitFor({ state: 'detached' })
    const timeZone = async () => (await ok(organization.ada, 'GET', `/users/${organization.ada.user_id}`)).user.timezone
    await expect.poll(timeZone, { timeout: PATIENCE_MS }).toBe(zone)
  })

  test('The theme is that of the account before the page is drawn, and stays in the log-in view.', async () => {
    const theme = () => page.evaluate('document.documentElement.dataset.theme ?? null')
    await ok(organization.ada, 'POST', '/zcommand', { command: '/night' })
    await expect.poll(theme, { timeout: PATIENCE_MS }).toBe('dark')
    // Without the scripts of the page itself, only what runs before it is drawn can set the theme.
    await page.route(/\/assets\/(?!first-theme).*\.js/, (route) => route.abort())
    await page.reload({ waitUntil: 'domcontentloaded' })
    expect([await theme(), await page.locator('#app').innerHTML()]).toEqual(['dark', ''])
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Read without an account' }).waitFor()
    expect(await theme()).toBe('dark')
  })

  test('A visitor has the theme of the organization, and can choose another one in the browser.', async () => {
    await ok(organization.ada, 'PATCH', '/realm/user_settings_defaults', { color_scheme: 2 })
    const visitor = await pages.newPage()
    const theme = () => visitor.evaluate('document.documentElement.dataset.theme ?? null')
    await visitor.goto(pages.url)
    await visitor.getByRole('button', { name: 'Read without an account' }).click()
    await expect.poll(theme, { timeout: PATIENCE_MS }).toBe('dark')
    await visitor.getByRole('button', { name: 'Switch between light and dark' }).click()
    await expect.poll(theme).toBe('light')
    await visitor.reload()
    await visitor.getByRole('button', { name: 'Read without an account' }).click()
    await visitor.locator('#left-sidebar').waitFor()
    expect(await theme()).toBe('light')
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
