/** What the organization is called, how it looks, and where it announces news. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { changedTexts, Form, FormEnd, isEmpty, useForm } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { OrganizationSelect } from './organization-fields.js'
import { OrganizationPictures } from './organization-pictures.js'

/** The longest name and description, in characters. */
const MOST = { name: 40, description: 1000 }

/** No channel. */
const NOWHERE = -1

/** The page "Name and icon". */
export const OrganizationProfile = () => (
  <>
    <NameForm />
    <OrganizationPictures />
    <Announcements />
  </>
)

const NameForm = () => {
  const chat = useChat()
  const { realm_name: name = '', realm_description: description = '' } = chat.organization.value
  const form = useForm({
    values: { name, description },
    send: (values) => chat.client.call('PATCH /realm', changedTexts(values, { name, description })),
    done: t('Saved.'),
  })
  return (
    <Form of={form}>
      <TextField label={t('Name of the organization')} isRequired most={MOST.name} {...form.bind('name')} />
      <TextField label={t('Description')} rows={3} most={MOST.description} {...form.bind('description')} />
      <FormEnd of={form} label={t('Save')} isDisabled={isEmpty(changedTexts(form.values, { name, description }))} />
    </Form>
  )
}

const Announcements = () => {
  const chat = useChat()
  const action = useAction()
  const channels = [...chat.channels.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .sort((one, other) => compareTexts(one.name, other.name))
  const options = [
    { value: NOWHERE, label: t('Nowhere') },
    ...channels.map(({ stream_id, name }) => ({ value: stream_id, label: `#${name}` })),
  ]
  return (
    <section class="dialog-group" aria-label={t('Announcements')}>
      <h3>{t('Announcements')}</h3>
      <div class="dialog-two-columns">
        <OrganizationSelect
          name="new_stream_announcements_stream_id"
          label={t('New channels')}
          options={options}
          action={action}
        />
        <OrganizationSelect
          name="signup_announcements_stream_id"
          label={t('New users')}
          options={options}
          action={action}
        />
      </div>
      <ActionStatus action={action} />
    </section>
  )
}
