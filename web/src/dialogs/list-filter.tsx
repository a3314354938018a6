import type { Signal } from '@preact/signals'
import { SelectField, TextField } from '../forms/fields.js'
import { bind } from '../forms/form.js'
import { t } from '../languages/t.js'

interface ListFilterProps<Kind extends string> {
  /** the label of the search field */
  label: string
  words: Signal<string>
  kind: Signal<Kind>
  kinds: { value: Kind; label: string }[]
}

/**
 * Shows the fields above a list. They are for the words to search for, and for the kind of entries that the list shows.
 */
export const ListFilter = <Kind extends string>({ label, words, kind, kinds }: ListFilterProps<Kind>) => (
  <div class="dialog-two-columns">
    <TextField label={label} type="search" {...bind(words)} />
    <SelectField label={t('Show')} options={kinds} {...bind(kind)} />
  </div>
)
