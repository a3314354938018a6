/** Pictures of what tests show, for people who look at them. */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { root } from '../../../src/dev/root.js'

/** Where pictures are kept. */
export const pictures = join(root, 'test/.screenshots')

/**
 * Keeps a picture as `<name>.png`. On a CI machine, where nobody looks at it, none is taken: a picture of a phone's
 * screen takes a tenth of a second of both cores.
 */
export const keepPicture = async (shown: Page | Locator, name: string, isWhole = false): Promise<void> => {
  if (process.env.CI === 'true') return
  const path = join(pictures, `${name}.png`)
  if ('goto' in shown) await shown.screenshot({ path, fullPage: isWhole })
  else await shown.screenshot({ path })
}
