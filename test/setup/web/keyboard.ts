/** A user who has no mouse: keys, and what has the focus. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE_MS } from './web-pages.js'

/** More elements than any part of the page has between two that a user wants to reach. */
const MAX_STEPS = 120

export interface Keyboard {
  /** Presses keys one after another. */
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /**
   * Presses a key until the element with this name has the focus. Each element on the way must be in sight, and must
   * show that it has the focus.
   */
  moveTo(name: string | RegExp, key?: string): Promise<void>
  /** Waits until the element with this name has the focus by itself. */
  isAt(name: string | RegExp): Promise<void>
}

/** Drives a page with the keyboard alone. */
export const useKeyboard = (page: Page): Keyboard => {
  const matches = (name: string | RegExp, actual: string) =>
    typeof name === 'string' ? actual === name : name.test(actual)
  const keyboard: Keyboard = {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.type(text),
    async moveTo(name, key = 'Tab') {
      const passed: string[] = []
      for (let step = 0; step < MAX_STEPS; step += 1) {
        await page.keyboard.press(key)
        const focus = (await page.evaluate(describeFocus)) as Focus
        if (!focus.isBody) expect(focus, focus.name).toMatchObject({ isInSight: true, isMarked: true })
        if (matches(name, focus.name)) return
        passed.push(focus.name)
      }
      throw new Error(`The key ${key} does not lead to ${name}. It leads to: ${passed.join(' | ')}`)
    },
    async isAt(name) {
      const at = async () => ((await page.evaluate(describeFocus)) as Focus).name
      await expect
        .poll(at, { timeout: PATIENCE_MS })
        .toEqual(typeof name === 'string' ? name : expect.stringMatching(name))
    },
  }
  return keyboard
}

interface Focus {
  /** as a screen reader says it */
  name: string
  isBody: boolean
  isInSight: boolean
  /** an outline, a border or a colour tells it from its rest */
  isMarked: boolean
}

/** Runs in the page. */
const describeFocus = `(() => {
  const element = document.activeElement ?? document.body
  const labelled = (element.getAttribute('aria-labelledby') ?? '').split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()
  const label = element.labels?.[0]?.textContent
  const name = element.getAttribute('aria-label') ?? (labelled || label || (element === document.body ? 'the page' : element.innerText) || element.title || '')
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
  const around = [element, element.parentElement].filter(Boolean).map((each) => getComputedStyle(each))
  return {
    name: name.replace(/\\s+/g, ' ').trim(),
    isBody: element === document.body,
    isInSight: width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    isMarked: around.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none') ||
      element.matches('input, textarea, select, [role=dialog], dialog, [tabindex="-1"]'),
  }
})()`
