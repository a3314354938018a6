/** Choosing to whom a new message goes: channels and people are found by typing. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The recipients of a message${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let grace: Person
  let linus: Person
  let plotsId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace', 'Linus')
    realm = made.realm
    let ada: Person
    ;[ada, grace, linus] = made.people as [Person, Person, Person]
    for (let i = 0; i < 12; i += 1) await createChannel(ada, `area ${i}`, [ada])
    plotsId = Number(await createChannel(ada, 'plots', [ada, grace]))
    await createChannel(grace, 'not mine', [grace])
    await postMessage(ada, plotsId, 'flowers', 'Tulips')
    // The fields stay open after a message was sent.
    await ok(ada, 'PATCH', '/settings', { web_navigate_to_sent_message: false })
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const channel = () => page.getByRole('combobox', { name: 'Channel' })
  const topic = () => page.getByRole('combobox', { name: 'Topic' })
  const people = () => page.getByRole('combobox', { name: 'Recipients' })
  const options = () => page.locator('[role=option] .suggestion-label').allInnerTexts()
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')

  test('A channel is found by typing, then its topics, and the message goes there.', async () => {
    await page.getByRole('button', { name: 'New message' }).click()
    await polled(focused).toBe('Channel')
    // The subscribed channels are offered at once.
    await polled(async () => (await options()).length).toBe(6)
    expect(await options()).not.toContain('not mine')
    await page.keyboard.type('plo')
    await polled(options).toEqual(['plots'])
    expect(await inspectPage(page, 'recipients-channel')).toEqual([])
    await page.keyboard.press('Enter')
    expect(await channel().inputValue()).toBe('#plots')
    await polled(focused).toBe('Topic')
    await page.keyboard.type('flo')
    await polled(options).toEqual(['flowers'])
    await page.keyboard.press('Enter')
    expect(await topic().inputValue()).toBe('flowers')
    await page.locator('#compose').fill('Roses')
    await page.locator('#compose').press('Control+Enter')
    await polled(() => newestOf(grace)).toMatchObject({
      stream_id: plotsId,
      subject: 'flowers',
      content: '<p>Roses</p>',
    })
  })

  test('What is typed and matches nothing leaves the channel as it was; Tab leaves a field without a change.', async () => {
    await channel().click()
    await page.keyboard.type('xylophone')
    await polled(options).toEqual([])
    await topic().focus()
    expect(await channel().inputValue()).toBe('#plots')
    await channel().focus()
    await polled(async () => (await options()).length).toBeGreaterThan(0)
    await page.keyboard.press('Tab')
    expect(await channel().inputValue()).toBe('#plots')
  })

  test('A person who is found in the field for the channel gets a direct message, with more people if they are added.', async () => {
    await channel().fill('linu')
    await page.getByRole('option', { name: 'Linus' }).click()
    await page.getByRole('button', { name: 'Remove Linus' }).waitFor()
    await polled(focused).toBe('Recipients')
    await page.keyboard.type('gra')
    await polled(options).toEqual(['Grace'])
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor()
    expect(await inspectPage(page, 'recipients-people')).toEqual([])
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor({ state: 'detached' })
    await people().fill('Grace')
    await page.keyboard.press('Enter')
    await page.locator('#compose').fill('To both')
    await page.locator('#compose').press('Control+Enter')
    for (const person of [grace, linus]) {
      await polled(() => newestOf(person)).toMatchObject({ type: 'private', content: '<p>To both</p>' })
    }
    expect((await newestOf(grace))?.display_recipient).toHaveLength(3)
  })

  test('The fields fit on a phone.', async () => {
    const phone = await pages.logIn(
      'Ada',
      await pages.newContext({ viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }),
    )
    await phone.getByRole('button', { name: 'New message' }).tap()
    await phone.getByRole('option').first().waitFor()
    expect(await inspectPage(phone, 'recipients-phone')).toEqual([])
    const box = await phone.getByRole('listbox').boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= 320 && box.y >= 0).toBe(true)
    await phone.getByRole('option', { name: 'plots' }).tap()
    await expect.poll(() => phone.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('#plots')
    await phone.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })

  const newestOf = async (person: Person) => {
    const { messages } = await ok(person, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    return messages[0]
  }
})
