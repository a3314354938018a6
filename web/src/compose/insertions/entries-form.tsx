/** The forms for a poll and a to-do list: a title, and entries. The server makes the widget from the command. */

import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../languages/t.js'
import { Dialog } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import type { InsertionProps } from './insertion-props.js'
import './insertions.css'

interface Kind {
  command: '/poll' | '/todo'
  title: string
  heading: string
  /** names an entry by its number, which begins at 1 */
  entry: (number: number) => string
  remove: (number: number) => string
  add: string
  insert: string
  hint: string
  /** The text of the heading where the user writes none. Without it, the user has to write one. */
  standard?: string
}

const poll: Kind = {
  command: '/poll',
  title: t('Create a poll'),
  heading: t('Question'),
  entry: (number) => t('Option {number, number}', { number }),
  remove: (number) => t('Remove option {number, number}', { number }),
  add: t('Add an option'),
  insert: t('Insert the poll'),
  hint: t('Everyone who reads it can vote, and add options.'),
}

const todo: Kind = {
  command: '/todo',
  title: t('Create a to-do list'),
  heading: t('Title'),
  entry: (number) => t('Task {number, number}', { number }),
  remove: (number) => t('Remove task {number, number}', { number }),
  add: t('Add a task'),
  insert: t('Insert the list'),
  hint: t('Everyone who reads it can tick off tasks, and add some. A colon separates a task from its description.'),
  standard: t('Task list'),
}

/** The dialog for a poll. */
export const PollForm = (props: InsertionProps) => <EntriesForm kind={poll} {...props} />

/** The dialog for a to-do list. */
export const TodoForm = (props: InsertionProps) => <EntriesForm kind={todo} {...props} />

const FIRST_ENTRIES = 3

const EntriesForm = ({ kind, text, onInsert, onClose }: InsertionProps & { kind: Kind }) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [first = '', ...rest] = text.replace(/^\/(?:poll|todo)(?=\s|$)/, '').split('\n')
  const heading = useSignal(first.trim())
  const entries = useSignal(fill(rest.map(trimEntry).filter((line) => line !== '')))
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])

  const focused = useRef<number | undefined>(undefined)
  const focusEntry = (index: number) => form.current?.querySelectorAll<HTMLInputElement>('li input')[index]?.focus()
  // In the frame of the new entry: the next key is for it.
  useLayoutEffect(() => {
    if (focused.current !== undefined) focusEntry(focused.current)
    focused.current = undefined
  })
  const add = () => {
    focused.current = entries.value.length
    entries.value = [...entries.value, '']
  }
  const insert = () => {
    const title = heading.value.trim() === '' ? (kind.standard ?? '') : heading.value.trim()
    const lines = entries.value.map((entry) => entry.trim()).filter((entry) => entry !== '')
    onInsert([`${kind.command} ${title}`, ...lines].join('\n'))
  }
  return (
    <Dialog title={kind.title} onClose={onClose}>
      <form
        class="insertion-form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          insert()
        }}
      >
        <div>
          <label class="field-label" for={`${id}-heading`}>
            {kind.heading}
          </label>
          <input
            id={`${id}-heading`}
            class="text-field"
            dir="auto"
            autoComplete="off"
            required={kind.standard === undefined}
            placeholder={kind.standard}
            value={heading.value}
            onInput={(event) => {
              heading.value = event.currentTarget.value
            }}
          />
        </div>
        <ul class="insertion-entries">
          {entries.value.map((entry, index) => {
            const name = kind.entry(index + 1)
            return (
              <li key={index}>
                <input
                  class="text-field"
                  dir="auto"
                  autoComplete="off"
                  aria-label={name}
                  placeholder={name}
                  value={entry}
                  onInput={({ currentTarget: { value } }) => {
                    entries.value = entries.value.with(index, value)
                  }}
                  onKeyDown={(event) => {
                    // Enter goes to the next entry; in the last one, which is empty then, it inserts.
                    if (event.key !== 'Enter' || event.isComposing || entry.trim() === '') return
                    event.preventDefault()
                    if (index + 1 < entries.value.length) focusEntry(index + 1)
                    else add()
                  }}
                />
                <button
                  type="button"
                  class="icon-button"
                  aria-label={kind.remove(index + 1)}
                  title={t('Remove')}
                  onClick={() => {
                    focused.current = Math.max(0, index - 1)
                    entries.value = entries.value.toSpliced(index, 1)
                  }}
                >
                  <Icon name="close" size={15} />
                </button>
              </li>
            )
          })}
        </ul>
        <button type="button" class="button insertion-add" onClick={add}>
          <Icon name="plus" size={16} /> {kind.add}
        </button>
        <p class="soft-text">{kind.hint}</p>
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button button-primary">
            {kind.insert}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const fill = (entries: readonly string[]): readonly string[] =>
  entries.length >= FIRST_ENTRIES ? entries : [...entries, ...Array(FIRST_ENTRIES - entries.length).fill('')]

/** Without the sign of a list. */
const trimEntry = (line: string): string => line.trim().replace(/^[-*]\s*/, '')
