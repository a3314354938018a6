/** The page of the console in a real browser. */

import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnFleet, startOwnFleet } from '../setup/processes/own-fleet.js'
import type { TestProcess } from '../setup/processes/processes.js'
import { readEvents } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { findViolations } from '../setup/web/axe.js'
import { findChromium } from '../setup/web/chromium.js'
import { openContrastMeter } from '../setup/web/contrast.js'
import { keepPicture } from '../setup/web/pictures.js'

const command = findChromium()

describe.skipIf(command === undefined)(
  'the page in Chromium (skipped where none is installed: apt-get install chromium)',
  () => {
    let browser: Browser
    let fleet: OwnFleet
    let worker: TestProcess
    let people: Person[]

    beforeAll(async () => {
      fleet = await startOwnFleet()
      worker = await fleet.worker()
      people = await fleet.realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })
      browser = await chromium.launch({ executablePath: command as string, args: ['--no-sandbox'] })
    })
    afterAll(async () => {
      await browser?.close()
      await worker?.stop()
      await fleet?.[Symbol.asyncDispose]()
    })

    const openConsole = async (at: TestProcess, colorScheme: 'light' | 'dark', width = 1440) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 1000 } })
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(`${at.operations_url}/`)
      return { page, complaints }
    }

    /** Inserts a failed job, due in an hour. It is deleted at the end, so that a retried test has one job too. */
    const insertFailedJob = async () => {
      const { sql, realm_id } = fleet.realm
      const payload = JSON.stringify({ actor_id: 0, channel_ids: [], announce: false })
      const [job] = await sql<{ id: number }[]>`
      insert into jobs (realm_id, kind, payload, attempts, last_error, run_after)
      values (${realm_id}, 'channel_notices', ${payload}::text::json, 6, 'Error: the test says so', now() + interval '1 hour')
      returning id`
      const id = job?.id as number
      return {
        id,
        async [Symbol.asyncDispose]() {
          await sql`delete from jobs where id = ${id}`
        },
      }
    }

    test('The page shows all processes, plots that move, and a failed job that a click makes due.', {
      timeout: 60_000,
    }, async () => {
      const [ada, grace] = people as [Person, Person]
      const url = fleet.gateway.url
      const cursor = await ok(grace, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] }, { url })
      const received = readEvents('websocket', url, grace, cursor, 30_000)
      await using job = await insertFailedJob()
      const { page, complaints } = await openConsole(worker, 'light')
      const processes = page.getByRole('region', { name: 'Processes' }).locator('tbody tr')
      await expect.poll(() => processes.count(), { timeout: 10_000 }).toBe(2)
      const sends = page.getByRole('img', { name: /^Sends\. gateway \d+: (?!0\/s)[\d.]+\/s/ })
      // The name of the plot has the rate of the newest sample only, so the user sends until the page shows a rate.
      const sendAndLook = async () => {
        await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'counted' }, { url })
        return sends.isVisible()
      }
      await expect.poll(sendAndLook, { timeout: 10_000 }).toBe(true)
      expect((await received).length).toBeGreaterThan(0)
      await expect.poll(() => page.locator('.canvas:not(:has(canvas))').count()).toBe(0)
      await page.getByText('A job has failed 5 times or more.').waitFor()
      await page.getByText('Error: the test says so').waitFor()
      await keepPicture(page, 'console-light', true)
      await page.getByRole('button', { name: `Run now: job ${job.id}, channel_notices` }).click()
      await page.getByText(`Job ${job.id} is due now.`).waitFor()
      await page.getByText('No job has failed.').waitFor({ timeout: 15_000 })
      expect(complaints).toEqual([])
      await page.close()
    })

    test.each(['light', 'dark'] as const)(
      'axe finds no violation in the %s theme, wide or narrow, and each control has contrast.',
      {
        timeout: 60_000,
      },
      async (theme) => {
        await using _job = await insertFailedJob()
        for (const width of [1440, 400]) {
          const context = await browser.newContext({
            colorScheme: theme,
            viewport: { width, height: 900 },
          })
          const page = await context.newPage()
          await page.goto(`${fleet.gateway.operations_url}/`)
          await page.getByRole('region', { name: 'Processes' }).first().waitFor()
          await page.locator('.canvas canvas').first().waitFor()
          await page.getByText('Error: the test says so').waitFor()
          expect(await findViolations(page)).toEqual([])
          expect(await (await openContrastMeter(page)).measure()).toEqual([])
          const overflow = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
          expect(overflow).toBe(false)
          await keepPicture(page, `console-${theme}-${width}`, true)
          await context.close()
        }
      },
    )

    test('The page says that its process does not answer, and goes on when it answers again.', async () => {
      const { page } = await openConsole(fleet.gateway, 'dark')
      await page.getByRole('region', { name: 'Processes' }).first().waitFor()
      await page.route('**/console/state*', (route) => route.abort())
      await page.getByRole('alert').waitFor()
      await page.unroute('**/console/state*')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await page.close()
    })

    test('A page of another origin cannot act through the browser of an operator.', async () => {
      const { page } = await openConsole(fleet.gateway, 'light')
      // The same listener under another name is another origin, as a page of an attacker would be.
      const foreign = worker.operations_url.replace('127.0.0.1', 'localhost')
      await page.goto(`${foreign}/health/live`)
      const attempts = await page.evaluate(async (target) => {
        const body = '{"ids":[1]}'
        const send = (path: string, init: RequestInit) =>
          fetch(`${target}${path}`, init).then(
            (answer) => answer.type,
            () => 'refused',
          )
        return Promise.all([
          send('/console/retry', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
          send('/console/state', {}),
        ])
      }, fleet.gateway.operations_url)
      expect(attempts).toEqual(['refused', 'refused'])
      await page.close()
    })
  },
)
