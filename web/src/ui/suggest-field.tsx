/** A field of one line that offers what completes it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { handleListKey, optionId, SuggestionList } from './suggestion-list.js'
import { TextLimit } from './text-limit.js'

interface SuggestFieldProps<Item> {
  label: string
  placeholder: string
  value: string
  /** the most characters of the text */
  most?: number | undefined
  class?: string
  /** Tab leaves the text as it was written */
  tabLeaves?: boolean
  /** offers items before anything is written */
  opensEmpty?: boolean
  /** gets the focus when the form opens */
  isFirst: boolean
  items: readonly Item[]
  keyOf: (item: Item) => string
  render: (item: Item) => ComponentChildren
  onInput: (value: string) => void
  onPick: (item: Item) => void
  /** Is called when the focus leaves the field. */
  onLeave?: () => void
  /** Is called for Backspace in the empty field. */
  onRemove?: () => void
}

/**
 * A field of one line with completions. Enter and Tab take the marked one. Tab leaves a field in which nothing was
 * typed, and one with `tabLeaves` unless the user marked a completion.
 */
export const SuggestField = <Item,>(props: SuggestFieldProps<Item>) => {
  const { label, placeholder, value, most, isFirst, items, keyOf, render, onInput, onPick } = props
  const { opensEmpty = false, tabLeaves = false, onLeave, onRemove } = props
  const isOpen = useSignal(false)
  const chosen = useSignal(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isTyped = useRef(false)
  const isMarked = useRef(false)
  const isShown = isOpen.value && items.length > 0
  const pick = (item: Item) => {
    isOpen.value = false
    isTyped.current = false
    onPick(item)
  }
  const open = () => {
    if (!opensEmpty || isOpen.value) return
    chosen.value = 0
    isOpen.value = true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && value === '') onRemove?.()
    if (!isShown) {
      if (event.key === 'ArrowDown') open()
      return
    }
    const leaves = event.shiftKey || !isTyped.current || (tabLeaves && !isMarked.current)
    if (event.isComposing || (event.key === 'Tab' && leaves)) return
    const action = handleListKey(event.key, chosen.value, items.length)
    if (action === undefined) return
    event.preventDefault()
    isMarked.current = typeof action === 'number'
    if (typeof action === 'number') chosen.value = action
    else if (action === 'close') isOpen.value = false
    else pick(items[Math.min(chosen.value, items.length - 1)] as Item)
  }
  return (
    <div class={`suggest-field ${props.class ?? ''}`.trim()}>
      <input
        class="text-field"
        ref={field}
        dir="auto"
        role="combobox"
        autoComplete="off"
        aria-label={label}
        aria-describedby={most === undefined ? undefined : `${id}-limit`}
        aria-expanded={isShown}
        aria-controls={id}
        aria-activedescendant={isShown ? optionId(id, chosen.value) : undefined}
        placeholder={placeholder}
        value={value}
        {...(isFirst && { 'data-first-field': '' })}
        onInput={(event) => {
          isOpen.value = true
          isTyped.current = true
          isMarked.current = false
          chosen.value = 0
          onInput(event.currentTarget.value)
        }}
        onFocus={(event) => {
          event.currentTarget.select()
          open()
        }}
        onClick={open}
        onBlur={() => {
          isOpen.value = false
          isTyped.current = false
          onLeave?.()
        }}
        onKeyDown={onKeyDown}
      />
      {most !== undefined && <TextLimit id={`${id}-limit`} field={field} text={value.trim()} most={most} />}
      {isShown && (
        <SuggestionList
          id={id}
          label={label}
          items={items}
          chosen={chosen.value}
          keyOf={keyOf}
          render={render}
          onPick={pick}
        />
      )}
    </div>
  )
}
