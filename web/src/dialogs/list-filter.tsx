import type { Signal } from '@preact/signals'
import { SelectField, TextField } from './fields.js'

interface ListFilterProps<Kind extends string> {
  /** the label of the search field */
  label: string
  words: Signal<string>
  kind: Signal<Kind>
  kinds: { value: Kind; label: string }[]
}

/** The fields above a list: words to search for, and which kind of entries it shows. */
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
