/** Deleted messages in a browser: an administrator restores them, and an open page of another user shows them again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { closeDialog, inspectPage, openDialog, says } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Deleted messages in a browser${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let library: WebLibrary

  beforeAll(async () => {
    library = await openWebLibrary()
  }, 90_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  test('An administrator finds a deleted message and restores it, and an open topic shows it in its old place.', async () => {
    const { adaPage, gracePage, grace, pages, channelId } = library
    const post = async (content: string, topic = 'books') =>
      (await ok(grace, 'POST', '/messages', { type: 'stream', to: channelId, topic, content })).id
    const [first, second] = [await post('The first book'), await post('The *second* book, which was lent')]
    await post('The third book')
    const old = [await post('An old film', 'films'), await post('Another film', 'films')]
    await gracePage.goto(`${pages.url}/#narrow/channel/${channelId}-library/topic/books`)
    const texts = gracePage.locator('main article')
    await texts.filter({ hasText: 'third' }).waitFor()
    for (const id of [first, second]) await ok(grace, 'DELETE', `/messages/${id}`)
    await texts.filter({ hasText: 'first' }).waitFor({ state: 'detached' })
    await ok(library.ada, 'POST', `/streams/${channelId}/delete_topic`, { topic_name: 'films' })

    await openDialog(adaPage, '#organization/deleted-messages')
    await adaPage.getByText('Another film').waitFor()
    for (const [width, height, colorScheme] of [
      [1280, 900, 'light'],
      [1280, 900, 'dark'],
      [390, 844, 'light'],
      [390, 844, 'dark'],
    ] as const) {
      await adaPage.setViewportSize({ width, height })
      await adaPage.emulateMedia({ colorScheme })
      expect(await inspectPage(adaPage, `deleted-messages-${width}-${colorScheme}`)).toEqual([])
      expect(await adaPage.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    }
    await adaPage.emulateMedia({ colorScheme: 'light' })
    await adaPage.setViewportSize({ width: 1280, height: 900 })
    await adaPage.getByLabel('Search the texts').fill('lent')
    await adaPage.getByText('Another film').waitFor({ state: 'detached' })
    await adaPage.getByRole('button', { name: /^Restore the message of Grace/ }).press('Enter')
    await says(adaPage, 'The message is in #library › books again.')
    await adaPage.getByText('There is no deleted message.').waitFor()
    await texts.filter({ hasText: 'second' }).waitFor()
    expect((await texts.allInnerTexts()).map((text) => /second|third/.exec(text)?.[0])).toEqual(['second', 'third'])

    await adaPage.getByLabel('Search the texts').fill('')
    await adaPage.getByRole('button', { name: 'Restore all of this deletion: #library › films' }).click()
    await says(adaPage, 'All messages of this deletion are in #library › films again.')
    await adaPage.getByText('The first book').waitFor()
    // What another user deletes appears in the list.
    await ok(grace, 'DELETE', `/messages/${old[0]}`)
    await adaPage.getByText('An old film').waitFor()
    await closeDialog(adaPage)
  })

  test('The page is for administrators, and no page reported a problem.', async () => {
    const { gracePage, pages } = library
    await openDialog(gracePage, '#organization/users')
    await gracePage.getByRole('link', { name: 'Custom emoji' }).waitFor()
    expect(await gracePage.getByRole('link', { name: 'Deleted messages' }).count()).toBe(0)
    await openDialog(gracePage, '#organization/deleted-messages')
    expect(await gracePage.getByText('Search the texts').count()).toBe(0)
    expect(pages.problems).toEqual([])
  })
})
