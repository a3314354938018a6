/** The icons of the page, the manifest with which it is installed, and the mark of unread messages in the icon. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The icons of the page${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  test('The page names a touch icon and a manifest, whose icons have the sizes that it says.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    const href = (rel: string) => page.locator(`link[rel="${rel}"]`).getAttribute('href')
    const touch = await fetch(new URL((await href('apple-touch-icon')) ?? '', pages.url))
    expect(touch.headers.get('content-type')).toBe('image/png')
    const picture = sharp(Buffer.from(await touch.arrayBuffer()))
    expect(await picture.metadata()).toMatchObject({ width: 180, height: 180, hasAlpha: false })
    const answer = await fetch(new URL((await href('manifest')) ?? '', pages.url))
    expect(answer.headers.get('content-type')).toBe('application/manifest+json')
    const manifest = (await answer.json()) as { icons: { src: string; sizes: string }[]; start_url: string }
    expect(manifest).toMatchObject({ name: 'Parley', start_url: '/', display: 'standalone' })
    for (const { src, sizes } of manifest.icons) {
      const icon = await fetch(new URL(src, pages.url))
      const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    const ico = await fetch(`${pages.url}/favicon.ico`)
    expect(ico.headers.get('content-type')).toBe('image/x-icon')
    const bytes = Buffer.from(await ico.arrayBuffer())
    expect(await sharp(bytes.subarray(bytes.readUInt32LE(18))).metadata()).toMatchObject({ width: 32, format: 'png' })
    // The browser reads the manifest with the policy of the page, and finds no fault in it.
    const devtools = await page.context().newCDPSession(page)
    expect(await devtools.send('Page.getAppManifest')).toMatchObject({ errors: [] })
    expect(pages.problems).toEqual([])
    await page.context().close()
  })

  test('The icon has a mark while messages are unread, and none after logging out.', async () => {
    const channelId = Number(await createChannel(ada, 'general', [ada, grace]))
    await ok(ada, 'POST', '/mark_all_as_read')
    const page = await pages.logIn('Ada')
    const icon = () => page.locator('link[rel="icon"]').getAttribute('href')
    await expect.poll(() => page.title()).toMatch(/^Inbox/)
    const plain = await icon()
    expect(plain).toMatch(/icon-[^u]/)
    await postMessage(grace, channelId, 'greetings')
    await expect.poll(icon, { timeout: PATIENCE_MS }).toMatch(/icon-unread/)
    const marked = await fetch(new URL((await icon()) ?? '', pages.url))
    expect(marked.headers.get('content-type')).toBe('image/svg+xml')
    await ok(ada, 'POST', '/mark_all_as_read')
    await expect.poll(icon).toBe(plain)
    await postMessage(grace, channelId, 'greetings')
    await expect.poll(icon).not.toBe(plain)
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect.poll(icon).toBe(plain)
    await page.context().close()
  })
})
