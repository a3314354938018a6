/** Which action on a message is open: one at a time. */
import type { Message } from '@parley/client'
import { signal } from '@preact/signals'

/** An action that has a dialog, a panel or a form of its own. */
export type ActionName = 'edit' | 'move' | 'delete' | 'history' | 'receipts' | 'reactions'

/** The action that is open, if any. */
export const openAction = signal<{ name: ActionName; message: Message } | undefined>(undefined)

/** Opens an action on a message. */
export const beginAction = (name: ActionName, message: Message): void => {
  openAction.value = { name, message }
}

/** Closes the action that is open. */
export const endAction = (): void => {
  openAction.value = undefined
}
