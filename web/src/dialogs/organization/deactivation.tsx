/** The end of an organization: an owner deactivates it, after writing its name. */

import { ActionStatus } from '../../forms/action.js'
import { SelectField, TextField } from '../../forms/fields.js'
import { Form, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'

/** The data is kept. */
const NEVER = 0

/** The page "Deactivation". */
export const Deactivation = () => {
  const chat = useChat()
  const { realm_name = '', server_min_deactivated_realm_deletion_days: fewest = 14 } = chat.organization.value
  const form = useForm({
    values: { days: NEVER, written: '' },
    send: ({ days }) =>
      chat.client.call('POST /realm/deactivate', { deletion_delay_days: days === NEVER ? null : days }),
  })
  const { written, days } = form.values
  const isConfirmed = written.trim() === realm_name
  const delays = [...new Set([fewest, 30, 90, 365])].filter((each) => each >= fewest)
  return (
    <>
      <p>{t('When the organization is deactivated:')}</p>
      <ul class="plain-points">
        <li>{t('All users are logged out at once, you too. Bots and other clients can make no calls.')}</li>
        <li>{t('Users who come back read that the organization is deactivated.')}</li>
        <li>{t('Only the operator of this server can reactivate it.')}</li>
      </ul>
      <Form of={form} onSubmit={() => isConfirmed && form.submit()}>
        <SelectField
          label={t('Messages, files and accounts')}
          hint={
            days === NEVER
              ? t('An export of the data can be made before.')
              : t('Deleted data cannot be restored. An export of the data can be made before.')
          }
          options={[
            { value: NEVER, label: t('Are kept') },
            ...delays.map((value) => ({
              value,
              label: t('Are deleted after {days, plural, one {# day} other {# days}}', { days: value }),
            })),
          ]}
          {...form.bind('days')}
        />
        <TextField
          label={t('Name of the organization')}
          hint={t('Write “{name}” to confirm.', { name: realm_name })}
          isRequired
          {...form.bind('written')}
        />
        <ActionStatus action={form.action} />
        <div class="form-buttons">
          <button class="button button-danger" type="submit" disabled={!isConfirmed || form.action.state.value.isBusy}>
            {t('Deactivate the organization')}
          </button>
        </div>
      </Form>
    </>
  )
}
