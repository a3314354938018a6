/**
 * Does the web client stay within its budgets in an organization of 10,000 users, in a real browser?
 *
 * A browser opens a channel with an empty cache: the time from the navigation to the first message, and the size of the
 * scripts that it loaded, as gzip. Then 50 messages a second arrive in the open channel: the longest task of the page.
 * Then 10,000 more messages arrive: the heap after them, against the heap before. Then two browsers write to each
 * other: the time from the keys that send a message to the frame in which the other browser shows it. Baselines are the
 * budgets.
 *
 * Not measured: networks; slower machines; the time in which the gateway loads the organization into its memory.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { root } from '../src/dev/root.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm, startSenders } from './fleet/realm.js'
import { median } from './harness/measure.js'
import { openBrowser, openView, PATIENCE_MS } from './load/browser.js'
import { formatRequest, parseSuccess, sendAll } from './load/http.js'
import { type Bench, type BenchResult, type Bound, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const VIEWS = 5
const FIRST_VIEW_MS = 1_500
const SCRIPT_BYTES = 150_000
const LONGEST_TASK_MS = 100
/** How much the heap may grow, as a ratio. */
const FLAT = 1.2
const TASK_ROUNDS = 3
const DELAY_MS = 100
const DELAYS = 30
/** All of it is on the screen of its readers. */
const SHORT_TOPIC = 'greetings'

export const webBench: Bench = {
  question: 'Does the web client stay within its budgets in an organization of 10,000 users?',
  async run(environment) {
    const { size } = environment
    const realm = await createBenchRealm(environment, size(10_000, { short: 2_000, smoke: 50 }))
    const ROOT_REALM = realm.host.split('.')[0] ?? ''
    const gateway = await environment.startGateway({ NODE_ENV: 'development', ROOT_REALM })
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids.slice(1, 9))
    const browser = await openBrowser()
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
      const delays = await measureDelays(environment, browser, realm, gateway.port)
      environment.print(`from one browser to the other: ${delays.map(formatNumber).join(', ')} ms`)
      return composeResults({ users: realm.user_ids.length, times, bytes, tasks, heaps, delays })
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

/** Runs in the page, before its own scripts. */
const watchFirstView = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ entryTypes: ['longtask'] })
  globalThis.firstView = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('article') === null) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now()))
    }).observe(document, { childList: true, subtree: true })
  })`

/** Logs in with an empty cache, and opens the channel. */
const openFirstView = async (browser: Browser, realm: BenchRealm, port: number): Promise<OpenedView> => {
  const fragment = `#narrow/channel/${realm.channel_id}-bench`
  const page = await openView(browser, { port, user_id: realm.user_ids[0] ?? 0, fragment, script: watchFirstView })
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

/** Waits until the page has everything that was sent: it shows the topic of a message that is sent now. */
const waitForMarker = async (page: Page, realm: BenchRealm, port: number): Promise<void> => {
  markers += 1
  const topic = `marker ${markers}`
  await sendTo(realm, port, topic)
  const shown = page.getByRole('navigation').getByText(topic, { exact: true })
  await shown.first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
}

/** Sends a message to the channel as its first member. */
const sendTo = async (realm: BenchRealm, port: number, topic: string): Promise<void> => {
  const [sender = 0] = realm.user_ids
  const fields = { type: 'channel', to: String(realm.channel_id), topic, content: 'Is everything there?' }
  const [response] = await sendAll(port, [formatRequest('POST', '/messages', realm.identify(sender), fields)])
  if (response !== undefined) parseSuccess(response)
}

/**
 * From the keys that send a message in one browser to the frame in which the other one shows it, in milliseconds. The
 * two users take turns.
 */
const measureDelays = async (
  environment: BenchEnvironment,
  browser: Browser,
  realm: BenchRealm,
  port: number,
): Promise<number[]> => {
  await sendTo(realm, port, SHORT_TOPIC)
  const fragment = `#narrow/channel/${realm.channel_id}-bench/topic/${SHORT_TOPIC}`
  const open = (position: number) =>
    openView(browser, { port, user_id: realm.user_ids[position] ?? 0, fragment, script: watchChanges })
  const pages: [Page, Page] = [await open(1), await open(2)]
  const delays = await runRounds(environment, DELAYS, async () => {
    pages.reverse()
    const [writer, reader] = pages
    markers += 1
    const content = `Greeting ${markers}.`
    // An expression that is a promise would be awaited here.
    await reader.evaluate(`void (globalThis.shown = whenShown(${JSON.stringify(content)}))`)
    await writer.locator('#compose').fill(content)
    await writer.locator('#compose').press('Control+Enter')
    const shown = (await reader.evaluate('shown')) as number
    return shown - ((await writer.evaluate('sentAt')) as number)
  })
  for (const page of pages) await page.context().close()
  return delays
}

/** Runs in the page. Both pages read the clock of the machine. */
const watchChanges = `
  const now = () => performance.timeOrigin + performance.now()
  addEventListener('keydown', ({ key }) => { if (key === 'Enter') globalThis.sentAt = now() }, { capture: true })
  globalThis.whenShown = (content) => new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      const messages = [...document.querySelectorAll('article')]
      if (!messages.some((message) => message.textContent.includes(content))) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(now()))
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })`

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
  delays: readonly number[]
}

const composeResults = ({ users, times, bytes, tasks, heaps: [before, after], delays }: Measured): BenchResult[] => {
  const goal = (limit: number, ratios: readonly number[]): Bound => ({
    ...requireAtMost(limit, ratios),
    isRequired: false,
  })
  const [ofView, ofTask] = [times.map((time) => time / FIRST_VIEW_MS), tasks.map((time) => time / LONGEST_TASK_MS)]
  const ofScripts = [bytes / SCRIPT_BYTES]
  const ofDelay = delays.map((delay) => delay / DELAY_MS)
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
    {
      label: 'from one browser to another',
      measured: `${formatNumber(median(delays))} ms, longest ${formatNumber(Math.max(...delays))} ms`,
      baseline: `${DELAY_MS} ms`,
      ratios: ofDelay,
      bound: goal(1, ofDelay),
    },
  ]
}
