/** The field for a code of the second factor. */
import { TextField } from '../forms/fields.js'
import type { Binding } from '../forms/form.js'
import { t } from '../languages/t.js'

/** The field. */
export const CodeField = (binding: Binding<string>) => (
  <TextField
    label={t('Code')}
    hint={t('The six digits that your app shows now, or one of your recovery codes.')}
    autocomplete="one-time-code"
    isRequired
    {...binding}
  />
)
