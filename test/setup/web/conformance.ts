/**
 * Criteria of WCAG 2.2 that a browser can measure in any view (docs/accessibility.md): what axe does not check, or
 * checks only where an element is in sight.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const script = readFileSync(new URL('conformance-in-page.js', import.meta.url), 'utf8')

/** The checks that return what is wrong. */
export type Check =
  | 'findCoveredFocus'
  | 'findSmallTargets'
  | 'findOtherNames'
  | 'findSideways'
  | 'findLostText'
  | 'listHoverContent'

/** Checks one page. The page may change its fragment, and must not be loaded again. */
export interface ConformanceMeter {
  /** Returns what is wrong in the view that is open. */
  find(check: Check): Promise<string[]>
  /** Puts as much space between lines, words and letters as the page has to bear (1.4.12). */
  spaceText(): Promise<void>
  /** How many elements each check has looked at. */
  readonly counts: Partial<Record<Check, number>>
}

/** Begins to check a page. */
export const openConformanceMeter = async (page: Page): Promise<ConformanceMeter> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(script)
  const counts: Partial<Record<Check, number>> = {}
  return {
    counts,
    async find(check) {
      const { found, count = 0 } = await page.evaluate<{ found: string[]; count?: number }>(`conformance.${check}()`)
      counts[check] = (counts[check] ?? 0) + count
      return found
    },
    spaceText: () => page.evaluate('conformance.spaceText()'),
  }
}
