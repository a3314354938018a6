/** An entry of a list: what it is, its place in an ordered list, and a form that a button opens. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../languages/t.js'
import { ConfirmButton } from './confirm-button.js'
import { type EntryPlace, MoveButtons } from './move-buttons.js'

interface EditableEntryProps {
  name: string
  /** one line about it */
  summary: string
  /** in a list whose order the user changes */
  place?: EntryPlace
  /** what the button that removes the entry says, and what it says after the first press */
  removal: { label: string; confirmLabel: string }
  onRemove: () => unknown
  /** the form */
  children: ComponentChildren
}

/** The entry. */
export const EditableEntry = ({ name, summary, place, removal, onRemove, children }: EditableEntryProps) => {
  const isOpen = useSignal(false)
  const id = useId()
  return (
    <li class="bot-entry">
      <div class="editable-entry-head">
        <div class="dialog-row-main">
          <p class="dialog-row-title" dir="auto">
            <bdi>{name}</bdi>
          </p>
          <p class="field-hint" dir="auto">
            {summary}
          </p>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset has a border and a legend. */}
        <div class="form-buttons" role="group" aria-label={name}>
          {place !== undefined && <MoveButtons name={name} place={place} />}
          <button
            type="button"
            class="button"
            aria-label={t('Edit {name}', { name })}
            aria-expanded={isOpen.value}
            aria-controls={id}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {t('Edit')}
          </button>
          <ConfirmButton {...removal} onConfirm={onRemove} />
        </div>
      </div>
      <div id={id} class="editable-entry-form" hidden={!isOpen.value}>
        {isOpen.value && children}
      </div>
    </li>
  )
}
