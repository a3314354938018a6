/** The outer columns as drawers, on a small screen. */
import { signal } from '@preact/signals'
import type { Chat } from '../realm/chat.js'

/** Which of the outer columns is open as a drawer. `right` are the members, on whichever side they open. */
export const drawer = signal<'left' | 'right' | undefined>(undefined)

/** Whether the drawer of the members, and its button, are on the left. */
export const isMembersLeft = (chat: Chat): boolean => chat.settings.value.left_side_userlist === true
