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

/** A failure that has no dialog of its own, said at the top of the list. */
export const actionFailure = signal('')

/** Makes a call whose effect an event shows. Its failure is said to the user. */
export const attempt = async (call: Promise<unknown>): Promise<void> => {
  actionFailure.value = ''
  try {
    await call
  } catch (error) {
    actionFailure.value = (error as Error).message
  }
}
