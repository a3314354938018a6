/**
 * The colour theme: that of the system, light or dark. It is a setting of the account (appearance.ts).
 *
 * 1. The theme is an attribute of the root element, which tokens.css turns into colours.
 * 2. The browser keeps the theme that was shown last. first-theme.js sets it before the page is first drawn, and the
 *    log-in view has it. A visitor, whose theme no account keeps, chooses it there, too.
 */

import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'parley.theme'

const readTheme = (): Theme => {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** The theme of the page. */
export const theme = signal<Theme>(readTheme())

/** Applies the theme to the page, now and after each change. */
export const applyTheme = (): void => {
  effect(() => {
    const shown = theme.value
    if (shown === 'system') {
      delete document.documentElement.dataset.theme
      localStorage.removeItem(KEY)
    } else {
      document.documentElement.dataset.theme = shown
      localStorage.setItem(KEY, shown)
    }
  })
}

/** Whether the page is dark now. */
export const isDark = (): boolean =>
  theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
