/**
 * Criteria of WCAG 2.2 that are measured in every view and dialog of the page, on three screens. docs/accessibility.md
 * has all criteria, each with the tests that show it.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BusyOrganization, createBusyOrganization } from '../setup/clients/busy-organization.js'
import { noBrowser } from '../setup/web/browser.js'
import { type Check, type ConformanceMeter, openConformanceMeter } from '../setup/web/conformance.js'
import { listViews, settleView } from '../setup/web/views.js'
import { openWebPages, type WebPages } from '../setup/web/web-pages.js'

const size = (width: number, height: number): BrowserContextOptions => ({ viewport: { width, height } })

/** A laptop, as narrow as the criterion of reflow asks for, and a laptop at 400 %, which is low too. */
const screens = [
  { name: 'a laptop', options: size(1280, 800) },
  { name: 'a screen of 320 pixels', options: size(320, 568) },
  { name: 'a laptop at 400 %', options: size(320, 256) },
]

/** What appears while the pointer or the focus is on something. Control hides all but the skip links. */
const hoverContent = [
  '.code-buttons',
  '.inbox-heading .icon-button',
  '.inbox-row .icon-button',
  '.member-write',
  '.message-time-quiet',
  '.message-tools',
  '.row-menu-button',
  '.skip-link',
]

/** The last one moves the focus. */
const checks = ['findSideways', 'findLostText', 'findOtherNames', 'findSmallTargets', 'findCoveredFocus'] as const

/** What is wrong, by check and view. */
type Findings = Map<Check, Record<string, string[]>>

interface Results {
  found: Findings
  /** with more space between lines, words and letters */
  spaced: Findings
  counts: ConformanceMeter['counts']
}

describe.skipIf(noBrowser !== undefined)(`The page conforms${noBrowser ?? ''}`, { timeout: 180_000 }, () => {
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

  /** Does the checks in each view. @returns what is wrong, by check and view */
  const inspect = async (page: Page, meter: ConformanceMeter, checks: readonly Check[]): Promise<Findings> => {
    const found: Findings = new Map(checks.map((check) => [check, {}]))
    for (const [view, fragment] of Object.entries(listViews(organization))) {
      await page.evaluate(`location.hash = '${fragment}'`)
      await settleView(page)
      for (const check of checks) {
        let wrong = await meter.find(check)
        // Something can still move after the view has settled, for example a line that tells of the connection.
        for (let again = 0; wrong.length > 0 && again < 4; again++) {
          await page.waitForTimeout(500)
          wrong = await meter.find(check)
        }
        if (wrong.length > 0) Object.assign(found.get(check) ?? {}, { [view]: wrong })
      }
    }
    return found
  }

  const inspectScreen = async (options: BrowserContextOptions): Promise<Results> => {
    const page = await pages.logIn('Ada', await pages.newContext(options))
    const meter = await openConformanceMeter(page)
    const found = await inspect(page, meter, checks)
    await meter.spaceText()
    const spaced = await inspect(page, meter, ['findSideways', 'findLostText'])
    await page.context().close()
    return { found, spaced, counts: meter.counts }
  }

  describe.each(screens)('on $name:', ({ options }) => {
    /** The views are opened once, by the test that comes first. */
    let results: Promise<Results> | undefined
    const inspected = () => {
      results ??= inspectScreen(options)
      return results
    }

    test('Nothing but tables, code and formulas is scrolled sideways, and no text is cut off.', async () => {
      const { found } = await inspected()
      expect(found.get('findSideways')).toEqual({})
      expect(found.get('findLostText')).toEqual({})
    })

    test('With more space between lines, words and letters, no text is lost.', async () => {
      const { spaced, counts } = await inspected()
      expect(spaced.get('findSideways')).toEqual({})
      expect(spaced.get('findLostText')).toEqual({})
      expect(counts.findLostText).toBeGreaterThan(2_000)
    })

    test('The name of each control contains the words that are seen on it.', async () => {
      const { found, counts } = await inspected()
      expect(found.get('findOtherNames')).toEqual({})
      expect(counts.findOtherNames).toBeGreaterThan(20)
    })

    test('Targets are at least 24 pixels wide and high, or as far from others.', async () => {
      const { found, counts } = await inspected()
      expect(found.get('findSmallTargets')).toEqual({})
      expect(counts.findSmallTargets).toBeGreaterThan(1_000)
    })

    test('Nothing that has the focus is behind something else.', async () => {
      const { found, counts } = await inspected()
      expect(found.get('findCoveredFocus')).toEqual({})
      expect(counts.findCoveredFocus).toBeGreaterThan(1_000)
    })
  })

  test('What appears below the pointer stays while the pointer is on it, and Control hides it.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(size(1280, 800)))
    const meter = await openConformanceMeter(page)
    await page.evaluate(`location.hash = '${listViews(organization).topic}'`)
    await settleView(page)
    const [first, second] = [page.getByRole('article').nth(-3), page.getByRole('article').nth(-2)]
    await first.waitFor()
    const opacity = (row: typeof first) =>
      row.locator('.message-tools').evaluate((tools) => Number(getComputedStyle(tools).opacity))
    await second.locator('.message-heading, .message-main').first().hover()
    await expect.poll(() => opacity(second)).toBe(1)
    await second.getByRole('button', { name: 'Star' }).hover()
    await expect.poll(() => opacity(second)).toBe(1)
    // With another key it belongs to a shortcut, such as one that copies.
    await page.keyboard.press('Control+Shift')
    expect(await opacity(second)).toBe(1)
    await page.keyboard.press('Control')
    await expect.poll(() => opacity(second)).toBe(0)
    await second.locator('.message-main').first().hover()
    expect(await opacity(second)).toBe(0)
    await first.locator('.message-main').first().hover()
    await expect.poll(() => opacity(first)).toBe(1)
    // Only these parts appear; of another one, this test has to show the same.
    const selectors = (await meter.find('listHoverContent')).filter((text) => !text.includes('data-hover'))
    expect(selectors.length).toBeGreaterThan(5)
    expect(selectors.filter((text) => !hoverContent.some((known) => text.includes(known)))).toEqual([])
    await page.context().close()
  })

  test('A press that is moved away before it is released does nothing.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(size(1280, 800)))
    await page.evaluate(`location.hash = '#channels/new'`)
    await settleView(page)
    const field = page.getByRole('combobox', { name: 'First subscribers besides you' })
    await field.fill('Gra')
    const option = page.getByRole('option', { name: 'Grace' })
    await option.hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    expect(await page.getByRole('button', { name: 'Remove Grace' }).count()).toBe(0)
    await page.context().close()
  })

  test('A password can be pasted, and a password manager finds the fields of the log-in.', async () => {
    const context = await pages.newContext(size(1280, 800))
    const page = await pages.newPage(context)
    await page.goto(pages.url)
    const [email, secret] = [page.getByRole('textbox', { name: 'Email' }), page.getByLabel('Password')]
    await email.waitFor()
    expect(await email.getAttribute('autocomplete')).toBe('username')
    expect(await secret.getAttribute('autocomplete')).toBe('current-password')
    // A password manager writes into the field, and one without it pastes.
    await email.fill('words from elsewhere')
    await email.press('Control+a')
    await page.keyboard.press('Control+c')
    await secret.focus()
    await page.keyboard.press('Control+v')
    await expect.poll(() => secret.inputValue()).toBe('words from elsewhere')
    await context.close()
  })

  test('The title of the page names the view.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(size(1280, 800)))
    const views = listViews(organization)
    const titles: string[] = []
    for (const [view, words] of [
      ['inbox', 'Inbox'],
      ['recent', 'Recent conversations'],
      ['topic', 'every kind'],
      ['direct', 'Grace'],
      ['search', 'plants'],
      ['drafts', 'Drafts'],
    ] as const) {
      await page.evaluate(`location.hash = '${views[view]}'`)
      await expect.poll(() => page.title()).toContain(words)
      titles.push(await page.title())
    }
    expect(new Set(titles).size).toBe(titles.length)
    await page.context().close()
  })

  test('The checks find what they look for.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(size(1280, 800)))
    await page.evaluate(`location.hash = '#about'`)
    await settleView(page)
    const meter = await openConformanceMeter(page)
    for (const check of checks) expect(await meter.find(check), check).toEqual([])
    await page.evaluate(addFaults)
    for (const check of checks) expect((await meter.find(check)).join(), check).toMatch(new RegExp(`fault.*${check}`))
    await page.evaluate(`document.querySelector('.fault').remove()`)
    expect(await meter.find('findLostText')).toEqual([])
    await page.evaluate(addTightLine)
    expect(await meter.find('findLostText')).toEqual([])
    await meter.spaceText()
    expect((await meter.find('findLostText')).join()).toMatch('tight')
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})

/** Runs in the page: adds one fault for each check. Styles are set by script, because the policy forbids attributes. */
const addFaults = `(() => {
  const place = document.createElement('div')
  place.className = 'fault'
  const add = (tag, text, style, attributes = {}, parent = place) => {
    const element = document.createElement(tag)
    element.className = 'fault'
    element.textContent = text
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    Object.assign(element.style, style)
    parent.append(element)
    return element
  }
  document.querySelector('dialog[open] .dialog-content').prepend(place)
  add('p', 'findLostText', { height: '6px', overflow: 'hidden' })
  add('button', 'seen', { height: '30px' }, { 'aria-label': 'findOtherNames' })
  const row = add('div', '', { height: '40px' })
  for (const _ of [1, 2]) add('button', 'findSmallTargets', { width: '16px', height: '16px', overflow: 'hidden', display: 'inline-block' }, {}, row)
  const frame = add('div', '', { overflowX: 'auto', width: '100px' }, { 'aria-label': 'findSideways' })
  add('div', '', { width: '400px', height: '5px' }, {}, frame)
  const under = add('div', '', { position: 'relative', height: '40px' })
  add('button', 'findCoveredFocus', { height: '30px' }, {}, under)
  add('div', '', { position: 'absolute', inset: '0', background: 'white' }, {}, under)
})()`

/** Runs in the page: adds a line that fits until there is more space. */
const addTightLine = `(() => {
  const line = document.createElement('p')
  line.textContent = 'tight'
  Object.assign(line.style, { height: '1.2em', lineHeight: '1.2', overflow: 'hidden', width: '2.6em' })
  document.querySelector('dialog[open] .dialog-content').prepend(line)
})()`
