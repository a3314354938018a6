/** Undoing administrative acts on the page "Audit log", in real browsers, while a second person watches. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, type Person } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { inspectPage, openDialog, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

const title = `Undoing acts in a browser${noBrowser ?? ''}`

describe.skipIf(noBrowser !== undefined)(title, { timeout: 90_000 }, () => {
  let library: WebLibrary
  let pages: WebPages
  let ada: Person
  let grace: Person
  let adaPage: Page
  let gracePage: Page
  let channelId: number

  beforeAll(async () => {
    library = await openWebLibrary()
    ;({ pages, ada, grace, adaPage, gracePage, channelId } = library)
  }, 90_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  const acts = () => adaPage.getByRole('list', { name: 'Acts' }).getByRole('listitem')
  const panel = () => adaPage.getByRole('region', { name: 'Undoing this act' })
  const channelLink = () => gracePage.locator('#left-sidebar').getByRole('link', { name: 'library' }).first()

  test('An owner undoes the archiving of a channel, and another person sees the channel again.', async () => {
    await channelLink().waitFor()
    await ok(ada, 'DELETE', `/streams/${channelId}` as '/streams/{stream_id}')
    await channelLink().waitFor({ state: 'detached' })
    await openDialog(adaPage, '#organization/audit-log')
    await acts()
      .first()
      .getByRole('button', { name: /^Undo: Changed the channel/ })
      .click()
    await panel().getByText('The undo does this').waitFor()
    await panel().getByText('Mails, push notifications and calls of webhooks have left the server.').waitFor()
    expect(await inspectPage(adaPage, 'undo-plan')).toEqual([])
    await adaPage.emulateMedia({ colorScheme: 'dark' })
    expect(await inspectPage(adaPage, 'undo-plan-dark')).toEqual([])
    await adaPage.setViewportSize({ width: 390, height: 800 })
    expect(await inspectPage(adaPage, 'undo-plan-phone')).toEqual([])
    await adaPage.setViewportSize({ width: 1280, height: 900 })
    await adaPage.emulateMedia({ colorScheme: 'light' })
    await panel().getByRole('button', { name: 'Undo now' }).click()
    await says(adaPage, 'The act was undone.')
    await channelLink().waitFor()
    await acts().first().getByRole('button', { name: 'Undid an earlier act' }).click()
    const former = acts().nth(1)
    await expect
      .poll(() => former.evaluate((row) => row === document.activeElement), { timeout: PATIENCE_MS })
      .toBe(true)
    await former.getByRole('button', { name: 'Was undone later' }).waitFor()
    expect(await former.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    expect(await inspectPage(adaPage, 'undone-act')).toEqual([])
  })

  test('An act whose rows were changed since is not undone, and the page says what changed.', async () => {
    const change = (description: string) =>
      ok(ada, 'PATCH', `/streams/${channelId}` as '/streams/{stream_id}', { description })
    await change('first')
    await change('second')
    await adaPage.reload()
    await openDialog(adaPage, '#organization/audit-log')
    await acts()
      .nth(1)
      .getByRole('button', { name: /^Undo: / })
      .click()
    await panel().getByText('It cannot be undone: this was changed since').waitFor()
    await panel().getByText('second').waitFor()
    expect(await panel().getByRole('button', { name: 'Undo now' }).count()).toBe(0)
    expect(await inspectPage(adaPage, 'undo-conflict')).toEqual([])
    await panel().getByRole('button', { name: 'Close' }).click()
    expect(await panel().count()).toBe(0)
  })

  test('A change that comes between the plan and the press of the button is told.', async () => {
    await ok(ada, 'PATCH', '/realm', { description: 'one' })
    await adaPage.reload()
    await openDialog(adaPage, '#organization/audit-log')
    await acts()
      .first()
      .getByRole('button', { name: /^Undo: / })
      .click()
    await panel().getByRole('button', { name: 'Undo now' }).waitFor()
    await ok(ada, 'PATCH', '/realm', { description: 'two' })
    await panel().getByRole('button', { name: 'Undo now' }).click()
    await adaPage.getByText('This act cannot be undone: what it changed was changed again since.').waitFor()
    expect(await ok(grace, 'POST', '/register', { fetch_event_types: ['realm'] })).toMatchObject({
      realm_description: 'two',
    })
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
