/** Which action on a message is open: one at a time. */
import type { Message } from '@parley/client'
import { signal } from '@preact/signals'

/** An action that has a dialog, a panel or a form of its own. */
export type ActionName = 'edit' | 'move' | 'delete' | 'history' | 'receipts' | 'reactions' | 'remind' | 'report'

interface ActionOptions {
  /** the message stands for its whole topic */
  isOnTopic?: boolean
  /** what has the focus after the action, instead of the message */
  returnsTo?: Element | null
}

/** The action that is open, if any. */
export const openAction = signal<({ name: ActionName; message: Message } & ActionOptions) | undefined>(undefined)

/** Opens an action on a message, or on its whole topic. */
export const beginAction = (name: ActionName, message: Message, options: ActionOptions = {}): void => {
  openAction.value = { name, message, ...options }
}

/** Closes the action that is open. */
export const endAction = (): void => {
  openAction.value = undefined
}
