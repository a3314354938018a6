/** The pages of accounts that the server itself shows, as people see them: log-in, join, new password, errors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { Role } from '../../src/domain/log/rows.js'
import { waitForMails } from '../setup/realm/mails.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openContrastMeter } from '../setup/web/contrast.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

const password = 'wander mosaic lantern'
let addresses = 0
const newAddress = () => `account-pages-${process.pid}-${++addresses}@example.com`

/** The path of the link in the newest of `count` mails to an address. */
const mailedPath = async (email: string, count = 1): Promise<string> => {
  const mails = await waitForMails(email, count)
  return (
    /https?:\/\/[^\s/"]+(\/(?:join|confirm_email|accounts\/password\/reset)\/[\w-]+)/.exec(
      mails[count - 1] ?? '',
    )?.[1] ?? ''
  )
}

const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

describe.skipIf(noBrowser !== undefined)(`The account pages${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let owner: Person
  let pages: WebPages

  beforeAll(async () => {
    realm = await newRealm()
    ;[owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await ok(owner, 'PATCH', '/realm', {
      name: 'The Garden Club',
      description: 'We **plant** trees: [read more](https://example.com).',
    })
    pages = await openWebPages(realm, {
      RATE_LIMITS: 'on',
      // All calls come from one address, also those of a second attempt.
      RATES:
        'password_reset_form_by_email=2/3600 sends_email_by_ip=1000/3600 api_by_ip=100000/60 api_by_user=100000/60',
    })
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openPage = async (path: string): Promise<Page> => {
    const page = await pages.newPage()
    await page.goto(`${pages.url}${path}`)
    return page
  }

  /** Looks at a page on each screen: pictures, axe, the contrast of its controls, and its width. */
  const expectGoodLook = async (page: Page, name: string): Promise<void> => {
    const found: string[] = []
    for (const [screen, width, height, colorScheme] of [
      ['light', 1280, 800, 'light'],
      ['dark', 1280, 800, 'dark'],
      ['phone', 390, 844, 'light'],
      ['zoomed', 640, 400, 'light'],
      ['narrow', 320, 568, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      // Colours depend on the scheme only, and what axe finds on the scheme and on whether the screen is a phone's.
      if (width >= 390 && height >= 800) found.push(...(await inspectPage(page, `account-${name}-${screen}`)))
      if (width === 1280) found.push(...(await (await openContrastMeter(page)).measure()))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${screen}: too wide`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(found).toEqual([])
  }

  const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const alert = (page: Page) => page.getByRole('alert').textContent()
  const autocompletes = (page: Page) =>
    page.locator('input:not([type=checkbox])').evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')))

  test('A person with an invitation reads the rules of passwords, joins, and is in the chat.', async () => {
    const email = newAddress()
    await createChannel(owner, 'seeds', [owner])
    for (const [group_name, description, stream_names] of [
      ['Growers', 'Who sow and water', ['seeds']],
      ['Guests of the garden', '', []],
    ]) {
      await ok(owner, 'POST', '/default_stream_groups/create', { group_name, description, stream_names })
    }
    await ok(owner, 'POST', '/invites', { invitee_emails: email, stream_ids: [] })
    const path = await mailedPath(email)
    const page = await openPage(path)
    await heading(page, 'Join The Garden Club')
    const growers = page.getByRole('group', { name: 'Channels that you join' }).getByLabel('Growers')
    expect(await growers.isChecked()).toBe(false)
    await growers.check()
    expect(await autocompletes(page)).toEqual(['username', 'name', 'new-password'])
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    const described = await page.getByLabel('Password').getAttribute('aria-describedby')
    expect(await page.locator(`#${described}`).textContent()).toMatch(/At least 6 characters.*not easy to guess/)
    await expectGoodLook(page, 'join')

    await page.getByLabel('Full name').fill('Mary Gold')
    await page.getByLabel('Password').fill('password1')
    await submit(page, 'Join')
    await page.getByRole('alert').waitFor()
    expect(await alert(page)).toContain('too easy to guess')
    expect(await page.getByLabel('Full name').inputValue()).toBe('Mary Gold')
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    expect(await growers.isChecked()).toBe(true)
    await expectGoodLook(page, 'join-refused')

    await page.getByLabel('Password').fill(password)
    await submit(page, 'Join')
    await heading(page, 'Welcome to The Garden Club')
    expect(await page.locator('body').textContent()).not.toMatch(/[0-9A-Za-z]{32}|API/)
    await expectGoodLook(page, 'welcome')
    await page.getByRole('link', { name: 'Open the chat' }).click()
    await page.getByRole('button', { name: 'Account of Mary Gold' }).waitFor()
    await page.getByRole('link', { name: 'seeds' }).first().waitFor()

    const again = await openPage(path)
    await heading(again, 'This invitation is no longer valid')
    await expectGoodLook(again, 'join-used')
    await again.getByRole('link', { name: 'Log in' }).click()
    await again.getByLabel('Email').fill(email)
    await again.getByLabel('Password').fill('wrong password')
    await submit(again, 'Log in')
    expect(await alert(again)).toBe('The email address or the password is wrong.')
    expect(await again.getByLabel('Email').inputValue()).toBe(email)
    expect(await autocompletes(again)).toEqual(['username', 'current-password'])
    await again.getByLabel('Password').fill(password)
    await submit(again, 'Log in')
    await again.getByRole('button', { name: 'Account of Mary Gold' }).waitFor()
  })

  test('A person with the link for everyone gets a mail, and is told of a wrong address.', async () => {
    const { invite_link } = await ok(owner, 'POST', '/invites/multiuse', {})
    const page = await openPage(new URL(invite_link).pathname)
    await heading(page, 'Join The Garden Club')
    expect(await autocompletes(page)).toEqual(['email'])
    await page.getByLabel('Email').fill('mary@mailinator.com')
    await submit(page, 'Send the link')
    expect(await alert(page)).toBe('The organization does not accept disposable email addresses.')
    expect(await page.getByLabel('Email').inputValue()).toBe('mary@mailinator.com')
    await expectGoodLook(page, 'join-address')
    const email = newAddress()
    await page.getByLabel('Email').fill(email)
    await submit(page, 'Send the link')
    await heading(page, 'Check your mail')
    await expectGoodLook(page, 'check-mail')
    await page.goto(`${pages.url}${await mailedPath(email)}`)
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
  })

  test('A person who forgot the password sets a new one, and is told when to try again.', async () => {
    const email = newAddress()
    const [user] = (await realm.people({ full_name: 'Forgetful', email })) as [Person]
    const page = await openPage('/accounts/password/reset')
    expect(await autocompletes(page)).toEqual(['username'])
    await expectGoodLook(page, 'forgotten')
    for (let i = 1; i <= 2; i += 1) {
      await page.goto(`${pages.url}/accounts/password/reset`)
      await page.getByLabel('Email').fill(user.email)
      await submit(page, 'Send the link')
      await heading(page, 'Check your mail')
    }
    await page.goto(`${pages.url}/accounts/password/reset`)
    await page.getByLabel('Email').fill(user.email)
    await submit(page, 'Send the link')
    expect(await alert(page)).toMatch(/^Too many tries\. Wait \d+ (minutes|hours?)\. Then send the form again\.$/)
    expect(await page.getByLabel('Email').inputValue()).toBe(user.email)

    const path = await mailedPath(email)
    await page.goto(`${pages.url}${path}`)
    expect(await autocompletes(page)).toEqual(['username', 'new-password'])
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await page.getByLabel('New password').fill('forgetful')
    await submit(page, 'Set password')
    expect(await alert(page)).toContain('too easy to guess')
    await expectGoodLook(page, 'new-password')
    await page.getByLabel('New password').fill(password)
    await submit(page, 'Set password')
    await heading(page, 'Your password was changed')
    await page.goto(`${pages.url}${path}`)
    await heading(page, 'This link is no longer valid')
    await expectGoodLook(page, 'reset-used')
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await heading(page, 'New password at The Garden Club')
  })

  test('A person who tries too many passwords is told how long to wait, and keeps the address.', async () => {
    const page = await openPage('/')
    await page.getByLabel('Email').fill(owner.email)
    for (let i = 1; i <= 6; i += 1) {
      await page.getByLabel('Password').fill(`wrong password ${i}`)
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/sessions'))
      await submit(page, 'Log in')
      await answered
    }
    await expect.poll(() => alert(page)).toMatch(/^Too many tries\. Try again in (a minute|\d+ minutes)\.$/)
    expect(await page.getByLabel('Email').inputValue()).toBe(owner.email)
    await expectGoodLook(page, 'log-in')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expectGoodLook(page, 'log-in-forgotten')
  })

  test('A person confirms a new address, and learns that the link works once.', async () => {
    const [user] = (await realm.people({ full_name: 'Mover' })) as [Person]
    const email = newAddress()
    await ok(user, 'PATCH', '/settings', { email })
    const path = await mailedPath(email)
    const page = await openPage(path)
    await heading(page, 'Confirm your address')
    await expectGoodLook(page, 'confirm')
    await submit(page, 'Confirm')
    await heading(page, 'Your email address was changed')
    await page.goto(`${pages.url}${path}`)
    await heading(page, 'This link is no longer valid')
    await page.getByRole('link', { name: 'Open the settings' }).waitFor()
  })

  test('The addresses that people try lead to pages, and unknown ones say so.', async () => {
    const page = await openPage('/login')
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    for (const path of ['/register', '/join', '/join/']) {
      expect((await page.goto(`${pages.url}${path}`))?.status(), path).toBe(200)
      await heading(page, 'Join with an invitation')
    }
    await expectGoodLook(page, 'register')
    for (const path of ['/nothing', '/chat/general', '/api/docs/nothing', '/static/x', '/user_avatars/1/nobody.png']) {
      expect((await page.goto(`${pages.url}${path}`))?.status(), path).toBe(404)
      await heading(page, 'There is nothing here')
    }
    await expectGoodLook(page, 'unknown')
    expect((await page.goto(`${pages.url}/user_uploads/1/aa/secret.png`))?.status()).toBeGreaterThanOrEqual(400)
    expect(await page.locator('body').textContent()).not.toContain('"result"')
    await page
      .getByRole('link', { name: 'Open the chat' })
      .or(page.getByRole('link', { name: 'Log in' }))
      .first()
      .click()
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
  })

  test('A program gets JSON for the addresses at which people get pages.', async () => {
    for (const path of ['/login', '/register', '/join', '/nothing', '/join/x/y', '/user_uploads/1/aa/secret.png']) {
      for (const Accept of ['application/json', '*/*']) {
        const answer = await fetch(`${pages.url}${path}`, { headers: { Accept } })
        expect([path, answer.headers.get('content-type')]).toEqual([path, 'application/json'])
        expect(await answer.json()).toMatchObject({ result: 'error' })
        if (!path.startsWith('/user')) expect(answer.status).toBe(404)
      }
    }
    const answer = await fetch(`${pages.url}/api/v1/nothing`, { headers: { Accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
  })

  test('Every error page has the policy that allows only its own style.', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', '/register'],
      ['POST', '/'],
      ['PUT', '/accounts/password/reset'],
    ] as const) {
      const answer = await fetch(`${pages.url}${path}`, { method, headers: { Accept: 'text/html' } })
      expect(answer.headers.get('content-type'), path).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      )
      expect(answer.headers.get('cache-control')).toContain('no-store')
    }
  })

  test('The pages have the colours of the web client.', () => {
    const colors = (path: string) => [...readSource(path).matchAll(/(--[\w-]+): (light-dark\([^)]*\));/g)]
    // The first value of a token: a later one is that of high contrast.
    const tokens = new Map(
      colors('web/src/styles/tokens.css')
        .reverse()
        .map(([, name, value]) => [name, value]),
    )
    const used = colors('src/gateway/pages/people-page.ts')
    expect(used.length).toBeGreaterThan(8)
    for (const [, name, value] of used) expect([name, value]).toEqual([name, tokens.get(name)])
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
