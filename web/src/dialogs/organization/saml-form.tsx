/** The form of a provider that speaks SAML. Its metadata are at an address, or the owner pastes them. */

import type { Result } from '@parley/client'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { accountRules, type Creates } from './account-rules.js'
import { AttributeMappingFields, readMapping } from './attribute-mapping-fields.js'
import { ProviderAddresses } from './provider-addresses.js'

type Method = Result<'GET /realm/log_in_methods'>['log_in_methods'][number]

interface SamlFormProps {
  method?: Method
  onSaved: () => Promise<void>
}

/** The form, for a new provider or one that exists. */
export const SamlForm = ({ method, onSaved }: SamlFormProps) => {
  const { client } = useChat()
  const form = useForm({
    values: initialValues(method),
    async send({ name, secret, isEnabled, ...values }) {
      const given = {
        name: name.trim(),
        is_enabled: isEnabled,
        options: composeOptions(values),
      }
      const kept = secret === '' ? {} : { client_secret: secret.trim() }
      if (method === undefined) {
        await client.call('POST /realm/log_in_methods', { kind: 'saml', ...given, ...kept })
      } else {
        await client.call('PATCH /realm/log_in_methods/{method_id}', { ...given, ...kept, method_id: method.id })
      }
      await onSaved()
    },
    done: method === undefined ? t('The provider was added. Enter its addresses at the provider.') : t('Saved.'),
    renews: method === undefined ? 'all' : ['secret', 'metadata'],
  })
  const { source } = form.values
  return (
    <Form of={form}>
      <TextField label={t('Name on the button')} most={60} isRequired {...form.bind('name')} />
      <SelectField label={t('The provider is described by')} options={sources} {...form.bind('source')} />
      {source === 'address' && (
        <TextField
          label={t('Address of its metadata')}
          hint={t('The server reads them again and again, so it learns of new certificates.')}
          isRequired
          {...form.bind('metadataUrl')}
        />
      )}
      {source === 'text' && (
        <TextField label={t('Its metadata (XML)')} rows={5} isRequired {...form.bind('metadata')} />
      )}
      {source === 'values' && <SingleValues form={form} />}
      <TextField
        label={t('Key and certificate of this server (PEM)')}
        hint={
          method?.has_secret === true
            ? t('Leave this empty to keep the key.')
            : t('Optional. With a key, this server signs its requests, and opens encrypted assertions.')
        }
        rows={2}
        {...form.bind('secret')}
      />
      <div class="dialog-two-columns">
        <TextField label={t('Attribute of the mail address')} hint={wellKnown} {...form.bind('emailAttribute')} />
        <TextField label={t('Attribute of the name')} hint={wellKnown} {...form.bind('nameAttribute')} />
        <TextField
          label={t('Attribute that names the user')}
          hint={t('Without one, the NameID.')}
          {...form.bind('subjectAttribute')}
        />
        <TextField
          label={t('Attribute that says that an address is verified')}
          isRequired
          {...form.bind('verifiedClaim')}
        />
      </div>
      <CheckField
        label={t('All addresses count as verified')}
        hint={t('Only if users cannot choose their address at the provider: it opens the account with this address.')}
        {...form.bind('trusts')}
      />
      <SelectField label={t('Who gets a new account')} options={accountRules} {...form.bind('creates')} />
      <TextField
        label={t('Only addresses of these domains')}
        hint={t('Separated by spaces. Without any, all that the organization accepts.')}
        {...form.bind('domains')}
      />
      <AttributeMappingFields {...form.bind('mapping')} />
      <CheckField label={t('The whole answer must be signed, besides the assertion')} {...form.bind('wantsSigned')} />
      <CheckField label={t('A log-in may begin at the provider')} {...form.bind('startsThere')} />
      <CheckField label={t('A log-out here also ends the session at the provider')} {...form.bind('endsSession')} />
      <CheckField label={t('Users can log in with this provider')} {...form.bind('isEnabled')} />
      <FormEnd of={form} label={method === undefined ? t('Add the provider') : t('Save')} />
      {method !== undefined && (
        <ProviderAddresses
          addresses={[
            { label: t('Metadata of this server (entity ID)'), value: method.metadata_url },
            { label: t('Address for answers (ACS)'), value: method.callback_url },
            { label: t('Address for log-out (SLO)'), value: method.frontchannel_logout_url },
          ]}
        />
      )}
    </Form>
  )
}

const wellKnown = t('Without one, well-known names.')

type Source = 'address' | 'text' | 'values'

const sources: { value: Source; label: string }[] = [
  { value: 'address', label: t('The address of its metadata') },
  { value: 'text', label: t('Its metadata, pasted here') },
  { value: 'values', label: t('Single values') },
]

/** What metadata say, entered one by one. */
const SingleValues = ({ form }: { form: ReturnType<typeof useForm<ReturnType<typeof initialValues>>> }) => (
  <>
    <TextField label={t('Entity ID of the provider')} isRequired {...form.bind('issuer')} />
    <TextField label={t('Its address for log-in')} isRequired {...form.bind('ssoUrl')} />
    <TextField label={t('Its address for log-out')} {...form.bind('sloUrl')} />
    <TextField
      label={t('Its certificates (PEM)')}
      hint={t('Several while it changes its key, one after another.')}
      rows={5}
      isRequired
      {...form.bind('certificates')}
    />
  </>
)

const initialValues = (method: Method | undefined) => {
  const options = method?.options ?? {}
  const read = (name: string, fallback = '') => (typeof options[name] === 'string' ? String(options[name]) : fallback)
  const list = (name: string, between: string) => (Array.isArray(options[name]) ? options[name].join(between) : '')
  return {
    name: method?.name ?? '',
    source: (method === undefined || read('metadata_url') !== '' ? 'address' : 'values') as Source,
    metadataUrl: read('metadata_url'),
    metadata: '',
    issuer: read('issuer'),
    ssoUrl: read('sso_url'),
    sloUrl: read('slo_url'),
    certificates: list('certificates', '\n\n'),
    secret: '',
    emailAttribute: read('email_attribute'),
    nameAttribute: read('name_attribute'),
    subjectAttribute: read('subject_attribute'),
    verifiedClaim: read('verified_claim', 'email_verified'),
    trusts: options.trusts_addresses === true,
    creates: read('creates_accounts', 'invited') as Creates,
    domains: list('domains', ' '),
    mapping: readMapping(options),
    wantsSigned: options.wants_signed_response === true,
    startsThere: options.starts_at_provider === true,
    endsSession: options.ends_provider_session === true,
    isEnabled: method?.is_enabled ?? true,
  }
}

type Values = Omit<ReturnType<typeof initialValues>, 'name' | 'secret' | 'isEnabled'>

const composeOptions = (values: Values) => ({
  ...composeSource(values),
  email_attribute: values.emailAttribute.trim(),
  name_attribute: values.nameAttribute.trim(),
  subject_attribute: values.subjectAttribute.trim(),
  verified_claim: values.verifiedClaim.trim(),
  trusts_addresses: values.trusts,
  creates_accounts: values.creates,
  domains: values.domains.split(/[\s,]+/).filter((domain) => domain !== ''),
  mapping: values.mapping,
  wants_signed_response: values.wantsSigned,
  starts_at_provider: values.startsThere,
  ends_provider_session: values.endsSession,
})

const composeSource = ({ source, metadataUrl, metadata, issuer, ssoUrl, sloUrl, certificates }: Values) => {
  switch (source) {
    case 'address':
      return { metadata_url: metadataUrl.trim() }
    case 'text':
      return { metadata }
    case 'values':
      return {
        issuer: issuer.trim(),
        sso_url: ssoUrl.trim(),
        slo_url: sloUrl.trim(),
        // A certificate in PEM ends with a line of its own; without such lines, blank lines part them.
        certificates: certificates
          .split(/(?<=-----END CERTIFICATE-----)\s*|\n\s*\n/)
          .map((certificate) => certificate.trim())
          .filter((certificate) => certificate !== ''),
      }
  }
}
