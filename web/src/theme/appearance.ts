/**
 * The look that the user chose in the settings of the account: theme, contrast, size of the text, width.
 *
 * 1. A visitor has the settings of the organization for new accounts, and can choose a theme in this browser.
 * 2. After the end of a session only the theme stays (theme.ts, 2).
 */
import { effect } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import { textScale } from '../ui/screen.js'
import { attempt } from '../ui/status-line.js'
import { isDark, type Theme, theme } from './theme.js'

const themes: Readonly<Record<number, Theme>> = { 1: 'system', 2: 'dark', 3: 'light' }

/** The size of the text, in pixels, in which the style sheets are written. */
const STANDARD_SIZE = 16

/** Makes the page look as the settings say. @returns a function that ends this */
export const followAppearance = (chat: Chat): (() => void) => {
  const { dataset, style } = document.documentElement
  const stopTheme = effect(() => {
    const chosen = themes[chat.settings.value.color_scheme ?? 1] ?? 'system'
    if (chat.ownUserId !== undefined || theme.peek() === 'system') theme.value = chosen
  })
  const stop = effect(() => {
    const { high_contrast_mode, fluid_layout_width, web_font_size_px, web_line_height_percent } = chat.settings.value
    dataset.contrast = high_contrast_mode === true ? 'high' : 'standard'
    dataset.width = fluid_layout_width === true ? 'fluid' : 'limited'
    textScale.value = (web_font_size_px ?? STANDARD_SIZE) / STANDARD_SIZE
    style.setProperty('--text-scale', String(textScale.peek()))
    style.setProperty('--line-height', String((web_line_height_percent ?? 140) / 100))
  })
  return () => {
    stopTheme()
    stop()
    delete dataset.contrast
    delete dataset.width
    textScale.value = 1
    style.removeProperty('--text-scale')
    style.removeProperty('--line-height')
  }
}

/** Changes from light to dark or back. For a visitor, it does so in this browser alone. */
export const switchTheme = (chat: Chat): void => {
  const wanted = isDark() ? 'light' : 'dark'
  if (chat.ownUserId === undefined) theme.value = wanted
  else void attempt(chat.client.call('PATCH /settings', { color_scheme: wanted === 'dark' ? 2 : 3 }))
}
