/** The dialog with which people are invited: `#invite` by mail, `#invite/link` by link, `#invite/open` what is open. */

import { useSignal } from '@preact/signals'
import { ActionStatus } from '../forms/action.js'
import { CheckField, SelectField, TextField } from '../forms/fields.js'
import { type BoundForm, Form, FormEnd, SubmitButton, useForm } from '../forms/form.js'
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import type { Holders } from '../realm/groups.js'
import { channelName } from '../realm/names.js'
import {
  isAdministrator,
  mayAddGroupMembers,
  mayAddSubscribers,
  mayInOrganization,
  ownUser,
} from '../realm/permissions.js'
import { roleName, roles } from '../realm/roles.js'
import { AddressDialog, type DialogAddress } from './address-dialog.js'
import { ChannelPicker } from './channel-picker.js'
import { CopyField } from './copy-field.js'
import { DialogPages } from './dialog-pages.js'
import { HoldersPicker } from './holders-picker.js'
import { OpenInvites } from './open-invites.js'

/** The dialog of invitations. */
const InviteDialog = ({ path }: DialogAddress) => {
  const chat = useChat()
  const mayMail = mayInOrganization(chat, 'can_invite_users_group')
  const mayLink = mayInOrganization(chat, 'create_multiuse_invite_group')
  const pages = [
    ...(mayMail ? [{ name: 'mail', label: t('By mail'), Content: InviteByMail }] : []),
    ...(mayLink ? [{ name: 'link', label: t('By link'), Content: InviteByLink }] : []),
    { name: 'open', label: t('Open invitations'), Content: OpenInvites },
  ]
  const current = pages.find(({ name }) => name === path[0]) ?? pages[0]
  const tabs = pages.map(({ name, label }) => ({ label, href: `#invite/${name}`, isCurrent: name === current?.name }))
  return (
    <AddressDialog title={t('Invite people')} size="large">
      <DialogPages label={t('Ways to invite')} tabs={tabs}>
        {current !== undefined && <current.Content />}
      </DialogPages>
    </AddressDialog>
  )
}

export default InviteDialog

const DAY_MINUTES = 1440

const durations = [
  { value: DAY_MINUTES, label: t('A day') },
  { value: 7 * DAY_MINUTES, label: t('A week') },
  { value: 10 * DAY_MINUTES, label: t('10 days') },
  { value: 30 * DAY_MINUTES, label: t('30 days') },
  { value: 0, label: t('Until it is revoked') },
]

/** Who is invited, and what the invitation gives. */
interface Invitation {
  /** of an invitation by mail */
  addresses: string
  role: number
  minutes: number
  withDefaults: boolean
  channelIds: number[]
  groups: Holders
}

const newInvitation: Invitation = {
  addresses: '',
  role: 400,
  minutes: 10 * DAY_MINUTES,
  withDefaults: true,
  channelIds: [],
  groups: { userIds: [], groupIds: [] },
}

/** What an invitation gives, whichever way it is sent. */
const composeGrants = ({ role, minutes, withDefaults, channelIds, groups }: Invitation) => ({
  invite_as: role as 400,
  invite_expires_in_minutes: minutes === 0 ? null : minutes,
  include_realm_default_subscriptions: withDefaults,
  stream_ids: channelIds,
  group_ids: [...groups.groupIds],
})

/** The roles into which the user may invite. */
const grantedRoles = (chat: Chat): number[] => {
  const own = ownUser(chat)?.role ?? 600
  return roles.filter((role) => role >= own && (role >= 400 || isAdministrator(chat)))
}

const GrantFields = ({ form }: { form: BoundForm<Invitation> }) => {
  const chat = useChat()
  const { withDefaults } = form.values
  const { realm_default_streams = [] } = chat.organization.value
  return (
    <>
      <div class="dialog-two-columns">
        <SelectField
          label={t('Role')}
          options={grantedRoles(chat).map((value) => ({ value, label: roleName(value) }))}
          {...form.bind('role')}
        />
        <SelectField label={t('Valid for')} options={durations} {...form.bind('minutes')} />
      </div>
      <CheckField
        label={t('Subscribe to the default channels')}
        {...(realm_default_streams.length > 0 && {
          hint: listNames(realm_default_streams.map((id) => `#${channelName(chat, id)}`)),
        })}
        {...form.bind('withDefaults')}
      />
      <ChannelPicker
        label={t('Other channels to join')}
        isOffered={(channel) =>
          mayAddSubscribers(chat, channel) && !(withDefaults && realm_default_streams.includes(channel.stream_id))
        }
        {...form.bind('channelIds')}
      />
      <HoldersPicker
        label={t('Groups to join')}
        isOffered={(group) => mayAddGroupMembers(chat, group)}
        {...form.bind('groups')}
      />
    </>
  )
}

const InviteByMail = () => {
  const chat = useChat()
  const form = useForm({
    values: newInvitation,
    send: (invitation) =>
      chat.client.call('POST /invites', { ...composeGrants(invitation), invitee_emails: invitation.addresses }),
    done: t('The invitations were sent.'),
    renews: ['addresses'],
  })
  return (
    <Form of={form}>
      <TextField
        label={t('Email addresses')}
        hint={t('Separate them by commas or lines.')}
        rows={4}
        isRequired
        {...form.bind('addresses')}
      />
      <GrantFields form={form} />
      <FormEnd of={form} label={t('Send the invitations')} />
    </Form>
  )
}

const InviteByLink = () => {
  const chat = useChat()
  const link = useSignal('')
  const form = useForm({
    values: newInvitation,
    send: async (invitation) => {
      link.value = (await chat.client.call('POST /invites/multiuse', composeGrants(invitation))).invite_link
    },
  })
  return (
    <Form of={form}>
      <p>{t('Everyone who has the link can join until it expires or is revoked.')}</p>
      <GrantFields form={form} />
      <ActionStatus action={form.action} />
      {link.value !== '' && <CopyField label={t('The link')} value={link.value} />}
      <div class="form-buttons">
        <SubmitButton of={form} label={t('Create a link')} />
      </div>
    </Form>
  )
}
