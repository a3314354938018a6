/** Around messages in a real browser: their pictures, keyboard shortcuts, statuses beside names, and sounds. */
import type { Browser, Page, Response } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shortcutTable } from '../../web/src/ui/shortcut-table.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { redPixel, upload } from '../setup/requests/files.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage, type WebPage } from '../setup/web/web-page.js'

/** Counts the tones that the page plays; the browser plays them. */
const countTones = `{
  globalThis.tones = 0
  const { start } = AudioScheduledSourceNode.prototype
  AudioScheduledSourceNode.prototype.start = function (...given) { tones += 1; return start.apply(this, given) }
}`

describe.skipIf(noBrowser !== undefined)(`Around messages${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let web: WebPage
  let page: Page

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    browser = (await openBrowser()) as Browser
    await postMessage(
      grace,
      channelId,
      'spring',
      `Two pictures: ${await uploadPicture('one')} ${await uploadPicture('two')}`,
    )
    await postMessage(grace, channelId, 'spring', `\`\`\`spoiler Secret\n${await uploadPicture('hidden')}\n\`\`\``)
    await postMessage(grace, channelId, 'spring', `A third: ${await uploadPicture('three')}`)
    web = await openWebPage(browser, realm, ada, { fragment: topic(), script: countTones })
    page = web.page
    await article('A third').waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const topic = () => `#narrow/channel/${channelId}-plans/topic/spring`
  const article = (text: string) => page.locator('article').filter({ hasText: text }).last()
  const dialog = (name?: string) => page.getByRole('dialog', name === undefined ? {} : { name })

  /** Uploads a picture as Grace. @returns its Markdown */
  const uploadPicture = async (name: string): Promise<string> => {
    const { json } = await upload(grace, '/user_uploads', {
      filename: `${name}.png`,
      type: 'image/png',
      data: redPixel,
    })
    return `[${name}.png](${json.url})`
  }

  test('A click on a picture opens a viewer, in which arrow keys go through the loaded messages.', async () => {
    const links = page.locator('.message_inline_image > a')
    await links.first().click()
    await dialog('one.png').waitFor()
    await expect
      .poll(() => page.evaluate('document.querySelector(".picture-stage img").naturalWidth'), { timeout: 20_000 })
      .toBe(1)
    await expectAccessible(page, 'picture')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await dialog('two.png').waitFor()
    // The picture in the closed spoiler is left out.
    await page.keyboard.press('ArrowRight')
    await dialog('three.png').waitFor()
    await page.getByText('3 of 3').waitFor()
    await page.getByRole('button', { name: 'Previous picture' }).click()
    await dialog('two.png').waitFor()
    const original = page.getByRole('link', { name: 'Open the original' })
    expect(await original.getAttribute('target')).toBe('_blank')
    expect(await original.getAttribute('href')).toMatch(/^\/user_uploads\/.*two\.png$/)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement === document.querySelector(".message_inline_image > a")')).toBe(
      true,
    )
  })

  test('The viewer is usable on a small dark screen, and opens with a key.', async () => {
    await page.setViewportSize({ width: 390, height: 760 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await article('A third').focus()
    await page.keyboard.press('v')
    await dialog('three.png').waitFor()
    await expectAccessible(page, 'picture-small')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1200, height: 800 })
  })

  test('A question mark opens the list of all shortcuts, and so does the menu of the account.', async () => {
    await page.keyboard.press('?')
    await dialog('Keyboard shortcuts').waitFor()
    await page.locator('.shortcut-line dt').first().waitFor()
    const listed = await page.locator('.shortcut-line dt').allInnerTexts()
    for (const { label } of Object.values(shortcutTable)) expect(listed).toContain(label)
    expect(listed).toContain('Bold')
    await expectAccessible(page, 'shortcuts')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await dialog('Keyboard shortcuts').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  test('The status of a user is beside the name, and follows its changes.', async () => {
    await sendDirectMessage(grace, [ada], 'Hello')
    const places = [
      page.locator('#members .member-line', { hasText: 'Grace' }),
      page.locator('#left-sidebar .sidebar-link', { hasText: 'Grace' }),
      page.locator('.message-heading', { hasText: 'Grace' }).first(),
    ]
    for (const place of places) await place.waitFor()
    await ok(grace, 'POST', '/users/me/status', { status_text: 'On the train', emoji_name: 'train' })
    for (const place of places) await place.getByRole('img', { name: 'On the train' }).waitFor()
    await page.locator('#members').getByText('On the train', { exact: true }).waitFor()
    await expectAccessible(page, 'status')
    await ok(grace, 'POST', '/users/me/status', { status_text: '', emoji_name: '' })
    for (const place of places) await place.getByRole('img', { name: 'On the train' }).waitFor({ state: 'detached' })
  })

  test('A task has a description.', async () => {
    const box = page.locator('#compose')
    await box.fill('/todo Journey\nTickets: for the train')
    await box.press('Control+Enter')
    const list = page.getByRole('region', { name: 'To-do list' })
    await list.getByText('for the train').waitFor()
    await list.getByLabel('Add a task').fill('Luggage')
    await list.getByLabel('Description of the task').fill('one bag each')
    await expectAccessible(page, 'todo')
    await page.keyboard.press('Enter')
    await list.getByRole('checkbox', { name: 'Luggage one bag each' }).waitFor()
    const { messages } = await ok(grace, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const last = messages[0]?.submessages.at(-1)
    expect(JSON.parse(last?.content ?? '')).toMatchObject({ task: 'Luggage', desc: 'one bag each' })
  })

  test('An emoji is drawn also where the system has no font for it.', async () => {
    const fonts: Response[] = []
    page.on('response', (response) => response.url().endsWith('.woff2') && fonts.push(response))
    await postMessage(grace, channelId, 'spring', 'A colour: :tangerine: and :one:')
    const emoji = article('A colour').locator('span.emoji')
    await emoji.last().waitFor()
    // One colour channel differs from the others in a picture, and not in a grey box.
    const isColoured = async (at: number) => {
      const { channels } = await sharp(await emoji.nth(at).screenshot()).stats()
      const [red, , blue] = channels.map(({ mean }) => mean)
      return Math.abs((red ?? 0) - (blue ?? 0)) > 10
    }
    for (const at of [0, 1]) await expect.poll(() => isColoured(at), { timeout: 20_000 }).toBe(true)
    for (const font of fonts) expect(font.headers()['cache-control']).toContain('immutable')
    await page.goto(`${web.url}#about`)
    await dialog('About Parley').getByText('Licence of the emoji font').click()
    await page.getByText('SIL Open Font License', { exact: false }).first().waitFor()
    await expectAccessible(page, 'about')
    await page.keyboard.press('Escape')
  })

  test('A sound is played for a message that notifies, unless the user turned sounds off.', async () => {
    const tones = () => page.evaluate('tones') as Promise<number>
    const first = await tones()
    await sendDirectMessage(grace, [ada], 'Are you there?')
    await expect.poll(tones, { timeout: 20_000 }).toBeGreaterThan(first)
    await ok(ada, 'PATCH', '/settings', { enable_sounds: false })
    const before = await tones()
    const silent = await sendDirectMessage(grace, [ada], 'And now?')
    await page.goto(`${web.url}#narrow/dm/${grace.user_id}-Grace`)
    await page.locator(`article[data-id="${silent}"]`).waitFor()
    expect(await tones()).toBe(before)
  })

  test('The page reported no problem.', () => {
    expect(web.problems).toEqual([])
  })
})
