/** Work that a form or a button begins: whether it runs, and how it ended. */
import { type Signal, useSignal } from '@preact/signals'

interface ActionState {
  isBusy: boolean
  error: string
  done: string
}

/** An action of a component. */
export interface Action {
  readonly state: Signal<ActionState>
  /** Runs the work unless it runs already. @returns whether it succeeded. @param done what the user is told then */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>
}

/** Creates an action. @param done what the user is told at first, of an action that this one continues */
export const useAction = (done = ''): Action => {
  const state = useSignal<ActionState>({ isBusy: false, error: '', done })
  return {
    state,
    async run(work, done = '') {
      if (state.peek().isBusy) return false
      state.value = { isBusy: true, error: '', done: '' }
      try {
        await work()
        state.value = { isBusy: false, error: '', done }
        return true
      } catch (reason) {
        state.value = { isBusy: false, error: (reason as Error).message, done: '' }
        return false
      }
    },
  }
}

/** Tells how the action ended. */
export const ActionNote = ({ action }: { action: Action }) => {
  const { error, done } = action.state.value
  return (
    <>
      {error !== '' && (
        <p class="error-note" role="alert">
          {error}
        </p>
      )}
      <p class="done-note" role="status">
        {done}
      </p>
    </>
  )
}
