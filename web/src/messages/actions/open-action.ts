/** Which action on a message is open: one at a time. */
import type { Message } from '@parley/client'
import { signal } from '@preact/signals'

/** An action that has a dialog, a panel or a form of its own. */
export type ActionName = 'edit' | 'move' | 'delete' | 'history' | 'receipts' | 'reactions' | 'remind'

/** The action that is open, if any. `isOnTopic`: the message stands for its whole topic. */
export const openAction = signal<{ name: ActionName; message: Message; isOnTopic: boolean } | undefined>(undefined)

/** Opens an action on a message, or on its whole topic. */
export const beginAction = (name: ActionName, message: Message, isOnTopic = false): void => {
  openAction.value = { name, message, isOnTopic }
}

/** Closes the action that is open. */
export const endAction = (): void => {
  openAction.value = undefined
}
