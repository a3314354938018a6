/** The settings of the organization that decide how messages, profiles and new accounts work. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { SelectField } from '../../forms/fields.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { isOwner } from '../../realm/permissions.js'
import { ConfirmButton } from '../confirm-button.js'
import { CallSettings } from './call-settings.js'
import {
  OrganizationCheck,
  OrganizationLimit,
  OrganizationSelect,
  useOrganizationUpdate,
} from './organization-fields.js'

/** The page "Settings". */
export const OrganizationSettings = () => (
  <>
    <SettingsGroup title={t('Messages')} fields={MessageSettings} />
    <Retention />
    <SettingsGroup title={t('New users')} fields={JoiningSettings} />
    <SettingsGroup title={t('Profiles and guests')} fields={ProfileSettings} />
    <CallSettings />
  </>
)

interface SettingsPart {
  action: Action
}

interface SettingsGroupProps {
  title: string
  fields: (props: SettingsPart) => ComponentChildren
}

const SettingsGroup = ({ title, fields: Fields }: SettingsGroupProps) => {
  const action = useAction()
  return (
    <section class="dialog-group" aria-label={title}>
      <h3>{title}</h3>
      <Fields action={action} />
      <ActionStatus action={action} />
    </section>
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `10 minutes`, in the largest unit of which the time is a multiple. */
const formatSeconds = (time: number): string => {
  if (time % DAY === 0) return t('{count, plural, one {# day} other {# days}}', { count: time / DAY })
  if (time % HOUR === 0) return t('{count, plural, one {# hour} other {# hours}}', { count: time / HOUR })
  if (time % MINUTE === 0) return t('{count, plural, one {# minute} other {# minutes}}', { count: time / MINUTE })
  return t('{count, plural, one {# second} other {# seconds}}', { count: time })
}

const formatDays = (days: number): string => (days === 0 ? t('None') : formatSeconds(days * DAY))

const times = [MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY]

const MessageSettings = ({ action }: SettingsPart) => {
  const isEditable = useChat().organization.value.realm_allow_message_editing === true
  return (
    <>
      <OrganizationCheck name="allow_message_editing" label={t('Users edit their own messages')} action={action} />
      <div class="dialog-two-columns">
        {isEditable && (
          <OrganizationLimit
            name="message_content_edit_limit_seconds"
            label={t('Time to edit a message')}
            offered={times}
            format={formatSeconds}
            action={action}
          />
        )}
        <OrganizationLimit
          name="message_content_delete_limit_seconds"
          label={t('Time to delete a message')}
          offered={times}
          format={formatSeconds}
          action={action}
        />
        <OrganizationLimit
          name="move_messages_within_stream_limit_seconds"
          label={t('Time to move a message to another topic')}
          offered={times}
          format={formatSeconds}
          action={action}
        />
        <OrganizationLimit
          name="move_messages_between_streams_limit_seconds"
          label={t('Time to move a message to another channel')}
          offered={times}
          format={formatSeconds}
          action={action}
        />
        <OrganizationSelect
          name="message_edit_history_visibility_policy"
          label={t('History of a message')}
          options={[
            { value: 'all', label: t('Users see edits and moves') },
            { value: 'moves', label: t('Users see moves only') },
            { value: 'none', label: t('Users do not see it') },
          ]}
          action={action}
        />
        <OrganizationSelect
          name="topics_policy"
          label={t('Topics')}
          options={[
            { value: 'allow_empty_topic', label: t('Messages may have no topic') },
            { value: 'disable_empty_topic', label: t('Every message needs a topic') },
          ]}
          action={action}
        />
      </div>
      <div>
        <OrganizationCheck name="enable_read_receipts" label={t('Users see who has read a message')} action={action} />
        <OrganizationCheck
          name="inline_image_preview"
          label={t('Messages show pictures that they link to')}
          action={action}
        />
        <OrganizationCheck
          name="inline_url_embed_preview"
          label={t('Messages show previews of pages that they link to')}
          action={action}
        />
        <OrganizationCheck
          name="message_content_allowed_in_email_notifications"
          label={t('Mail about messages has their content')}
          action={action}
        />
      </div>
    </>
  )
}

/** As the API writes that messages are kept without a limit. */
const FOREVER = -1

/** How long messages are kept. Nothing is changed before a button is pressed twice, because it deletes messages. */
const Retention = () => {
  const chat = useChat()
  const action = useAction()
  const update = useOrganizationUpdate(action)
  const current = chat.organization.value.realm_message_retention_days ?? FOREVER
  const chosen = useSignal<number | undefined>(undefined)
  const days = new Set([30, 90, 365, current].filter((each) => each !== FOREVER))
  const change = async () => {
    const message_retention_days = chosen.value === FOREVER ? 'unlimited' : chosen.value
    if (await update({ message_retention_days })) chosen.value = undefined
  }
  return (
    <section class="dialog-group" aria-label={t('Retention')}>
      <SelectField
        label={t('Messages are kept')}
        hint={isOwner(chat) ? t('Older messages are deleted for everyone.') : t('Only owners change this.')}
        isDisabled={!isOwner(chat)}
        value={chosen.value ?? current}
        options={[
          ...[...days].sort((one, other) => one - other).map((value) => ({ value, label: formatDays(value) })),
          { value: FOREVER, label: t('No limit') },
        ]}
        onChange={(value) => {
          chosen.value = value
        }}
      />
      <ActionStatus action={action} />
      {chosen.value !== undefined && chosen.value !== current && (
        <div class="form-buttons">
          <ConfirmButton
            label={t('Change how long messages are kept')}
            confirmLabel={
              chosen.value === FOREVER ? t('Keep them without a limit') : t('Delete older messages for everyone')
            }
            onConfirm={change}
          />
        </div>
      )}
    </section>
  )
}

const JoiningSettings = ({ action }: SettingsPart) => (
  <>
    <div>
      <OrganizationCheck name="send_welcome_emails" label={t('New users get a mail of welcome')} action={action} />
    </div>
    <OrganizationSelect
      name="waiting_period_threshold"
      label={t('Time until a member is a full member')}
      options={[0, 1, 3, 7, 14, 30].map((value) => ({ value, label: formatDays(value) }))}
      isForOwners
      action={action}
    />
  </>
)

const ProfileSettings = ({ action }: SettingsPart) => {
  const hasVisitors = useChat().organization.value.server_web_public_streams_enabled === true
  return (
    <>
      <div>
        <OrganizationCheck
          name="name_changes_disabled"
          label={t('Users change their names')}
          isInverted
          action={action}
        />
        <OrganizationCheck
          name="email_changes_disabled"
          label={t('Users change their email addresses')}
          isInverted
          action={action}
        />
        <OrganizationCheck
          name="avatar_changes_disabled"
          label={t('Users change their pictures')}
          isInverted
          action={action}
        />
        <OrganizationCheck name="require_unique_names" label={t('No two users have the same name')} action={action} />
        <OrganizationCheck
          name="enable_guest_user_indicator"
          label={t('Guests are marked behind their names')}
          action={action}
        />
        <OrganizationCheck
          name="enable_guest_user_dm_warning"
          label={t('Users are warned before they write to a guest')}
          action={action}
        />
        {hasVisitors && (
          <OrganizationCheck
            name="enable_spectator_access"
            label={t('Visitors without an account read web-public channels')}
            action={action}
          />
        )}
      </div>
      <OrganizationSelect
        name="default_avatar_source"
        label={t('Pictures of users who have uploaded none')}
        hint={t('Other clients show them. This page shows initials.')}
        options={[
          { value: 'J', label: t('Drawn by this server') },
          { value: 'G', label: t('From gravatar.com, which learns of each view') },
        ]}
        action={action}
      />
    </>
  )
}
