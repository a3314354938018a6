/** Providers with whose accounts users log in. Owners set them up. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../../forms/action.js'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { EditableEntry } from '../editable-entry.js'
import { accountRules, type Creates } from './account-rules.js'
import { AttributeMappingFields, readMapping } from './attribute-mapping-fields.js'
import { ProviderAddresses } from './provider-addresses.js'
import { SamlForm } from './saml-form.js'

type Loaded = Result<'GET /realm/log_in_methods'>
type Method = Loaded['log_in_methods'][number]
type Preset = Loaded['presets'][number]

/** The page "Log-in providers". */
export const ProviderSettings = () => {
  const { client } = useChat()
  const action = useAction()
  const loaded = useSignal<Loaded | undefined>(undefined)
  const protocol = useSignal<Protocol>('oidc')
  const load = async () => {
    loaded.value = await client.call('GET /realm/log_in_methods')
  }
  useEffect(() => {
    void action.run(load)
  }, [])
  const { log_in_methods = [], methods_of_operator = [], presets = [] } = loaded.value ?? {}
  const remove = async (method_id: number) => {
    await client.call('DELETE /realm/log_in_methods/{method_id}', { method_id })
    await load()
  }
  return (
    <>
      <p class="soft-text">
        {t(
          'Users log in with their account of a provider that speaks OpenID Connect or SAML. An account there is linked to the account here with the same address if the provider confirms the address.',
        )}
      </p>
      {methods_of_operator.length > 0 && (
        <p class="soft-text">
          {t('The operator of this server offers: {names}', {
            names: methods_of_operator.map(({ name }) => name).join(', '),
          })}
        </p>
      )}
      <ul class="dialog-rows" aria-label={t('Log-in providers')}>
        {log_in_methods.map((method) => (
          <EditableEntry
            key={method.id}
            name={method.name}
            summary={method.is_enabled ? String(method.options.issuer) : t('Turned off')}
            removal={{ label: t('Remove'), confirmLabel: t('Remove {name} now', { name: method.name }) }}
            onRemove={() => action.run(() => remove(method.id), t('The provider was removed.'))}
          >
            {method.kind === 'saml' ? (
              <SamlForm method={method} onSaved={load} />
            ) : (
              <ProviderForm method={method} onSaved={load} />
            )}
          </EditableEntry>
        ))}
      </ul>
      <ActionStatus action={action} />
      {loaded.value !== undefined && (
        <section class="dialog-group" aria-label={t('A new provider')}>
          <h3>{t('A new provider')}</h3>
          <SelectField
            label={t('Protocol')}
            options={protocols}
            value={protocol.value}
            onChange={(chosen) => {
              protocol.value = chosen
            }}
          />
          {protocol.value === 'saml' ? <SamlForm onSaved={load} /> : <ProviderForm presets={presets} onSaved={load} />}
        </section>
      )}
    </>
  )
}

type Protocol = 'oidc' | 'saml'

const protocols: { value: Protocol; label: string }[] = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'saml', label: 'SAML 2.0' },
]

interface ProviderFormProps {
  method?: Method
  presets?: readonly Preset[]
  onSaved: () => Promise<void>
}

const ProviderForm = ({ method, presets = [], onSaved }: ProviderFormProps) => {
  const { client } = useChat()
  const form = useForm({
    values: initialValues(method),
    async send({ name, secret, isEnabled, ...values }) {
      const given = { name: name.trim(), is_enabled: isEnabled, options: composeOptions(values) }
      if (method === undefined) {
        await client.call('POST /realm/log_in_methods', { ...given, client_secret: secret.trim() })
      } else {
        const kept = secret === '' ? {} : { client_secret: secret.trim() }
        await client.call('PATCH /realm/log_in_methods/{method_id}', { ...given, ...kept, method_id: method.id })
      }
      await onSaved()
    },
    done: method === undefined ? t('The provider was added. Enter its addresses at the provider.') : t('Saved.'),
    renews: method === undefined ? 'all' : ['secret'],
  })
  const choose = (name: string) => {
    const preset = presets.find((one) => one.name === name)
    if (preset === undefined) return
    const { issuer, verified_claim, dialect } = preset
    form.set({ name, issuer, verifiedClaim: verified_claim, dialect })
  }
  const isGitHub = form.values.dialect === 'github'
  return (
    <Form of={form}>
      {presets.length > 0 && (
        <SelectField
          label={t('Provider')}
          options={[
            { value: '', label: t('Another one') },
            ...presets.map(({ name }) => ({ value: name, label: name })),
          ]}
          value={presets.find(({ name }) => name === form.values.name)?.name ?? ''}
          onChange={choose}
        />
      )}
      <TextField label={t('Name on the button')} most={60} isRequired {...form.bind('name')} />
      <TextField
        label={t('Address of the provider (issuer)')}
        {...(form.values.issuer.includes('{') && { hint: t('Replace the parts in braces.') })}
        isRequired
        {...form.bind('issuer')}
      />
      <div class="dialog-two-columns">
        <TextField label={t('Client ID')} isRequired {...form.bind('clientId')} />
        <TextField
          label={t('Client secret')}
          {...(method?.has_secret === true && { hint: t('Leave this empty to keep the secret.') })}
          type="password"
          {...form.bind('secret')}
        />
      </div>
      <SelectField label={t('Who gets a new account')} options={accountRules} {...form.bind('creates')} />
      <TextField
        label={t('Only addresses of these domains')}
        hint={t('Separated by spaces. Without any, all that the organization accepts.')}
        {...form.bind('domains')}
      />
      {!isGitHub && (
        <>
          <TextField
            label={t('The claim that says that an address is verified')}
            isRequired
            {...form.bind('verifiedClaim')}
          />
          <TextField
            label={t('Scopes')}
            hint={t('What this server asks the provider for, separated by spaces.')}
            {...form.bind('scopes')}
          />
          <TextField
            label={t('Methods of the provider that count as a second factor (amr)')}
            hint={t(
              'Separated by spaces, such as “mfa otp hwk”. Without any, users with a second factor enter a code here too.',
            )}
            {...form.bind('amr')}
          />
        </>
      )}
      <AttributeMappingFields {...form.bind('mapping')} />
      {!isGitHub && (
        <CheckField label={t('A log-out here also ends the session at the provider')} {...form.bind('endsSession')} />
      )}
      <CheckField label={t('Users can log in with this provider')} {...form.bind('isEnabled')} />
      <FormEnd of={form} label={method === undefined ? t('Add the provider') : t('Save')} />
      {method !== undefined && (
        <ProviderAddresses
          addresses={[
            { label: t('Address for the way back (redirect URI)'), value: method.callback_url },
            ...(isGitHub
              ? []
              : [
                  { label: t('Back-channel log-out'), value: method.backchannel_logout_url },
                  { label: t('Front-channel log-out'), value: method.frontchannel_logout_url },
                ]),
          ]}
        />
      )}
    </Form>
  )
}

const initialValues = (method: Method | undefined) => {
  const options = method?.options ?? {}
  const read = (name: string, fallback = '') => (typeof options[name] === 'string' ? String(options[name]) : fallback)
  return {
    name: method?.name ?? '',
    issuer: read('issuer'),
    clientId: read('client_id'),
    secret: '',
    scopes: read('scopes', 'openid email profile'),
    verifiedClaim: read('verified_claim', 'email_verified'),
    creates: read('creates_accounts', 'invited') as Creates,
    domains: Array.isArray(options.domains) ? options.domains.join(' ') : '',
    amr: Array.isArray(options.second_factor_amr) ? options.second_factor_amr.join(' ') : '',
    endsSession: options.ends_provider_session === true,
    dialect: read('dialect', 'openid'),
    mapping: readMapping(options),
    isEnabled: method?.is_enabled ?? true,
  }
}

type Values = Omit<ReturnType<typeof initialValues>, 'name' | 'secret' | 'isEnabled'>

const composeOptions = (values: Values) => ({
  issuer: values.issuer.trim(),
  client_id: values.clientId.trim(),
  scopes: values.scopes,
  verified_claim: values.verifiedClaim.trim(),
  creates_accounts: values.creates,
  domains: values.domains.split(/[\s,]+/).filter((domain) => domain !== ''),
  second_factor_amr: values.amr.split(/[\s,]+/).filter((way) => way !== ''),
  ends_provider_session: values.endsSession,
  dialect: values.dialect,
  mapping: values.mapping,
})
