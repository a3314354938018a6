/**
 * Whether a letter or a sign alone is a shortcut. Who dictates, or presses keys by accident, turns that off: else each
 * word that the page takes for keys does something (WCAG 2.2, 2.1.4). The browser keeps the choice, because it depends
 * on how the user enters text there.
 */
import { signal } from '@preact/signals'

const STORAGE_KEY = 'single-keys'

const readStored = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    // The browser allows no storage here.
    return true
  }
}

/** Whether letters and signs alone are shortcuts. */
export const hasSingleKeys = signal(readStored())

/** Turns them on or off, in this browser. */
export const setSingleKeys = (isOn: boolean): void => {
  hasSingleKeys.value = isOn
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off')
  } catch {
    // It holds until the page is loaded again.
  }
}
