/** Pages that show messages of which no events tell: visitors' pages, and channels without a subscription. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Visitors in a browser${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people({ full_name: 'Ada', role: Role.owner }, { full_name: 'Grace' })
    ada = people[0] as Person
    await updateRealmSettings(realm, { enable_spectator_access: true, send_channel_events_messages: false })
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const createChannel = async (name: string, is_web_public: boolean): Promise<number> =>
    (await ok(ada, 'POST', '/channels/create', { name, subscribers: [ada.user_id], is_web_public })).id

  const post = async (to: number, topic: string, content: string): Promise<number> =>
    (await ok(ada, 'POST', '/messages', { type: 'channel', to, topic, content })).id

  test('A visitor sees new messages, edits and new topics without loading the page again.', async () => {
    const id = await createChannel('square', true)
    const firstId = await post(id, 'welcome', 'Good morning')
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Read without an account' }).click()
    // A message that announces the channel has a link to it too.
    await page.getByRole('navigation').getByRole('link', { name: 'square' }).click()
    await page.locator('article').filter({ hasText: 'Good morning' }).waitFor()
    page.setDefaultTimeout(30_000)
    await post(id, 'weather', 'It rains')
    await ok(ada, 'PATCH', `/messages/${firstId}`, { content: 'Good evening' })
    await page.locator('article').filter({ hasText: 'It rains' }).waitFor()
    await page.locator('article').filter({ hasText: 'Good evening' }).waitFor()
    await page.getByRole('link', { name: 'weather' }).first().waitFor()
    expect(await inspectPage(page, 'visitor')).toEqual([])
    await page.context().close()
  })

  test('A user sees new messages of a channel to which they are not subscribed.', async () => {
    const id = await createChannel('museum', false)
    await post(id, 'opening', 'At nine')
    const page = await pages.logIn('Grace')
    await page.goto(`${pages.url}/#narrow/channel/${id}-museum`)
    await page.locator('article').filter({ hasText: 'At nine' }).waitFor()
    page.setDefaultTimeout(30_000)
    await post(id, 'opening', 'Make it ten')
    await page.locator('article').filter({ hasText: 'Make it ten' }).waitFor()
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
