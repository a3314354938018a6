/** The fields of forms. */
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { TextLimit } from '../ui/text-limit.js'
import { useWantedValue } from './wanted-value.js'

interface TextFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'url'
  autocomplete?: string
  /** the most characters of the text, without spaces around it */
  most?: number | undefined
  isRequired?: boolean
  isDisabled?: boolean
  rows?: number
}

/** A field for text; with `rows`, for several lines. */
export const TextField = (props: TextFieldProps) => {
  const { label, value, onChange, hint, type = 'text', autocomplete = 'off', most, rows } = props
  const id = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const descriptions = [...(hint === undefined ? [] : [`${id}-hint`]), ...(most === undefined ? [] : [`${id}-limit`])]
  const attributes = {
    id,
    ref: field,
    class: 'text-field',
    value,
    required: props.isRequired === true,
    disabled: props.isDisabled === true,
    // Addresses, passwords and numbers are written from left to right everywhere (base.css).
    ...((type === 'text' || type === 'search') && value !== '' && { dir: 'auto' as const }),
    ...(descriptions.length > 0 && { 'aria-describedby': descriptions.join(' ') }),
  }
  return (
    <div class="form-field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...attributes}
          type={type as 'text'}
          autocomplete={autocomplete}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <textarea {...attributes} rows={rows} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {most !== undefined && <TextLimit id={`${id}-limit`} field={field} text={value.trim()} most={most} />}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A value of a field, and how the field shows it. */
export interface SelectOption<Value extends string | number> {
  value: Value
  label: string
  /** the language of the label, where it is another one than that of the page */
  lang?: string
}

interface SelectFieldProps<Value extends string | number> {
  label: string
  value: Value
  options: readonly SelectOption<Value>[]
  /** Changes the value. A promise says whether that succeeded. */
  onChange: (value: Value) => unknown
  hint?: string
  isDisabled?: boolean
}

/** A field that has one of a few values. */
export const SelectField = <Value extends string | number>(props: SelectFieldProps<Value>) => {
  const { label, options, hint, isDisabled = false } = props
  const [value, choose] = useWantedValue(props.value, props.onChange)
  const id = useId()
  return (
    <div class="form-field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="text-field"
        disabled={isDisabled}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={({ currentTarget: select }) => {
          const chosen = options[select.selectedIndex]
          if (chosen !== undefined) choose(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface CheckFieldProps {
  label: ComponentChildren
  value: boolean
  /** Changes the value. A promise says whether that succeeded. */
  onChange: (value: boolean) => unknown
  hint?: string
  isDisabled?: boolean
}

/** A field that is on or off. */
export const CheckField = (props: CheckFieldProps) => {
  const { label, hint, isDisabled = false } = props
  const [value, choose] = useWantedValue(props.value, props.onChange)
  return (
    <label class="check-field">
      <input
        type="checkbox"
        checked={value}
        disabled={isDisabled}
        onChange={({ currentTarget: box }) => choose(box.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <span class="field-hint">{hint}</span>}
      </span>
    </label>
  )
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; hint: string }[]
  onChange: (value: Value) => void
}

/** A field that has one of a few values, each with an explanation. */
export const ChoiceField = <Value extends string>({ label, value, options, onChange }: ChoiceFieldProps<Value>) => {
  const name = useId()
  return (
    <fieldset class="choice-field">
      <legend class="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="check-field">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            <span class="field-hint">{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
