import { signal } from '@preact/signals'

/** Which of the outer columns is open as a drawer, on a small screen. */
export const drawer = signal<'left' | 'right' | undefined>(undefined)
