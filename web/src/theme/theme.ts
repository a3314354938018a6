/**
 * The colour theme: that of the system, or the one that the user chose in this browser.
 *
 * The chosen theme is an attribute of the root element, which tokens.css turns into colours.
 */
import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'parley.theme'

const readTheme = (): Theme => {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** The chosen theme. */
export const theme = signal<Theme>(readTheme())

/** Applies the theme to the page, now and after each change. */
export const applyTheme = (): void => {
  effect(() => {
    const chosen = theme.value
    if (chosen === 'system') {
      delete document.documentElement.dataset.theme
      localStorage.removeItem(KEY)
    } else {
      document.documentElement.dataset.theme = chosen
      localStorage.setItem(KEY, chosen)
    }
  })
}

/** Whether the page is dark now. */
export const isDark = (): boolean =>
  theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

/** Changes from light to dark or back. */
export const switchTheme = (): void => {
  theme.value = isDark() ? 'light' : 'dark'
}
