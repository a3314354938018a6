/** Accessibility of a page in a real browser, as axe-core finds it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The violations that axe finds, with their elements. `evaluate` is not bound by the policy of the page.
 *
 * It loads no style sheets itself: it would put one that the page is just loading into the page, which the policy of
 * the page forbids and the browser reports. No rule that runs needs them.
 *
 * One rule is left out: the addresses of the page are fragments, and axe takes a link that is scrolled out of sight
 * for a link that skips a part of the page.
 */
export const findViolations = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate(`axe.run({ preload: false, rules: { 'skip-link': { enabled: false } } }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}
