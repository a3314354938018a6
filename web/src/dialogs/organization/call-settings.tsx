/** Where the calls of the organization are. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { OrganizationSelect } from './organization-fields.js'

/** Shows the settings of calls. */
export const CallSettings = () => {
  const chat = useChat()
  const action = useAction()
  const { realm_video_chat_provider: chosen, realm_available_video_chat_providers: providers = {} } =
    chat.organization.value
  return (
    <section class="dialog-group" aria-label={t('Calls')}>
      <h3>{t('Calls')}</h3>
      <OrganizationSelect
        name="video_chat_provider"
        label={t('Video and voice calls')}
        hint={t('Users put a link to a call into a message.')}
        options={Object.values(providers).map(({ id, name }) => ({
          value: id,
          label: id === providers.disabled?.id ? t('None') : name,
        }))}
        action={action}
      />
      <ActionStatus action={action} />
      {chosen === providers.jitsi_meet?.id && <ServerForm />}
    </section>
  )
}

const ServerForm = () => {
  const chat = useChat()
  const { realm_jitsi_server_url, server_jitsi_server_url } = chat.organization.value
  const address = realm_jitsi_server_url ?? ''
  const form = useForm({
    values: { address },
    send: (values) => chat.client.call('PATCH /realm', { jitsi_server_url: values.address.trim() || 'default' }),
    done: t('Saved.'),
  })
  return (
    <Form of={form}>
      <TextField
        label={t('Address of the Jitsi server')}
        hint={t('Without one, calls are at {address}.', { address: server_jitsi_server_url })}
        {...form.bind('address')}
      />
      <FormEnd of={form} label={t('Save the address')} isDisabled={form.values.address.trim() === address} />
    </Form>
  )
}
