/** What the settings of an organization that only the page reads change in it, at once and for others. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { type RealmSettings, realmSettingReaders } from '../../src/domain/settings/realm-settings.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { changedSettingValues } from '../setup/realm/setting-values.js'
import { redPixel, upload } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import {
  closeDialog,
  inspectPage,
  openDialog,
  openWebPages,
  PATIENCE_MS,
  says,
  type WebPages,
} from '../setup/web/web-pages.js'

const names = Object.keys(realmSettingReaders) as (keyof RealmSettings)[]
const readByPage = names.filter((name) => realmSettingReaders[name] === 'page')

describe.skipIf(noBrowser !== undefined)(`Settings that the page reads${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let guest: Person
  let page: Page
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, guest] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Gustav', role: Role.guest, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    channelId = await createChannel(ada, 'plans', [ada, guest])
    await postMessage(guest, channelId, 'visit', 'I am here')
    await postMessage(ada, channelId, 'visit', 'Welcome, @**Gustav**')
    await sendDirectMessage(guest, [ada], 'Hello Ada')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const box = () => page.locator('#compose')
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true })
  const openTopic = async () => {
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/visit`)
    await page.locator('article').filter({ hasText: 'I am here' }).waitFor()
  }
  const openDirect = async () => {
    await page.goto(`${pages.url}/#narrow/dm/${guest.user_id}`)
    await page.locator('article').filter({ hasText: 'Hello Ada' }).waitFor()
  }

  /** The address in the link to a call that the button writes. */
  const callAddress = async (button = 'Video call'): Promise<string | undefined> => {
    await box().fill('')
    await tool(button).click()
    await polled(() => box().inputValue()).toContain('](')
    const text = await box().inputValue()
    await box().fill('')
    return /^\[Join (?:video|voice) call\.\]\((.*)\) $/.exec(text)?.[1]
  }

  /** Everywhere on the page where the name of the guest stands. */
  const namesOfGuest = async (): Promise<Record<string, string>> => {
    const text = async (selector: string) => (await page.locator(selector).first().textContent()) ?? ''
    await openTopic()
    const seen: Record<string, string> = {
      sender: await text(`.message-heading [data-user-id="${guest.user_id}"]`),
      mention: await text(`.user-mention[data-user-id="${guest.user_id}"]`),
      member: await text(`#members a[href="#user/${guest.user_id}"] .sidebar-label`),
      sidebar: await text('#left-sidebar li:has-text("Gustav") .sidebar-label'),
    }
    await box().fill('@gus')
    await page.getByRole('option', { name: 'Gustav' }).waitFor()
    seen.suggestion = await text('[role=option] .suggestion-label')
    await box().fill('')
    await openDialog(page, `#user/${guest.user_id}`)
    seen.card = (await page.getByRole('dialog').getByRole('heading').first().textContent()) ?? ''
    await closeDialog(page)
    await openDirect()
    seen.heading = await text('.view-title')
    return seen
  }

  /** What the page shows of each setting. */
  const looks: { readonly [N in keyof RealmSettings]?: () => Promise<unknown> } = {
    enable_guest_user_indicator: namesOfGuest,
    enable_guest_user_dm_warning: async () => {
      await openDirect()
      return page.getByText('Gustav is a guest in this organization.').count()
    },
    video_chat_provider: async () => {
      await openTopic()
      return [await tool('Video call').count(), await tool('Voice call').count()]
    },
    jitsi_server_url: async () => {
      await openTopic()
      return new URL((await callAddress()) ?? '').origin
    },
  }

  test.each(readByPage)('%s changes the page at once.', async (name) => {
    const look = looks[name]
    if (look === undefined) throw new Error(`No look shows what ${name} changes: add one, or declare its reader none.`)
    const before = await look()
    const value = (changedSettingValues as Partial<Record<string, unknown>>)[name]
    await ok(ada, 'PATCH', '/realm', { [name]: value })
    await polled(look).not.toEqual(before)
    // The default again, for the next setting.
    const initial = { jitsi_server_url: 'default', video_chat_provider: 1 }[name as string] ?? true
    await ok(ada, 'PATCH', '/realm', { [name]: initial })
    await polled(look).toEqual(before)
  })

  test('The mark of guests is behind their names everywhere, and a quotation has none.', async () => {
    for (const [place, name] of Object.entries(await namesOfGuest())) {
      expect([place, name]).toEqual([place, expect.stringContaining('Gustav (guest)')])
    }
    await openTopic()
    expect(await inspectPage(page, 'guest-names')).toEqual([])
    const article = page.locator('article').filter({ hasText: 'I am here' })
    await article.focus()
    await page.keyboard.press('>')
    await polled(() => box().inputValue()).toContain(`@_**Gustav|${guest.user_id}**`)
    await box().fill('')
  })

  test('The warning before a direct message to a guest can be closed, and stands for other guests again.', async () => {
    const warning = page.getByText('Gustav is a guest in this organization.')
    await openDirect()
    await warning.waitFor()
    expect(await inspectPage(page, 'guest-warning')).toEqual([])
    const close = page.getByRole('button', { name: 'Close the warning' })
    await close.focus()
    await page.keyboard.press('Enter')
    await warning.waitFor({ state: 'detached' })
    const [mary] = (await realm.people({ full_name: 'Mary', role: Role.guest })) as [Person]
    await page.goto(`${pages.url}/#narrow/dm/${[guest.user_id, mary.user_id].join(',')}`)
    await page.getByText('Gustav and Mary are guests in this organization.').waitFor()
  })

  test('An owner chooses the server of calls, and links to calls lead there.', async () => {
    await openDialog(page, '#organization/organization-settings')
    const calls = page.getByRole('region', { name: 'Calls' })
    const provider = calls.getByRole('combobox', { name: 'Video and voice calls' })
    await calls.getByLabel('Address of the Jitsi server').fill('https://calls.example.com/rooms/')
    await calls.getByRole('button', { name: 'Save the address' }).click()
    await says(page, 'Saved.')
    expect(await inspectPage(page, 'call-settings')).toEqual([])
    await closeDialog(page)
    await openTopic()
    const video = await callAddress()
    expect(video).toMatch(/^https:\/\/calls\.example\.com\/rooms\/[0-9a-f]{24}#config\.startWithVideoMuted=false$/)
    expect(await callAddress('Voice call')).toMatch(/#config\.startWithVideoMuted=true$/)
    expect(await callAddress()).not.toBe(video)
    expect(await inspectPage(page, 'call-buttons')).toEqual([])
    await box().fill('Now:')
    await tool('Voice call').click()
    await box().press('Control+Enter')
    const link = page.locator('article').getByRole('link', { name: 'Join voice call.' })
    await polled(() => link.getAttribute('href')).toMatch(/^https:\/\/calls\.example\.com\/rooms\//)
    await openDialog(page, '#organization/organization-settings')
    await provider.selectOption({ label: 'None' })
    await calls.getByLabel('Address of the Jitsi server').waitFor({ state: 'detached' })
    await closeDialog(page)
    await tool('Video call').waitFor({ state: 'detached' })
  })
  test('A logo takes the place of the icon and the name, and the dark theme has its own.', async () => {
    const shown = () => page.locator('.app-bar-brand img:visible').evaluateAll((all) => all.map((one) => one.className))
    const brand = page.locator('.app-bar-brand')
    await upload(ada, '/realm/logo?night=false', { filename: 'day.png', data: redPixel })
    await polled(shown).toEqual(['logo-by-day'])
    const { realm_name } = await ok(ada, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(await brand.getByRole('img').getAttribute('alt')).toBe(realm_name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await polled(shown).toEqual(['logo-by-night'])
    const address = () => brand.locator('img:visible').getAttribute('src')
    // Until there is one for the dark theme, it shows the other one.
    expect(await address()).toContain('/logo.png')
    await upload(ada, '/realm/logo?night=true', { filename: 'night.png', data: redPixel })
    await polled(address).toContain('/night_logo.png')
    expect(await inspectPage(page, 'logo')).toEqual([])
    await ok(ada, 'DELETE', '/realm/logo', { night: false })
    await ok(ada, 'DELETE', '/realm/logo', { night: true })
    await brand.getByText(realm_name ?? '').waitFor()
    expect(await shown()).toEqual([''])
    await page.emulateMedia({ colorScheme: 'light' })
    expect(pages.problems).toEqual([])
  })
})
