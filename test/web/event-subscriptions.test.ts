/** Event subscriptions in real browsers: who creates and controls them, and what an administrator sees of them. */
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postMessage } from '../setup/realm/messages.js'
import { ok } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { inspectPage, openDialog, PATIENCE_MS, says } from '../setup/web/web-pages.js'
import { type Called, openServer } from '../setup/web/web-server.js'

describe.skipIf(noBrowser !== undefined)(`Event subscriptions${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let library: WebLibrary

  beforeAll(async () => {
    library = await openWebLibrary()
  }, 60_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  const contents = (calls: readonly Called[]) =>
    calls.map(({ text }) => JSON.parse(text)).flatMap(({ type, message }) => message?.content ?? type)

  test('A member creates a subscription, tests it, pauses it, replays it and replaces its secret.', async () => {
    const { ada, grace, adaPage, gracePage: page, channelId } = library
    let isBroken = false
    await using server = await openServer((_, response: ServerResponse) => {
      response.writeHead(isBroken ? 500 : 204).end()
    })
    const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS })
    const received = () => contents(server.calls)
    const stored = async () => (await ok(grace, 'GET', '/event_subscriptions')).event_subscriptions[0]

    await openDialog(page, '#settings/event-subscriptions')
    await page.getByText('There are no event subscriptions.').waitFor()
    await page.getByLabel('Name of the subscription').fill('Tickets')
    await page.getByLabel('Address of the receiver').fill(server.url)
    await page.getByLabel('Messages of').selectOption({ label: 'library' })
    await page.getByLabel('Only this topic').fill('tickets')
    await page.getByRole('button', { name: 'Create the subscription' }).click()
    await says(page, 'Tickets was created.')
    const secret = await page.getByLabel('Secret of Tickets').inputValue()
    expect(secret).toMatch(/^whsec_/)
    expect(await stored()).toMatchObject({ name: 'Tickets', user_id: grace.user_id, event_types: ['message'] })
    await postMessage(ada, channelId, 'other', 'not for it')
    await postMessage(ada, channelId, 'tickets', 'one')
    await eventually(received).toEqual(['one'])
    const [first] = server.calls as [Called]
    expect(new Webhook(secret).verify(first.text, first.headers as Record<string, string>)).toMatchObject({
      type: 'message',
    })

    const entry = page.getByRole('list', { name: 'Event subscriptions' }).getByRole('listitem')
    const buttons = page.getByRole('group', { name: 'Tickets' })
    await entry.getByText(/1 event delivered/).waitFor()
    await buttons.getByRole('button', { name: 'Send a test' }).click()
    await entry.getByText('The receiver has the test.').waitFor()
    await buttons.getByRole('button', { name: 'Pause' }).click()
    await says(page, 'Paused.')
    await postMessage(ada, channelId, 'tickets', 'two')
    expect(await stored()).toMatchObject({ state: 'paused' })
    await buttons.getByRole('button', { name: 'Resume' }).click()
    await eventually(received).toEqual(['one', 'test', 'two'])

    await buttons.getByRole('button', { name: 'Replay' }).click()
    await page.getByLabel('Continue').selectOption({ label: 'At the oldest event that the server has' })
    await page.getByRole('button', { name: 'Continue there' }).click()
    await eventually(received).toEqual(['one', 'test', 'two', 'one', 'two'])
    await buttons.getByRole('button', { name: 'Replay' }).click()

    await buttons.getByRole('button', { name: 'New secret' }).click()
    await buttons.getByRole('button', { name: 'Replace the secret now' }).click()
    await says(page, 'The former secret signs for one more day.')
    const renewed = await entry.getByLabel('Secret of Tickets').inputValue()
    expect(renewed).not.toBe(secret)
    isBroken = true
    await postMessage(ada, channelId, 'tickets', 'three')
    await entry.getByText(/attempts? failed/).waitFor()
    await entry.getByText('Last errors of Tickets').click()
    await entry
      .getByText(/the server answered with status 500/)
      .first()
      .waitFor()

    const found: string[] = []
    await openDialog(adaPage, '#organization/event-subscriptions')
    const theirs = adaPage.getByRole('list', { name: 'Event subscriptions' }).getByRole('listitem')
    await theirs.getByText('events of Grace').waitFor()
    expect(await theirs.textContent()).not.toContain(server.url)
    expect(await theirs.getByRole('button').allTextContents()).toEqual(['Pause', 'Delete'])
    for (const [name, one] of [
      ['own', page],
      ['administrator', adaPage],
    ] as const) {
      found.push(...(await inspectPage(one, `event-subscriptions-${name}`)))
      await one.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await inspectPage(one, `event-subscriptions-${name}-dark`)))
      await one.setViewportSize({ width: 390, height: 844 })
      found.push(...(await inspectPage(one, `event-subscriptions-${name}-phone`)))
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await one.evaluate(overflow)).toBe(0)
      await one.setViewportSize({ width: 1280, height: 900 })
      await one.emulateMedia({ colorScheme: 'light' })
    }
    await page.getByLabel('Name of the subscription').scrollIntoViewIfNeeded()
    found.push(...(await inspectPage(page, 'event-subscriptions-form')))
    expect(found).toEqual([])

    await theirs.getByRole('button', { name: 'Pause' }).click()
    await eventually(async () => (await stored())?.state).toBe('paused')
    await theirs.getByRole('button', { name: 'Delete' }).click()
    await theirs.getByRole('button', { name: 'Delete Tickets now' }).click()
    await says(adaPage, 'Tickets was deleted.')
    await page.getByText('There are no event subscriptions.').waitFor()
    expect(await stored()).toBeUndefined()
    expect(library.pages.problems).toEqual([])
  })
})
