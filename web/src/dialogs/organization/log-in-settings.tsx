/** Whose mail address an account may have, and how users log in. Owners change both; administrators see them. */

import type { Organization } from '@parley/client/realm'
import type { JSX } from 'preact'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { isOwner } from '../../realm/permissions.js'
import { ConfirmButton } from '../confirm-button.js'
import { OrganizationCheck, useOrganizationUpdate } from './organization-fields.js'

type Domain = NonNullable<Organization['realm_domains']>[number]

/** The page "Mail domains and log-in". */
export const LogInSettings = () => (
  <>
    <Joining />
    <MailDomains />
    <RefusedDomains />
    <LogInMethods />
    <SecondFactorRule />
  </>
)

const SecondFactorRule = () => {
  const chat = useChat()
  const action = useAction()
  const update = useOrganizationUpdate(action)
  return (
    <section class="dialog-group" aria-label={t('Second factor')}>
      <h3>{t('Second factor')}</h3>
      <SelectField
        label={t('Who must have a second factor')}
        hint={t(
          'At their next log-in, they set one up before anything else. Then their other sessions and API keys end.',
        )}
        value={chat.organization.value.realm_second_factor_required_for ?? 'nobody'}
        options={[
          { value: 'nobody', label: t('Nobody') },
          { value: 'administrators', label: t('Administrators and owners') },
          { value: 'members', label: t('Everyone but guests') },
          { value: 'everyone', label: t('Everyone, guests too') },
        ]}
        isDisabled={!isOwner(chat)}
        onChange={(second_factor_required_for) => update({ second_factor_required_for })}
      />
      <ActionStatus action={action} />
    </section>
  )
}

const Joining = () => {
  const { organization } = useChat()
  const action = useAction()
  return (
    <section class="dialog-group" aria-label={t('Joining')}>
      <h3>{t('Joining')}</h3>
      <div>
        <OrganizationCheck
          name="invite_required"
          label={t('Only with an invitation')}
          hint={t('Without it, everyone who confirms a mail address can join. The log-in page offers it.')}
          isForOwners
          action={action}
        />
        {organization.value.realm_invite_required === false && (
          <OrganizationCheck
            name="sign_up_approval_required"
            label={t('Administrators approve who joins without an invitation')}
            hint={t('They find them under Requests to join.')}
            isForOwners
            action={action}
          />
        )}
      </div>
      <ActionStatus action={action} />
    </section>
  )
}

const RefusedDomains = () => {
  const chat = useChat()
  const action = useAction()
  const update = useOrganizationUpdate(action)
  const form = useForm({
    values: { domains: chat.organization.value.realm_refused_email_domains ?? '' },
    send: ({ domains }) => update({ refused_email_domains: domains }),
  })
  return (
    <section class="dialog-group" aria-label={t('Refused domains')}>
      <h3>{t('Refused domains')}</h3>
      <Form of={form}>
        <TextField
          label={t('Domains of which no address can join')}
          hint={t(
            'With commas between them. Their subdomains are refused too. Accounts that exist keep their addresses.',
          )}
          rows={2}
          isDisabled={!isOwner(chat)}
          {...form.bind('domains')}
        />
        {isOwner(chat) && <FormEnd of={form} label={t('Save the refused domains')} />}
      </Form>
      <ActionStatus action={action} />
    </section>
  )
}

const MailDomains = () => {
  const chat = useChat()
  const action = useAction()
  const domains = chat.organization.value.realm_domains ?? []
  return (
    <section class="dialog-group" aria-label={t('Mail addresses of users')}>
      <h3>{t('Mail addresses of users')}</h3>
      <div>
        {domains.length > 0 && (
          <OrganizationCheck
            name="emails_restricted_to_domains"
            label={t('Only addresses of the domains below')}
            hint={t('Accounts that exist keep their addresses.')}
            isForOwners
            action={action}
          />
        )}
        <OrganizationCheck
          name="disallow_disposable_email_addresses"
          label={t('No addresses of services for throw-away mail')}
          isForOwners
          action={action}
        />
      </div>
      {domains.length === 0 ? (
        <p class="soft-text">{t('There are no domains yet. With one, only its addresses can be accepted.')}</p>
      ) : (
        <ul class="dialog-rows" aria-label={t('Domains')}>
          {domains.map((domain) => (
            <DomainLine key={domain.domain} domain={domain} action={action} isLast={domains.length === 1} />
          ))}
        </ul>
      )}
      <ActionStatus action={action} />
      {isOwner(chat) && <NewDomain />}
    </section>
  )
}

interface DomainLineProps {
  domain: Domain
  action: Action
  isLast: boolean
}

const DomainLine = ({ domain: { domain, allow_subdomains }, action, isLast }: DomainLineProps) => {
  const chat = useChat()
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="dialog-row-title">
          <bdi>{domain}</bdi>
        </p>
        <CheckField
          label={t.rich<JSX.Element>(
            'Also subdomains<hidden> of {domain}</hidden>',
            { hidden: (children) => <span class="only-for-screen-readers">{children}</span> },
            { domain },
          )}
          isDisabled={!isOwner(chat)}
          value={allow_subdomains}
          onChange={(wanted) =>
            action.run(
              () => chat.client.call('PATCH /realm/domains/{domain}', { domain, allow_subdomains: wanted }),
              t('Saved.'),
            )
          }
        />
      </div>
      {isOwner(chat) && (
        <ConfirmButton
          label={t('Remove')}
          confirmLabel={t('Remove {domain} now', { domain })}
          onConfirm={() =>
            action.run(
              () => chat.client.call('DELETE /realm/domains/{domain}', { domain }),
              isLast ? t('The domain was removed. All domains are accepted.') : t('The domain was removed.'),
            )
          }
        />
      )}
    </li>
  )
}

const NewDomain = () => {
  const { client } = useChat()
  const form = useForm({
    values: { domain: '', allow_subdomains: false },
    send: (values) => client.call('POST /realm/domains', values),
    done: t('The domain was added.'),
    renews: 'all',
  })
  return (
    <Form of={form}>
      <TextField label={t('A new domain')} hint={t('Such as example.org')} isRequired {...form.bind('domain')} />
      <CheckField label={t('Also its subdomains')} {...form.bind('allow_subdomains')} />
      <FormEnd of={form} label={t('Add the domain')} />
    </Form>
  )
}

/** What users read about a log-in method. */
const methodLabels: Readonly<Record<string, { label: string; hint: string }>> = {
  Email: { label: t('Mail address and password'), hint: t('Users set their password themselves.') },
  'OpenID Connect': { label: t('An account of a provider'), hint: t('Owners set up the providers.') },
  SAML: { label: t('An account of a SAML provider'), hint: t('Owners set up the providers.') },
  JWT: { label: t('A signed token of another site'), hint: t('The operator of this server chose the site.') },
}

const LogInMethods = () => {
  const chat = useChat()
  const action = useAction()
  const update = useOrganizationUpdate(action)
  const methods = Object.entries(chat.organization.value.realm_authentication_methods ?? {}).filter(
    ([, { available }]) => available,
  )
  const isOnly = methods.filter(([, { enabled }]) => enabled).length === 1
  return (
    <section class="dialog-group" aria-label={t('Log-in methods')}>
      <h3>{t('Log-in methods')}</h3>
      {methods.map(([name, { enabled }]) => {
        const { label, hint } = methodLabels[name] ?? { label: name, hint: '' }
        return (
          <CheckField
            key={name}
            label={label}
            hint={[hint, ...(enabled && isOnly ? [t('It is the only method, so it stays on.')] : [])].join(' ')}
            isDisabled={!isOwner(chat) || (enabled && isOnly)}
            value={enabled}
            onChange={(wanted) => update({ authentication_methods: { [name]: wanted } })}
          />
        )
      })}
      {!isOwner(chat) && <p class="field-hint">{t('Only owners change this.')}</p>}
      <ActionStatus action={action} />
    </section>
  )
}
