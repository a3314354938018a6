import type { Signal } from '@preact/signals'
import { SelectField, TextField } from '../forms/fields.js'

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
    <TextField
      label={label}
      type="search"
      value={words.value}
      onChange={(value) => {
        words.value = value
      }}
    />
    <SelectField
      label="Show"
      value={kind.value}
      options={kinds}
      onChange={(value) => {
        kind.value = value
      }}
    />
  </div>
)
