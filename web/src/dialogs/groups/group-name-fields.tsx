import type { Signal } from '@preact/signals'
import { TextField } from '../../forms/fields.js'

/** The longest name of a group, in characters. */
const MAX_NAME_LENGTH = 100

/** Shows the fields for the name and the description of a group. The group is a new one or one that exists. */
export const GroupNameFields = ({ name, description }: { name: Signal<string>; description: Signal<string> }) => (
  <>
    <TextField
      label="Name"
      hint="Messages mention the group by it."
      value={name.value}
      most={MAX_NAME_LENGTH}
      isRequired
      onChange={(value) => {
        name.value = value
      }}
    />
    <TextField
      label="Description"
      value={description.value}
      rows={2}
      onChange={(value) => {
        description.value = value
      }}
    />
  </>
)
