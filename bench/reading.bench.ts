/**
 * Does reading up and down in 1,000,000 messages jump, or cost more than in 10,000, in a real browser?
 *
 * A browser opens all messages at the newest one, scrolls up with the wheel through thousands of them and down again,
 * then opens the list in the middle of the history, and scrolls up and down there. In each frame, the page notes by how
 * much the messages in sight moved: a move against the direction of the wheel is a jump. Baseline: the same in a
 * history of 10,000 messages. The time is that of a step of the wheel, including the wait for messages that are not
 * loaded yet.
 *
 * Not measured: networks; touch screens; pictures, whose sizes the server knows.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { makeHistory } from '../test/setup/realm/message-history.js'
import { readList, type ShownList, watchMoves } from '../test/setup/web/list-moves.js'
import { maxRows } from '../web/src/messages/slice.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { median } from './harness/measure.js'
import { openBrowser, openView, PATIENCE_MS } from './load/browser.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost } from './results/bench.js'

const WHEEL_PX = 600
const HEIGHT = 900
/** A rounding of the browser is not a jump. */
const TOLERANCE_PX = 2

export const readingBench: Bench = {
  question: 'What does reading up and down in 1,000,000 messages cost in a real browser? Baseline: 10,000',
  async run(environment) {
    const { print, size } = environment
    const browser = await openBrowser()
    try {
      const measure = async (messages: number) => {
        const reading = await read(environment, browser, messages)
        const { jumps, rows, milliseconds } = reading
        print(
          `${messages.toLocaleString('en')} messages: ${milliseconds.length} steps, median ` +
            `${formatNumber(median(milliseconds))} ms, longest ${formatNumber(Math.max(...milliseconds))} ms; ` +
            `${jumps} jumps; at most ${rows} rows`,
        )
        return reading
      }
      const small = await measure(size(10_000, { smoke: 3_000 }))
      const large = await measure(size(1_000_000, { short: 100_000, smoke: 6_000 }))
      return composeResults(small, large)
    } finally {
      await browser.close()
    }
  },
}

interface Reading {
  messages: number
  /** of each step of the wheel */
  milliseconds: number[]
  jumps: number
  frames: number
  /** the greatest number of messages that the page held as elements */
  rows: number
}

/** Reads in a new history of so many messages. */
const read = async (environment: BenchEnvironment, browser: Browser, messages: number): Promise<Reading> => {
  const ROOT_REALM = `reading-${messages}`
  const { regular } = await makeHistory(environment.sql, ROOT_REALM, messages)
  const gateway = await environment.startGateway({ NODE_ENV: 'development', ROOT_REALM })
  try {
    const page = await openView(browser, { port: gateway.port, user_id: regular, fragment: '#feed' })
    const reading: Reading = { messages, milliseconds: [], jumps: 0, frames: 0, rows: 0 }
    // In an own account much is unread: the list opens there.
    await page.keyboard.press('End')
    await waitForList(page, ({ below }) => below < 1)
    const steps = environment.size(300, { short: 100, smoke: 4 })
    await scroll(page, reading, -WHEEL_PX, steps)
    await scroll(page, reading, WHEEL_PX, steps)
    await page.goto(`http://127.0.0.1:${gateway.port}/#narrow/channels/public/near/${Math.round(messages / 2)}`)
    await waitForList(page, ({ ids }) => ids.some((id) => Math.abs(id - messages / 2) < 50))
    await scroll(page, reading, -WHEEL_PX, steps)
    await scroll(page, reading, WHEEL_PX, steps)
    await page.context().close()
    return reading
  } finally {
    await gateway.stop()
  }
}

/** Waits until the list is so. The policy of the page does not allow a script to wait in it. */
const waitForList = async (page: Page, isSo: (shown: ShownList) => boolean): Promise<void> => {
  const start = performance.now()
  while (!isSo((await page.evaluate(readList)) as ShownList)) {
    if (performance.now() - start > PATIENCE_MS) throw new Error('The list of messages did not change.')
    await setTimeout(1)
  }
}

/** Turns the wheel, each time when the page has moved, and counts jumps. */
const scroll = async (page: Page, reading: Reading, pixels: number, steps: number): Promise<void> => {
  await page.mouse.move(600, HEIGHT / 2)
  await page.evaluate(watchMoves)
  for (let step = 0; step < steps; step++) {
    const before = (await page.evaluate(readList)) as ShownList
    if (pixels > 0 && before.below < 1) break
    reading.rows = Math.max(reading.rows, before.ids.length)
    const start = performance.now()
    await page.mouse.wheel(0, pixels)
    await waitForList(page, ({ first, offset }) => first !== before.first || offset !== before.offset)
    reading.milliseconds.push(performance.now() - start)
  }
  const moves = (await page.evaluate('moves')) as number[]
  reading.frames += moves.length
  // The content moves down when the wheel turns up.
  reading.jumps += moves.filter((move) => move * Math.sign(pixels) > TOLERANCE_PX).length
}

const composeResults = (small: Reading, large: Reading): BenchResult[] => {
  const steps = (reading: Reading) => median(reading.milliseconds)
  const longest = (reading: Reading) => Math.max(...reading.milliseconds)
  const ofSteps = [steps(large) / steps(small)]
  const rows = [large.rows / maxRows(HEIGHT)]
  const label = `in ${large.messages.toLocaleString('en')} messages`
  return [
    {
      label: `jumps ${label}`,
      measured: `${large.jumps} in ${large.frames} frames`,
      baseline: `${small.jumps} in ${small.frames} frames`,
      ratios: [large.jumps],
      bound: requireAtMost(0, [large.jumps]),
    },
    {
      label: `a step of the wheel ${label}`,
      measured: `${formatNumber(steps(large))} ms, longest ${formatNumber(longest(large))} ms`,
      baseline: `${formatNumber(steps(small))} ms, longest ${formatNumber(longest(small))} ms`,
      ratios: ofSteps,
      bound: { ...requireAtMost(1.5, ofSteps), isRequired: false },
    },
    {
      label: `messages that the page holds as elements ${label}`,
      measured: String(large.rows),
      baseline: `${maxRows(HEIGHT)}, the limit`,
      ratios: rows,
      bound: requireAtMost(1, rows),
    },
  ]
}
