/** A field in which the user chooses several things by their names, such as people, groups or channels. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'

/** Things that are offered at once. */
const OFFERED = 8

/** A thing that can be chosen. */
export interface Choice {
  key: string
  name: string
  picture?: ComponentChildren
}

interface PickerProps {
  label: string
  chosen: readonly Choice[]
  /** Returns the choices that match what the user wrote, which can be empty; the chosen ones are left out here. */
  find: (words: string) => readonly Choice[]
  onChange: (keys: string[]) => void
  placeholder?: string
  hint?: string
}

/**
 * Shows the field and what it offers. Arrow keys choose among what it offers, Enter adds one, and Backspace removes the
 * last.
 */
export const Picker = ({ label, chosen, find, onChange, placeholder = t('Name'), hint }: PickerProps) => {
  const id = useId()
  const words = useSignal('')
  const active = useSignal(0)
  const isOpen = useSignal(false)
  const list = useRef<HTMLDivElement>(null)
  const keys = chosen.map(({ key }) => key)
  const offered = isOpen.value
    ? find(words.value)
        .filter(({ key }) => !keys.includes(key))
        .slice(0, OFFERED)
    : []
  useLayoutEffect(() => {
    if (offered.length > 0) list.current?.scrollIntoView({ block: 'nearest' })
  }, [offered.length])
  const add = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onChange([...keys, choice.key])
    words.value = ''
    // An open list would lie over what comes after the field, such as the button that saves.
    close()
  }
  const close = () => {
    isOpen.value = false
    active.value = 0
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (offered.length > 0) active.value = (active.value + step + offered.length) % offered.length
      isOpen.value = true
    } else if (event.key === 'Enter' && (words.value.trim() !== '' || offered.length > 0)) {
      event.preventDefault()
      add(offered[active.value])
    } else if (event.key === 'Backspace' && words.value === '') onChange(keys.slice(0, -1))
    else if (event.key === 'Escape' && (words.value !== '' || offered.length > 0)) {
      event.preventDefault()
      words.value = ''
      close()
    }
  }
  return (
    <div class="people-picker">
      <label class="field-label" for={id}>
        {label}
      </label>
      <ul class="chosen-people" aria-label={t('Chosen: {field}', { field: label })}>
        {chosen.map(({ key, name }) => (
          <li key={key} class="chosen-person">
            <bdi>{name}</bdi>
            <button
              type="button"
              class="icon-button"
              aria-label={t('Remove {name}', { name })}
              onClick={() => onChange(keys.filter((each) => each !== key))}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <input
        id={id}
        class="text-field"
        type="text"
        role="combobox"
        autocomplete="off"
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-options`}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...(offered[active.value] !== undefined && { 'aria-activedescendant': `${id}-${active.value}` })}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value
          active.value = 0
          isOpen.value = true
        }}
        onClick={() => {
          isOpen.value = true
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div
        class={offered.length > 0 ? 'people-options' : ''}
        id={`${id}-options`}
        ref={list}
        role="listbox"
        aria-label={label}
      >
        {offered.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The keys are those of the field, which keeps the focus.
          <div
            key={choice.key}
            id={`${id}-${index}`}
            class="people-option"
            role="option"
            tabIndex={-1}
            aria-selected={index === active.value}
            // The field keeps the focus. The choice is made when the pointer is released, so it can still move away.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => add(choice)}
          >
            {choice.picture}
            {choice.name}
          </div>
        ))}
      </div>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
