/**
 * Does the web client stay within its budgets in an organization of 10,000 users, in a real browser?
 *
 * A browser opens a channel with an empty cache: the time from the navigation to the first message, and the size of the
 * scripts that it loaded, as gzip. Then 50 messages a second arrive in the open channel: the longest task of the page.
 * Then 10,000 more messages arrive: the heap after them, against the heap before. Baselines are the budgets.
 *
 * Not measured: networks; slower machines; the time in which the gateway loads the organization into its memory.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { Failure } from '../src/dev/failure.js'
import { root } from '../src/dev/root.js'
import { findChromium } from '../test/setup/chromium.js'
import { type Bench, type BenchResult, type Bound, formatNumber, requireAtMost, runRounds } from './bench.js'
import type { BenchEnvironment } from './environment.js'
import { formatRequest, parseSuccess, sendAll } from './load/http.js'
import { median } from './measure.js'
import { type BenchRealm, createBenchRealm, startSenders } from './realm.js'

const VIEWS = 5
const FIRST_VIEW_MS = 1_500
const SCRIPT_BYTES = 150_000
const LONGEST_TASK_MS = 100
/** How much the heap may grow, as a ratio. */
const FLAT = 1.2
const TASK_ROUNDS = 3
const PATIENCE_MS = 120_000

export const webBench: Bench = {
  question: 'Does the web client stay within its budgets in an organization of 10,000 users?',
  async run(environment) {
    const path = findChromium()
    if (path === undefined) throw new Failure('There is no Chromium on PATH: `apt-get install chromium` installs it.')
    const { size } = environment
    const realm = await createBenchRealm(environment, size(10_000, { short: 2_000, smoke: 50 }))
    const ROOT_REALM = realm.host.split('.')[0] ?? ''
    const gateway = await environment.startGateway({ NODE_ENV: 'development', ROOT_REALM })
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids.slice(1, 9))
    const browser = await chromium.launch({
      executablePath: path,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
    try {
      await senders.send({ rate: 50, count: size(100, { smoke: 4 }) })
      // In the first view the gateway loads the organization.
      await (await openFirstView(browser, realm, gateway.port)).page.context().close()
      const opened = await runRounds(environment, VIEWS, () => openFirstView(browser, realm, gateway.port))
      for (const { page } of opened.slice(0, -1)) await page.context().close()
      const times = opened.map(({ milliseconds }) => milliseconds)
      const { page, scripts } = opened.at(-1) as OpenedView
      const bytes = scripts.reduce((sum, script) => sum + statSync(join(root, 'dist/web', `${script}.gz`)).size, 0)

      environment.print(`first views: ${times.map(formatNumber).join(', ')} ms`)

      const seconds = size(20, { short: 4, smoke: 0.2 })
      const tasks = await runRounds(environment, TASK_ROUNDS, async () => {
        await page.evaluate('longTasks.length = 0')
        await senders.send({ rate: 50, count: 50 * seconds })
        await waitForMarker(page, realm, gateway.port)
        return (await page.evaluate('Math.max(0, ...longTasks)')) as number
      })
      environment.print(`longest tasks: ${tasks.map(formatNumber).join(', ')} ms`)
      const heaps = await measureHeaps(environment, page, async (count) => {
        await senders.send({ rate: 200, count })
        await waitForMarker(page, realm, gateway.port)
      })
      return composeResults({ users: realm.user_ids.length, times, bytes, tasks, heaps })
    } finally {
      await browser.close()
      await Promise.all([senders.stop(), gateway.stop()])
    }
  },
}

interface OpenedView {
  page: Page
  /** from the navigation to the first message */
  milliseconds: number
  /** the paths of the scripts that the page loaded */
  scripts: string[]
}

/** Logs in with an empty cache, and opens the channel. */
const openFirstView = async (browser: Browser, realm: BenchRealm, port: number): Promise<OpenedView> => {
  const url = `http://127.0.0.1:${port}`
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const answer = await context.request.post(`${url}/api/v1/sessions/demo`, {
    form: { user_id: String(realm.user_ids[0]) },
  })
  if (!answer.ok()) throw new Failure(`The browser could not log in: ${await answer.text()}`)
  await context.addInitScript(`
    globalThis.longTasks = []
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ entryTypes: ['longtask'] })
    globalThis.firstView = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('article') === null) return
        observer.disconnect()
        requestAnimationFrame(() => resolve(performance.now()))
      }).observe(document, { childList: true, subtree: true })
    })`)
  const page = await context.newPage()
  await page.goto(`${url}/#narrow/channel/${realm.channel_id}-bench`)
  const milliseconds = (await page.evaluate('firstView')) as number
  const scripts = await page.evaluate(`performance.getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))`)
  return {
    page,
    milliseconds,
    scripts: [...new Set(scripts as string[])],
  }
}

let markers = 0

/** Waits until the page has everything that was sent: it shows a message that the user sends to itself now. */
const waitForMarker = async (page: Page, realm: BenchRealm, port: number): Promise<void> => {
  markers += 1
  const [reader = 0, sender = 0] = realm.user_ids
  const topic = `marker ${markers}`
  const fields = { type: 'channel', to: String(realm.channel_id), topic, content: `for ${reader}` }
  const [response] = await sendAll(port, [formatRequest('POST', '/messages', realm.identify(sender), fields)])
  if (response !== undefined) parseSuccess(response)
  const shown = page.getByRole('navigation').getByText(topic, { exact: true })
  await shown.first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
}

/** The heap after garbage collection, before and after many messages. */
const measureHeaps = async (
  { size }: BenchEnvironment,
  page: Page,
  receive: (count: number) => Promise<void>,
): Promise<[before: number, after: number]> => {
  const devtools = await page.context().newCDPSession(page)
  const measure = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Runtime.getHeapUsage')).usedSize
  }
  await receive(size(1_000, { short: 200, smoke: 4 }))
  const before = await measure()
  await receive(size(10_000, { short: 1_000, smoke: 4 }))
  return [before, await measure()]
}

interface Measured {
  users: number
  times: readonly number[]
  bytes: number
  tasks: readonly number[]
  heaps: [before: number, after: number]
}

const composeResults = ({ users, times, bytes, tasks, heaps: [before, after] }: Measured): BenchResult[] => {
  const goal = (limit: number, ratios: readonly number[]): Bound => ({
    ...requireAtMost(limit, ratios),
    isRequired: false,
  })
  const [ofView, ofTask] = [times.map((time) => time / FIRST_VIEW_MS), tasks.map((time) => time / LONGEST_TASK_MS)]
  const ofScripts = [bytes / SCRIPT_BYTES]
  return [
    {
      label: `first view, ${users.toLocaleString('en')} users`,
      measured: `${formatNumber(median(times))} ms`,
      baseline: `${FIRST_VIEW_MS} ms`,
      ratios: ofView,
      bound: goal(1, ofView),
    },
    {
      label: 'scripts of the first view, gzip',
      measured: `${formatNumber(bytes / 1_000)} kB`,
      baseline: `${SCRIPT_BYTES / 1_000} kB`,
      ratios: ofScripts,
      bound: requireAtMost(1, ofScripts),
    },
    {
      label: 'longest task while 50 messages a second arrive',
      measured: `${formatNumber(median(tasks))} ms`,
      baseline: `${LONGEST_TASK_MS} ms`,
      ratios: ofTask,
      bound: goal(1, ofTask),
    },
    {
      label: 'heap after many more messages',
      measured: `${formatNumber(after / 1e6)} MB`,
      baseline: `${formatNumber(before / 1e6)} MB before them`,
      ratios: [after / before],
      bound: goal(FLAT, [after / before]),
    },
  ]
}
