/**
 * The menus of channels, topics and people: one is open at a time. A right click, the context-menu key, Shift+F10, a
 * long press, or a button beside the line opens it.
 */
import { signal } from '@preact/signals'
import type { Conversation } from '../routing/views.js'
import type { Point } from '../ui/popup.js'

/** What a menu is about; `everything` are all messages. */
export type MenuTarget = Conversation | { kind: 'person'; userId: number } | { kind: 'everything' }

/** A menu that is open. */
export interface OpenedMenu {
  target: MenuTarget
  anchor: HTMLElement
  /** where the pointer is, if it opened the menu */
  at?: Point
}

/** The menu that is open. */
export const openedMenu = signal<OpenedMenu | undefined>(undefined)

/** Opens a menu, or closes it if its anchor has it open already. */
export const toggleMenu = (target: MenuTarget, anchor: HTMLElement): void => {
  openedMenu.value = openedMenu.peek()?.anchor === anchor ? undefined : { target, anchor }
}

/** Closes the menu that is open. */
export const closeMenu = (): void => {
  openedMenu.value = undefined
}

/** How long a finger rests on a line to open its menu. */
const PRESS_MS = 500
/** A finger that moved this far scrolls. */
const PRESS_PIXELS = 10

/** The finger that rests on a line. */
let press: { timer: ReturnType<typeof setTimeout>; x: number; y: number; hasOpened: boolean } | undefined

const endPress = (): void => {
  clearTimeout(press?.timer)
  press = undefined
}

const openByPress = (target: MenuTarget, anchor: HTMLElement): void => {
  if (press === undefined) return
  clearTimeout(press.timer)
  press.hasOpened = true
  openedMenu.value = { target, anchor }
}

type On<E extends Event> = E & { currentTarget: HTMLElement }

/** The handlers of an element that has a menu. */
export const menuHandlers = (target: MenuTarget) => ({
  onContextMenu(event: On<MouseEvent>) {
    event.preventDefault()
    const { currentTarget: anchor, clientX: x, clientY: y } = event
    if (press === undefined) openedMenu.value = { target, anchor, at: { x, y } }
    // Some browsers tell of a long press themselves, some do not.
    else if (!press.hasOpened) openByPress(target, anchor)
  },
  onKeyDown(event: On<KeyboardEvent>) {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
    event.preventDefault()
    openedMenu.value = { target, anchor: event.currentTarget }
  },
  onTouchStart({ currentTarget: anchor, touches }: On<TouchEvent>) {
    endPress()
    const [touch] = touches
    if (touch === undefined || touches.length > 1) return
    const timer = setTimeout(openByPress, PRESS_MS, target, anchor)
    press = { timer, x: touch.clientX, y: touch.clientY, hasOpened: false }
  },
  onTouchMove({ touches: [touch] }: TouchEvent) {
    if (press === undefined || press.hasOpened || touch === undefined) return
    if (Math.hypot(touch.clientX - press.x, touch.clientY - press.y) > PRESS_PIXELS) endPress()
  },
  onTouchEnd(event: TouchEvent) {
    // Otherwise the finger that opened the menu would follow the link, too.
    if (press?.hasOpened === true) event.preventDefault()
    endPress()
  },
  onTouchCancel: endPress,
})
