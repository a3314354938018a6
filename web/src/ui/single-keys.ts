/**
 * Whether a letter or a sign alone is a shortcut. Who dictates, or presses keys by accident, turns that off: else each
 * word that the page takes for keys does something (WCAG 2.2, 2.1.4).
 */
import { computed } from '@preact/signals'
import { openBrowserChoice } from './browser-choice.js'

const choice = openBrowserChoice('single-keys', 'on')

/** Whether letters and signs alone are shortcuts. */
export const hasSingleKeys = computed(() => choice.value.value !== 'off')

/** Turns them on or off, in this browser. */
export const setSingleKeys = (isOn: boolean): void => choice.choose(isOn ? 'on' : 'off')
