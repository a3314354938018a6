/** Forms whose result goes into the text of a message. Their code is loaded when they are first opened. */
import type { ComponentType } from 'preact'
import { useLoaded } from '../../ui/use-loaded.js'
import type { InsertionProps } from './insertion-props.js'

/** The forms. */
export type InsertionName = 'poll' | 'todo' | 'time' | 'snippet'

const forms: Readonly<Record<InsertionName, () => Promise<ComponentType<InsertionProps>>>> = {
  poll: async () => (await import('./entries-form.js')).PollForm,
  todo: async () => (await import('./entries-form.js')).TodoForm,
  time: async () => (await import('./time-form.js')).TimeForm,
  snippet: async () => (await import('./snippet-form.js')).SnippetForm,
}

/**
 * Shows a form. It is closed when the result is inserted, since a browser can undo only what changes a focused field.
 */
export const Insertion = ({ name, onInsert, onClose, text }: InsertionProps & { name: InsertionName }) => {
  const Form = useLoaded<ComponentType<InsertionProps> | undefined>(forms[name], undefined)
  if (Form === undefined) return null
  return (
    <Form
      text={text}
      onClose={onClose}
      onInsert={(result) => {
        onClose()
        // The page is drawn without the form in a microtask, too: no key that is pressed next comes before it.
        queueMicrotask(() => onInsert(result))
      }}
    />
  )
}

/** Changes the text of a field that has the focus then. */
export const writeInto = (field: HTMLTextAreaElement | null, apply: (field: HTMLTextAreaElement) => void): void => {
  if (field === null) return
  field.focus()
  apply(field)
}
