/** The dialog that an entry of a menu opened: one at a time. */
import { signal } from '@preact/signals'

/** A dialog, and what it is about. */
export type MenuDialog =
  | { name: 'delete-topic'; channelId: number; topic: string }
  | { name: 'leave-channel'; channelId: number }

/** The dialog that is open. */
export const menuDialog = signal<MenuDialog | undefined>(undefined)

/** The channel whose colours are shown. `anchor` is the element that has the focus afterwards. */
export const coloredChannel = signal<{ channelId: number; anchor: HTMLElement } | undefined>(undefined)
