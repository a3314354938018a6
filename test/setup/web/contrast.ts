/**
 * The contrast of every button, link and field of a page in every state, as WCAG 2.2 counts it (1.4.3, 1.4.11): text,
 * icons, edges and the ring of focus, against the colours that are painted behind them.
 *
 * 1. The browser itself computes the styles of a state (`CSS.forcePseudoState`). No control is clicked.
 * 2. Controls that look the same are measured once in a page.
 * 3. A disabled control has no limit in WCAG. Here its text must still be readable, with a contrast of 3.
 */
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'

const script = readFileSync(new URL('contrast-in-page.js', import.meta.url), 'utf8')

/** The pseudo-classes of a control, and of what is around it. */
const states = {
  rest: { control: [], around: [] },
  hover: { control: ['hover'], around: ['hover'] },
  focus: { control: ['focus', 'focus-visible', 'focus-within'], around: ['focus-within'] },
  active: { control: ['hover', 'active'], around: ['hover', 'active'] },
} as const

/** Measures the controls of one page. */
export interface ContrastMeter {
  /** How many values were measured. */
  readonly count: number
  /** Measures the controls that were not there before. @returns what is too faint */
  measure(): Promise<string[]>
}

/** Begins to measure a page. The page may change its fragment, and must not be loaded again. */
export const openContrastMeter = async (page: Page): Promise<ContrastMeter> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(script)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  let count = 0
  return {
    get count() {
      return count
    },
    async measure() {
      if ((await page.evaluate('contrastInPage.mark()')) === 0) return []
      const { root } = await session.send('DOM.getDocument', { depth: 0 })
      const controls = await findNodes(session, root.nodeId, 'control')
      const around = await findNodes(session, root.nodeId, 'around')
      const faint: string[] = []
      for (const [state, classes] of Object.entries(states)) {
        await force(session, controls, classes.control)
        await force(session, around, classes.around)
        const measured = await page.evaluate<{ faint: string[]; count: number }>(`contrastInPage.measure('${state}')`)
        faint.push(...measured.faint)
        count += measured.count
      }
      await force(session, [...controls, ...around], [])
      return faint
    },
  }
}

const findNodes = async (session: CDPSession, nodeId: number, value: string): Promise<number[]> =>
  (await session.send('DOM.querySelectorAll', { nodeId, selector: `[data-contrast=${value}]` })).nodeIds

const force = (session: CDPSession, nodeIds: readonly number[], classes: readonly string[]) =>
  Promise.all(
    nodeIds.map((nodeId) =>
      session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [...classes] }).catch((error: Error) => {
        // The page may have removed the element meanwhile.
        if (!error.message.includes('Could not find node')) throw error
      }),
    ),
  )
