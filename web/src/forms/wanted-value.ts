/** The value that a field shows while its change is under way. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** For how long the event of a change may follow its answer, in milliseconds. */
const EVENT_MS = 5_000

/**
 * Shows what the user chose at once. A second press acts on what the first one chose, although its event has not
 * arrived. The field has the value of the server again after a failure, and as soon as the change has arrived.
 * @param value the value of the server
 * @param change changes it; a promise says whether it succeeded
 * @returns the value to show, and the function that chooses another one
 */
export const useWantedValue = <Value>(
  value: Value,
  change: (value: Value) => unknown,
): [shown: Value, choose: (value: Value) => void] => {
  const wanted = useSignal<{ value: Value; isAnswered: boolean } | undefined>(undefined)
  const present = useRef(value)
  present.current = value
  useEffect(() => {
    if (wanted.peek()?.isAnswered) wanted.value = undefined
  }, [value])

  const choose = async (next: Value): Promise<void> => {
    const choice = { value: next, isAnswered: false }
    const forget = () => {
      if (wanted.peek() === choice) wanted.value = undefined
    }
    wanted.value = choice
    const isChanged = await change(next)
    choice.isAnswered = true
    if (isChanged !== true || present.current === next) forget()
    else setTimeout(forget, EVENT_MS)
  }
  return [wanted.value === undefined ? value : wanted.value.value, choose]
}
