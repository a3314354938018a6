import { TextField } from '../../forms/fields.js'
import type { Binding } from '../../forms/form.js'
import { t } from '../../languages/t.js'

/** The longest name of a group, in characters. */
const MAX_NAME_LENGTH = 100

interface GroupNameFieldsProps {
  name: Binding<string>
  description: Binding<string>
}

/** Shows the fields for the name and the description of a group. The group is a new one or one that exists. */
export const GroupNameFields = ({ name, description }: GroupNameFieldsProps) => (
  <>
    <TextField
      label={t('Name')}
      hint={t('Messages mention the group by it.')}
      most={MAX_NAME_LENGTH}
      isRequired
      {...name}
    />
    <TextField label={t('Description')} rows={2} {...description} />
  </>
)
