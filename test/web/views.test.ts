/**
 * Every view and dialog of the page on four screens: a picture of each is kept, axe finds nothing, nothing is wider
 * than the screen, and the console is quiet.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser } from '../setup/browser.js'
import { type BusyOrganization, createBusyOrganization } from '../setup/busy-organization.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web-pages.js'

interface Look {
  name: string
  options: BrowserContextOptions
}

/** A laptop in light and dark, a phone, and a laptop whose page is zoomed to 200 %. */
const looks: readonly Look[] = [
  { name: 'light', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
  { name: 'dark', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } },
  {
    name: 'phone',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  },
  { name: 'zoomed', options: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 } },
]

describe.skipIf(noBrowser !== undefined)(`The views of the page${noBrowser ?? ''}`, { timeout: 180_000 }, () => {
  let organization: BusyOrganization
  let pages: WebPages

  beforeAll(async () => {
    organization = await createBusyOrganization()
    pages = await openWebPages(organization.realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await organization?.[Symbol.asyncDispose]()
  })

  /** The addresses, by the names of their pictures. */
  const addresses = (): Record<string, string> => {
    const { channelId, groupId, messageIds, grace, ada } = organization
    const channel = `#narrow/channel/${channelId}-general`
    return {
      inbox: '#inbox',
      recent: '#recent',
      feed: '#feed',
      channel,
      topic: `${channel}/topic/every.20kind`,
      message: `${channel}/topic/every.20kind/near/${messageIds[3]}`,
      'resolved-topic': `${channel}/topic/.E2.9C.94.20an.20old.20question`,
      'empty-topic': `${channel}/topic/nothing.20here`,
      direct: `#narrow/dm/${grace.user_id}-Grace`,
      mentions: '#narrow/is/mentioned',
      starred: '#narrow/is/starred',
      search: '#narrow/search/plants',
      'search-without-result': '#narrow/search/xylophone',
      drafts: '#drafts',
      scheduled: '#scheduled',
      reminders: '#reminders',
      unknown: '#there-is-no-such-place',
      'settings-profile': '#settings/profile',
      'settings-account': '#settings/account-and-privacy',
      'settings-notifications': '#settings/notifications',
      'settings-display': '#settings/preferences',
      'settings-browsers': '#settings/sessions',
      'settings-bots': '#settings/your-bots',
      channels: '#channels/all',
      'channel-new': '#channels/new',
      'channel-personal': `#channels/${channelId}/settings/personal`,
      'channel-about': `#channels/${channelId}/settings/general`,
      'channel-subscribers': `#channels/${channelId}/settings/subscribers`,
      'channel-administration': `#channels/${channelId}/settings/administration`,
      'channel-permissions': `#channels/${channelId}/settings/permissions`,
      groups: '#groups/all',
      'group-new': '#groups/new',
      'group-about': `#groups/${groupId}/gardeners/general`,
      'group-members': `#groups/${groupId}/gardeners/members`,
      'group-permissions': `#groups/${groupId}/gardeners/permissions`,
      'own-card': `#user/${ada.user_id}`,
      card: `#user/${grace.user_id}`,
      about: '#about',
      invite: '#invite/mail',
      'invite-link': '#invite/link',
      'invite-open': '#invite/open',
      shortcuts: '#keyboard-shortcuts',
      'organization-profile': '#organization/organization-profile',
      'organization-settings': '#organization/organization-settings',
      'organization-permissions': '#organization/organization-permissions',
      users: '#organization/users',
      emoji: '#organization/emoji-settings',
      'profile-fields': '#organization/profile-field-settings',
      folders: '#organization/channel-folders',
      linkifiers: '#organization/linkifier-settings',
    }
  }

  test.each(looks)('On the $name screen, every view is accessible and fits.', async ({ name, options }) => {
    const context = await pages.newContext(options)
    const page = await pages.logIn('Ada', context)
    const found: Record<string, string[]> = {}
    for (const [view, fragment] of Object.entries(addresses())) {
      await page.goto(`${pages.url}/${fragment}`)
      await settle(page)
      const violations = await inspectPage(page, `view-${view}-${name}`)
      const tooWide = await widerThanScreen(page)
      if (violations.length + tooWide.length > 0) found[view] = [...violations, ...tooWide]
    }
    await context.close()
    expect(found).toEqual({})
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})

/** Waits until the view has its content: nothing is loading, and all pictures in sight have arrived. */
const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  const isLoading = () =>
    page.evaluate(
      `/Loading…|Opening…/.test(document.body.innerText) || [...document.images].some((image) =>
        !image.complete && image.getBoundingClientRect().top < innerHeight)`,
    )
  await expect.poll(isLoading, { timeout: PATIENCE_MS }).toBe(false)
}

/** What is not reachable without scrolling the page sideways. */
const widerThanScreen = async (page: Page): Promise<string[]> =>
  (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
    ? ['The page is wider than the screen.']
    : []
