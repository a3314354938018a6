/** The first steps of an owner and of a new user, and the dialog of apps, in real browsers. */
import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { redPixel, upload } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { closeDialog, inspectPage, openWebPages, says, type WebPages } from '../setup/web/web-pages.js'

/** What a camera reads that knows only dark squares on a light ground. */
const readCode = (pixels: Uint8ClampedArray, width: number, height: number) =>
  jsQR.default(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data

const secondsNow = () => Math.floor(Date.now() / 1000)

describe.skipIf(noBrowser !== undefined)(`The first use in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let olga: Person
  let olgaPage: Page
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    pages = await openWebPages(realm)
    const owner = { full_name: 'Olga', role: Role.owner, date_joined: secondsNow(), settings: neverFollowing }
    olga = (await realm.people(owner))[0] as Person
    olgaPage = await pages.logIn('Olga')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const listOf = (page: Page) => page.getByRole('region', { name: 'First steps' })
  const isDone = (page: Page, step: string) =>
    listOf(page)
      .getByRole('link', { name: `Done: ${step}` })
      .waitFor()
  /** Looks at the list on two screens, in light and dark. */
  const inspectList = async (page: Page, name: string) => {
    for (const [look, width, colorScheme] of [
      ['light', 1280, 'light'],
      ['dark', 1280, 'dark'],
      ['phone', 390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      expect(await inspectPage(page, `${name}-${look}`)).toEqual([])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('The owner of a new organization is led through what it needs, and each step is done when that is there.', async () => {
    const list = listOf(olgaPage)
    await list.getByText('0 of 5 steps done').waitFor()
    await inspectList(olgaPage, 'first-steps-owner')
    await list.getByRole('link', { name: 'Say what your organization is' }).press('Enter')
    await olgaPage.getByLabel('Description').fill('We watch the sky.')
    await olgaPage.getByRole('button', { name: 'Save' }).click()
    await says(olgaPage, 'Saved.')
    await closeDialog(olgaPage)
    await isDone(olgaPage, 'Say what your organization is')
    await upload(olga, '/realm/icon', { filename: 'icon.png', data: redPixel })
    await isDone(olgaPage, 'Give it an icon')
    const subscriptions = [{ name: 'observatory' }]
    await ok(olga, 'POST', '/users/me/subscriptions', { subscriptions })
    channelId = (await ok(olga, 'GET', '/get_stream_id', { stream: 'observatory' })).stream_id
    await isDone(olgaPage, 'Set up channels')
    await ok(olga, 'POST', '/invites/multiuse', { invite_as: 400, stream_ids: [] })
    await isDone(olgaPage, 'Bring people in')
    await list.getByText('4 of 5 steps done').waitFor()
  })

  test('The dialog of apps has a code from which a camera reads the address of the organization.', async () => {
    await listOf(olgaPage).getByRole('link', { name: 'Get the app for phones' }).click()
    await olgaPage.getByRole('dialog', { name: 'Apps for phones' }).waitFor()
    const address = await olgaPage.getByLabel('Address of the organization').inputValue()
    const settings = await olgaPage.request.get(`${pages.url}/api/v1/server_settings`)
    expect(address).toBe((await settings.json()).realm_url)
    await olgaPage.emulateMedia({ colorScheme: 'dark' })
    expect(await inspectPage(olgaPage, 'apps-dark')).toEqual([])
    const picture = await olgaPage.getByRole('img', { name: /^A code with the address/ }).screenshot()
    const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(readCode(new Uint8ClampedArray(data), info.width, info.height)).toBe(address)
    await olgaPage.emulateMedia({ colorScheme: 'light' })
    await closeDialog(olgaPage)
    await listOf(olgaPage).getByText('All steps are done.').waitFor()
  })

  test('A list that is dismissed in one browser leaves the others, and does not come back.', async () => {
    const other = await pages.logIn('Olga')
    await listOf(other).waitFor()
    await listOf(olgaPage).getByRole('button', { name: 'Do not show this again' }).press('Enter')
    for (const page of [olgaPage, other]) await listOf(page).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByText('You have read everything').waitFor()
    expect(await listOf(other).count()).toBe(0)
    await other.context().close()
  })

  test('A new user says hello, adds a picture, chooses what notifies them and joins a group of channels.', async () => {
    await ok(olga, 'POST', '/channels/create', { name: 'sky', subscribers: [olga.user_id] })
    const group = { group_name: 'Nature', description: 'Outside', stream_names: ['sky'] }
    await ok(olga, 'POST', '/default_stream_groups/create', group)
    const [nina] = (await realm.people(
      { full_name: 'Nina', date_joined: secondsNow(), settings: neverFollowing },
      { full_name: 'Oldrich', date_joined: secondsNow() - 40 * 86_400 },
    )) as [Person]
    await ok(olga, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'observatory' }],
      principals: [nina.user_id],
    })
    const context = await pages.newContext()
    const page = await pages.logIn('Nina', context)
    const list = listOf(page)
    await list.getByText('0 of 4 steps done').waitFor()
    await inspectList(page, 'first-steps-user')
    await list.getByRole('button', { name: 'Join Nature' }).press('Enter')
    await says(page, 'You joined the channels of Nature.')
    await page.getByRole('navigation').getByRole('link', { name: 'sky' }).waitFor()
    expect(await list.getByRole('button', { name: 'Join Nature' }).count()).toBe(0)
    await ok(nina, 'POST', '/messages', { type: 'stream', to: channelId, topic: 'hello', content: 'Hello!' })
    await isDone(page, 'Say hello')
    await upload(nina, '/users/me/avatar', { filename: 'nina.png', data: redPixel })
    await isDone(page, 'Add your picture')
    await context.grantPermissions(['notifications'], { origin: pages.url })
    await isDone(page, 'Choose what notifies you')
    // What was done is found out again when the page is loaded again.
    await page.reload()
    await list.getByText('3 of 4 steps done').waitFor()
    await list.getByRole('link', { name: 'Say hello' }).click()
    await page.getByRole('heading', { name: 'observatory' }).first().waitFor()
    await context.close()
  })

  test('A user who has been here for longer sees no first steps.', async () => {
    const page = await pages.logIn('Oldrich')
    await page.getByText('You have read everything').waitFor()
    expect(await listOf(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Account of Oldrich' }).click()
    await page.getByRole('button', { name: 'Apps for phones' }).click()
    await page.getByRole('dialog', { name: 'Apps for phones' }).waitFor()
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
