/**
 * A form: the values of its fields, and the action that sends them.
 *
 * 1. A field is bound by the name of its value: `<TextField label="Name" {...form.bind('name')} />`.
 * 2. What is sent is what the fields have when the form is submitted. It is sent after what was sent before (`Action`).
 * 3. After a failure all fields keep their values, and after a success those that the user has changed since.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from './action.js'

/** What a field needs of the value that it shows and changes. */
export interface Binding<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Binds a field to a signal. */
export const bind = <Value,>(signal: Signal<Value>): Binding<Value> => ({
  value: signal.value,
  onChange(value) {
    signal.value = value
  },
})

interface FormOptions<Values> {
  /** the values at first */
  values: Values
  /** Sends the values. The form shows the error that it throws. */
  send: (values: Values) => Promise<unknown>
  /** what the user is told when they were sent */
  done?: string | ((values: Values) => string)
  /** the fields that have their first values again when they were sent; without it, none */
  renews?: 'all' | readonly (keyof Values)[]
  /** what the user is told at first, of a form that this one continues */
  told?: string | undefined
}

/** A form of a component. */
export interface BoundForm<Values> {
  /** what the fields have now */
  readonly values: Values
  readonly action: Action
  bind<Name extends keyof Values>(name: Name): Binding<Values[Name]>
  set(changes: Partial<Values>): void
  /** Sends the values. @returns whether that succeeded */
  submit(): Promise<boolean>
}

/** Creates a form. Only the first `values` count; all other options are those of the last render. */
export const useForm = <Values extends object>(options: FormOptions<Values>): BoundForm<Values> => {
  const { send, done = '', renews = [], told } = options
  const first = useRef(options.values).current
  const current = useSignal(first)
  const action = useAction(told)
  const set = (changes: Partial<Values>) => {
    current.value = { ...current.peek(), ...changes }
  }
  return {
    get values() {
      return current.value
    },
    action,
    bind: (name) => ({
      value: current.value[name],
      onChange(value) {
        current.value = { ...current.peek(), [name]: value }
      },
    }),
    set,
    async submit() {
      const values = current.peek()
      const said = typeof done === 'string' ? done : done(values)
      if (!(await action.run(() => send(values), said))) return false
      const names = renews === 'all' ? (Object.keys(first) as (keyof Values)[]) : renews
      const now = current.peek()
      set(
        pick(
          first,
          names.filter((name) => now[name] === values[name]),
        ),
      )
      return true
    },
  }
}

const pick = <Values extends object>(values: Values, names: readonly (keyof Values)[]): Partial<Values> => {
  const picked: Partial<Values> = {}
  for (const name of names) picked[name] = values[name]
  return picked
}

/** The texts that differ from the stored ones, without the spaces around them. */
export const changedTexts = <Name extends string>(
  values: Readonly<Record<Name, string>>,
  stored: Readonly<Record<NoInfer<Name>, string>>,
): Partial<Record<Name, string>> => {
  const changes: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(values) as Name[]) {
    if (values[name] !== stored[name]) changes[name] = values[name].trim()
  }
  return changes
}

/** Whether there is nothing to send. */
export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

interface FormProps {
  of: Pick<BoundForm<unknown>, 'submit'>
  class?: string
  /** what submitting the form does, if it does more than to send the values */
  onSubmit?: () => unknown
  children: ComponentChildren
}

/** Shows a form. */
export const Form = ({ of, class: classes = 'dialog-form', onSubmit = of.submit, children }: FormProps) => (
  <form
    class={classes}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  >
    {children}
  </form>
)

interface SubmitButtonProps {
  of: Pick<BoundForm<unknown>, 'action'>
  label: string
  isSecondary?: boolean
  /** without it, the button is disabled while the action is busy */
  isDisabled?: boolean
}

/** The button that submits the form. */
export const SubmitButton = ({
  of,
  label,
  isSecondary,
  isDisabled = of.action.state.value.isBusy,
}: SubmitButtonProps) => (
  <button class={isSecondary === true ? 'button' : 'button button-primary'} type="submit" disabled={isDisabled}>
    {label}
  </button>
)

interface FormEndProps extends SubmitButtonProps {
  /** other buttons */
  children?: ComponentChildren
}

/** The end of a form: how the action ended, and the buttons. */
export const FormEnd = ({ children, ...button }: FormEndProps) => (
  <>
    <ActionStatus action={button.of.action} />
    <div class="form-buttons">
      <SubmitButton {...button} />
      {children}
    </div>
  </>
)
