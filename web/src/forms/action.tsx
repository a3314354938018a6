/** Work that a form or a button begins: whether it runs, and how it ended. */

import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { errorText } from '../languages/error-text.js'

interface ActionState {
  isBusy: boolean
  error: string
  done: string
}

/** An action of a component. */
export interface Action {
  readonly state: Signal<ActionState>
  /**
   * Runs the work after what was begun before it. The buttons of an action differ, and an event can change what a
   * button does before the call is answered: a press is never dropped. A button that must not act twice is disabled
   * while the action is busy.
   * @returns whether the work succeeded. @param done what the user is told then
   */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>
}

/** Creates an action. @param done what the user is told at first, of an action that this one continues */
export const useAction = (done = ''): Action => {
  const state = useSignal<ActionState>({ isBusy: false, error: '', done })
  /** the work that was begun last */
  const last = useRef<Promise<unknown>>(Promise.resolve())

  /** @returns the error, or an empty text */
  const perform = async (previous: Promise<unknown>, work: () => Promise<unknown>): Promise<string> => {
    await previous
    try {
      await work()
      return ''
    } catch (reason) {
      return errorText(reason)
    }
  }

  return {
    state,
    async run(work, done = '') {
      if (!state.peek().isBusy) state.value = { isBusy: true, error: '', done: '' }
      const performed = perform(last.current, work)
      last.current = performed
      const failure = await performed
      // What follows at once does not hide an error.
      const error = failure || state.peek().error
      state.value = { isBusy: last.current !== performed, error, done: error === '' ? done : '' }
      return failure === ''
    },
  }
}

/** Says why something failed, as soon as it does. It shows nothing for an empty text. */
export const FailureNote = ({ reason }: { reason: string }) =>
  reason === '' ? null : (
    <p class="error-note" role="alert">
      {reason}
    </p>
  )

/** Tells how the action ended. */
export const ActionStatus = ({ action }: { action: Action }) => (
  <>
    <FailureNote reason={action.state.value.error} />
    <p class="done-note" role="status">
      {action.state.value.done}
    </p>
  </>
)
