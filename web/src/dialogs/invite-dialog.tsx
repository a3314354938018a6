/** The dialog with which people are invited: `#invite` by mail, `#invite/link` by link, `#invite/open` what is open. */
import { useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../forms/action.js'
import { CheckField, SelectField, TextField } from '../forms/fields.js'
import { type Chat, useChat } from '../realm/chat.js'
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
export const InviteDialog = ({ path }: DialogAddress) => {
  const chat = useChat()
  const mayMail = mayInOrganization(chat, 'can_invite_users_group')
  const mayLink = mayInOrganization(chat, 'create_multiuse_invite_group')
  const pages = [
    ...(mayMail ? [{ name: 'mail', label: 'By mail', Content: InviteByMail }] : []),
    ...(mayLink ? [{ name: 'link', label: 'By link', Content: InviteByLink }] : []),
    { name: 'open', label: 'Open invitations', Content: OpenInvites },
  ]
  const current = pages.find(({ name }) => name === path[0]) ?? pages[0]
  const tabs = pages.map(({ name, label }) => ({ label, href: `#invite/${name}`, isCurrent: name === current?.name }))
  return (
    <AddressDialog title="Invite people" size="large">
      <DialogPages label="Ways to invite" tabs={tabs}>
        {current !== undefined && <current.Content />}
      </DialogPages>
    </AddressDialog>
  )
}

const DAY_MINUTES = 1440

const durations = [
  { value: DAY_MINUTES, label: 'A day' },
  { value: 7 * DAY_MINUTES, label: 'A week' },
  { value: 10 * DAY_MINUTES, label: '10 days' },
  { value: 30 * DAY_MINUTES, label: '30 days' },
  { value: 0, label: 'Until it is revoked' },
]

/** What an invitation gives, whichever way it is sent. */
const useGrants = () => {
  const role = useSignal(400)
  const minutes = useSignal(10 * DAY_MINUTES)
  const withDefaults = useSignal(true)
  const channelIds = useSignal<number[]>([])
  const groupIds = useSignal<readonly number[]>([])
  return {
    role,
    minutes,
    withDefaults,
    channelIds,
    groupIds,
    params: () => ({
      invite_as: role.value as 400,
      invite_expires_in_minutes: minutes.value === 0 ? null : minutes.value,
      include_realm_default_subscriptions: withDefaults.value,
      stream_ids: channelIds.value,
      group_ids: [...groupIds.value],
    }),
  }
}

/** The roles into which the user may invite. */
const grantedRoles = (chat: Chat): number[] => {
  const own = ownUser(chat)?.role ?? 600
  return roles.filter((role) => role >= own && (role >= 400 || isAdministrator(chat)))
}

const GrantFields = ({ grants }: { grants: ReturnType<typeof useGrants> }) => {
  const chat = useChat()
  const { role, minutes, withDefaults, channelIds, groupIds } = grants
  const { realm_default_streams = [] } = chat.organization.value
  return (
    <>
      <div class="dialog-two-columns">
        <SelectField
          label="Role"
          value={role.value}
          options={grantedRoles(chat).map((value) => ({ value, label: roleName(value) }))}
          onChange={(value) => {
            role.value = value
          }}
        />
        <SelectField
          label="Valid for"
          value={minutes.value}
          options={durations}
          onChange={(value) => {
            minutes.value = value
          }}
        />
      </div>
      <CheckField
        label="Subscribe to the default channels"
        {...(realm_default_streams.length > 0 && {
          hint: realm_default_streams.map((id) => `#${channelName(chat, id)}`).join(', '),
        })}
        isChecked={withDefaults.value}
        onChange={(value) => {
          withDefaults.value = value
        }}
      />
      <ChannelPicker
        label="Other channels to join"
        chosen={channelIds.value}
        isOffered={(channel) =>
          mayAddSubscribers(chat, channel) && !(withDefaults.value && realm_default_streams.includes(channel.stream_id))
        }
        onChange={(value) => {
          channelIds.value = value
        }}
      />
      <HoldersPicker
        label="Groups to join"
        chosen={{ userIds: [], groupIds: groupIds.value }}
        isOffered={(group) => mayAddGroupMembers(chat, group)}
        onChange={(value) => {
          groupIds.value = value.groupIds
        }}
      />
    </>
  )
}

const InviteByMail = () => {
  const chat = useChat()
  const action = useAction()
  const addresses = useSignal('')
  const grants = useGrants()
  const invite = async (event: SubmitEvent) => {
    event.preventDefault()
    const call = () => chat.client.call('POST /invites', { ...grants.params(), invitee_emails: addresses.value })
    if (await action.run(call, 'The invitations were sent.')) addresses.value = ''
  }
  return (
    <form class="dialog-form" onSubmit={invite}>
      <TextField
        label="Email addresses"
        hint="Separate them by commas or lines."
        rows={4}
        isRequired
        value={addresses.value}
        onChange={(value) => {
          addresses.value = value
        }}
      />
      <GrantFields grants={grants} />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          Send the invitations
        </button>
      </div>
    </form>
  )
}

const InviteByLink = () => {
  const chat = useChat()
  const action = useAction()
  const link = useSignal('')
  const grants = useGrants()
  const create = (event: SubmitEvent) => {
    event.preventDefault()
    void action.run(async () => {
      link.value = (await chat.client.call('POST /invites/multiuse', grants.params())).invite_link
    })
  }
  return (
    <form class="dialog-form" onSubmit={create}>
      <p>Everyone who has the link can join until it expires or is revoked.</p>
      <GrantFields grants={grants} />
      <ActionNote action={action} />
      {link.value !== '' && <CopyField label="The link" value={link.value} />}
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          Create a link
        </button>
      </div>
    </form>
  )
}
