/** Choices of the browser and not of the account: they depend on how the user reads or types there. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** A choice, as text. */
export interface BrowserChoice {
  readonly value: ReadonlySignal<string>
  /** Chooses a value, which the browser keeps. */
  choose(value: string): void
}

/** Opens a choice under a key of the storage of the browser. */
export const openBrowserChoice = (key: string, initial: string): BrowserChoice => {
  const value = signal(readStored(key) ?? initial)
  return {
    value,
    choose(chosen) {
      value.value = chosen
      try {
        localStorage.setItem(key, chosen)
      } catch {
        // It holds until the page is loaded again.
      }
    },
  }
}

const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser allows no storage here.
    return null
  }
}
