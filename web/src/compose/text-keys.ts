/** The keys of a field for Markdown. The list of shortcuts shows this table too. */
import { t } from '../languages/t.js'
import { insertLink, toggleAround } from './text-edits.js'

/** A key that formats what is selected. It is pressed together with Control, or with Command on a Mac. */
export interface TextKey {
  /** in small letters */
  key: string
  hasShift: boolean
  label: string
  apply: (field: HTMLTextAreaElement) => void
}

/** The keys that format. */
export const textKeys: readonly TextKey[] = [
  { key: 'b', hasShift: false, label: t('Bold'), apply: (field) => toggleAround(field, '**') },
  { key: 'i', hasShift: false, label: t('Italic'), apply: (field) => toggleAround(field, '*') },
  { key: 'l', hasShift: true, label: t('Link'), apply: insertLink },
]

/** A key as the table of all shortcuts has it: `Ctrl+Shift+L`. */
export const textKeyName = ({ key, hasShift }: TextKey): string =>
  ['Ctrl', ...(hasShift ? ['Shift'] : []), key.toUpperCase()].join('+')

/** Formats what is selected if the key is one of the table. @returns whether it is */
export const formatByKey = (event: KeyboardEvent, field: HTMLTextAreaElement): boolean => {
  if (!event.ctrlKey && !event.metaKey) return false
  const found = textKeys.find(({ key, hasShift }) => key === event.key.toLowerCase() && hasShift === event.shiftKey)
  found?.apply(field)
  return found !== undefined
}
