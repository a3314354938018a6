/**
 * A user who has no mouse and does not see the screen: keys, and what the browser tells a screen reader about the
 * element that has the focus. Role, name and states are those of the browser's accessibility tree, not of the HTML.
 */
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE_MS } from './web-pages.js'

/** More elements than any part of the page has between two that a user wants to reach. */
const MAX_STEPS = 150

/** What a screen reader says of the focus. */
export interface Focus {
  role: string
  name: string
  description: string
  /** what a field has */
  value: string
  /** such as `checked: true`, `expanded: false` */
  states: Readonly<Record<string, string>>
  /** the text inside of it, such as that of a message */
  text: string
}

export interface ScreenReader {
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** What has the focus. */
  readFocus(): Promise<Focus>
  /** Waits until the focus is at an element of this role and name by itself, or its list has such a proposal chosen. */
  isAt(role: string, name: string | RegExp): Promise<Focus>
  /** Presses a key until the focus is at an element of this role and name, whose text has `text`. */
  goTo(role: string, name: string | RegExp, options?: { key?: string; text?: string }): Promise<Focus>
  /** Waits until the page tells this in a live region, which a screen reader says wherever the focus is. */
  hears(text: string | RegExp): Promise<void>
}

interface Value {
  value?: unknown
}

/** The parts of a node of the accessibility tree that are read here. */
interface AXNode {
  ignored: boolean
  role?: Value
  name?: Value
  description?: Value
  value?: Value
  properties?: { name: string; value: Value }[]
}

/** Run in the page: what has the focus, and the proposal that is chosen in its list. */
const focused = 'document.activeElement ?? document.body'
const chosen = `document.getElementById((${focused}).getAttribute('aria-activedescendant') ?? '')`

const clean = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** Reads an element. It throws when the element leaves the page meanwhile. @returns undefined when there is none */
const read = async (session: CDPSession, expression: string): Promise<Focus | undefined> => {
  const { result } = await session.send('Runtime.evaluate', { expression })
  if (result.objectId === undefined) return undefined
  const { objectId } = result
  const { nodes } = await session.send('Accessibility.queryAXTree', { objectId })
  const { nodes: own } = await session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false })
  await session.send('Runtime.releaseObject', { objectId })
  const [node] = own as unknown as AXNode[]
  const texts = (nodes as unknown as AXNode[]).filter(({ role }) => role?.value === 'StaticText')
  return {
    role: clean(node?.role?.value),
    name: clean(node?.name?.value),
    description: clean(node?.description?.value),
    value: clean(node?.value?.value),
    states: Object.fromEntries((node?.properties ?? []).map(({ name, value }) => [name, clean(value.value)])),
    text: clean(texts.map(({ name }) => name?.value).join(' ')),
  }
}

const isSame = (name: string | RegExp, actual: string): boolean =>
  typeof name === 'string' ? actual === name : name.test(actual)

/** Drives a page with the keyboard and by names alone. */
export const useScreenReader = async (page: Page): Promise<ScreenReader> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  /** What has the focus, and the chosen proposal. What has just left the page is read again. */
  const readAll = async (): Promise<Focus[]> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const all = [await read(session, focused), await read(session, chosen)]
        return all.filter((each) => each !== undefined)
      } catch (error) {
        if (attempt === 5) throw error
      }
    }
  }
  const find = async (role: string, name: string | RegExp, text = '') => {
    const all = await readAll()
    const found = all.find((each) => each.role === role && isSame(name, each.name) && each.text.includes(text))
    return { found, said: all.map((each) => `${each.role} "${each.name}"`).join(', ') }
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    press,
    type: (text) => page.keyboard.type(text),
    readFocus: async () => (await readAll())[0] as Focus,
    async isAt(role, name) {
      let last: Focus | undefined
      const at = async () => {
        const { found, said } = await find(role, name)
        last = found
        return found === undefined ? said : 'there'
      }
      await expect.poll(at, { timeout: PATIENCE_MS, message: `${role} ${name}` }).toBe('there')
      return last as Focus
    },
    async goTo(role, name, { key = 'Tab', text = '' } = {}) {
      const passed: string[] = []
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const { found, said } = await find(role, name, text)
        if (found !== undefined) return found
        passed.push(said)
        await press(key)
      }
      throw new Error(`The key ${key} does not lead to ${role} ${name}. It leads to: ${passed.join(' | ')}`)
    },
    async hears(text) {
      const regions = page.getByRole('status').or(page.getByRole('alert'))
      await regions.filter({ hasText: text }).first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
    },
  }
}
