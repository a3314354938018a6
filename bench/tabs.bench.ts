/**
 * Does the web client keep up with 100 messages a second in five tabs?
 *
 * One user has five tabs open in one browser, all of them with the inbox of an organization of 100 channels. 100
 * messages a second arrive, spread over all channels and 600 topics, and nothing is read. Measured are the CPU time of
 * each page's main thread for one message, and the time from a message after them to the moment in which every tab
 * shows it. Baselines: five tabs at 100 messages a second take one core; a second. The browser draws the tab in front
 * more often.
 *
 * Not measured: the processes of the browser that draw; other views, in which reading marks messages as read.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { composeSubscription } from '../src/domain/channels/channels.js'
import { composeInsert } from '../src/domain/log/row-changes.js'
import { writeRows } from '../src/store/log/row-tables.js'
import { channelRow } from '../test/setup/realm/rows.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median } from './harness/measure.js'
import { logIn, openBrowser, PATIENCE_MS } from './load/browser.js'
import { formatRequest, parseSuccess, sendAll } from './load/http.js'
import { content } from './load/messages.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost } from './results/bench.js'

const TABS = 5
const CHANNELS = 100
const TOPICS = 6
const RATE = 100
const CPU_MS = 2
const DELAY_MS = 1_000

export const tabsBench: Bench = {
  question: 'Does the web client keep up with 100 messages a second in five tabs?',
  async run(environment) {
    const { size, group } = environment
    const realm = await createBenchRealm(environment, 10)
    await addChannels(environment, realm)
    const ROOT_REALM = realm.host.split('.')[0] ?? ''
    const gateway = await environment.startGateway({ NODE_ENV: 'development', ROOT_REALM })
    const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
    const browser = await openBrowser()
    const send = (count: number) =>
      senders.call('sendMessages', { port: gateway.port, requests: composeRequests(realm), rate: RATE, count })
    try {
      const tabs = await openTabs(browser, realm, gateway.port)
      // Each channel has unread messages before.
      await send(size(CHANNELS * 3, { smoke: 10 }))
      await waitForMarker(tabs, realm, gateway.port)
      const count = size(2_000, { short: 500, smoke: 10 })
      const before = await Promise.all(tabs.map(({ devtools }) => readCpu(devtools)))
      await send(count)
      const delay = await waitForMarker(tabs, realm, gateway.port)
      const after = await Promise.all(tabs.map(({ devtools }) => readCpu(devtools)))
      const costs = after.map((cpu, index) => (cpu - (before[index] ?? 0)) / count)
      environment.print(`${costs.map(formatNumber).join(', ')} ms a message; ${formatNumber(delay)} ms behind`)
      return composeResults(costs, delay)
    } finally {
      await browser.close()
      await Promise.all([senders.stop(), gateway.stop()])
    }
  },
}

/** Adds channels to which all members are subscribed, so that there are `CHANNELS`. */
const addChannels = async ({ sql }: BenchEnvironment, realm: BenchRealm): Promise<void> => {
  const ids = Array.from({ length: CHANNELS - 1 }, (_, index) => realm.channel_id + 1 + index)
  const rows = ids.flatMap((id) => [
    composeInsert('channels', channelRow(id, { name: `channel ${id}`, date_created: 1_700_000_000 })),
    ...realm.user_ids.map((user_id) => composeInsert('subscriptions', composeSubscription(user_id, id, '#40bf65'))),
  ])
  await sql.begin(async (tx) => {
    await Promise.all(writeRows(tx, realm.id, rows))
    await tx`update counters set value = ${ids.at(-1) ?? 1} where realm_id = ${realm.id} and name = 'channels'`
  })
}

/** Messages of the other members to each topic of each channel. */
const composeRequests = (realm: BenchRealm): string[] =>
  Array.from({ length: CHANNELS * TOPICS }, (_, index) => {
    const sender = realm.user_ids[1 + (index % (realm.user_ids.length - 1))] ?? 0
    const [to, topic] = [1 + (index % CHANNELS), `topic ${Math.floor(index / CHANNELS)}`]
    const fields = { type: 'channel', to: String(to), topic, content }
    return formatRequest('POST', '/messages', realm.identify(sender), fields)
  })

interface Tab {
  page: Page
  devtools: CDPSession
}

/** Opens the tabs of one user in one browser. */
const openTabs = async (browser: Browser, realm: BenchRealm, port: number): Promise<Tab[]> => {
  const context = await logIn(browser, port, realm.user_ids[0] ?? 0)
  const tabs: Tab[] = []
  for (let count = 0; count < TABS; count += 1) {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(`http://127.0.0.1:${port}/#inbox`)
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    tabs.push({ page, devtools })
  }
  return tabs
}

/** The CPU time that the main thread of a page has used, in milliseconds. */
const readCpu = async (devtools: CDPSession): Promise<number> => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

let markers = 0

/** Sends a message, and waits until every tab shows its topic. @returns the milliseconds until then */
const waitForMarker = async (tabs: readonly Tab[], realm: BenchRealm, port: number): Promise<number> => {
  markers += 1
  const topic = `marker ${markers}.`
  const fields = { type: 'channel', to: String(realm.channel_id), topic, content: 'Is everything there?' }
  const sentAt = performance.now()
  const [response] = await sendAll(port, [
    formatRequest('POST', '/messages', realm.identify(realm.user_ids[1] ?? 0), fields),
  ])
  if (response !== undefined) parseSuccess(response)
  await Promise.all(tabs.map(({ page }) => waitForText(page, topic)))
  return performance.now() - sentAt
}

/** Waits without frames, which tabs in the background may not get. */
const waitForText = async (page: Page, text: string): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS
  const isShown = `document.querySelector('main').textContent.includes(${JSON.stringify(text)})`
  while (!(await page.evaluate(isShown))) {
    if (performance.now() > deadline) throw new Error(`A tab does not show “${text}”.`)
    await setTimeout(20)
  }
}

const composeResults = (costs: readonly number[], delay: number): BenchResult[] => {
  const [ofCpu, ofDelay] = [costs.map((cost) => cost / CPU_MS), [delay / DELAY_MS]]
  return [
    {
      label: 'CPU of a tab for a message',
      measured: `${formatNumber(median(costs))} ms`,
      baseline: `${CPU_MS} ms`,
      ratios: ofCpu,
      bound: requireAtMost(1, ofCpu),
    },
    {
      label: `five tabs behind ${RATE} messages a second`,
      measured: `${formatNumber(delay)} ms`,
      baseline: `${DELAY_MS} ms`,
      ratios: ofDelay,
      bound: { ...requireAtMost(1, ofDelay), isRequired: false },
    },
  ]
}
