/** Rows of users and channels with every column filled, for states and tables that a test or a bench writes itself. */
import { defaultChannelGroups } from '../../../src/domain/channels/channels.js'
import { type ChannelRow, Role, type UserRow } from '../../../src/domain/log/rows.js'

/** A member. Without other columns the email address is `user<id>@test.invalid`. */
export const userRow = (id: number, row: Partial<UserRow> = {}): UserRow => {
  const email = row.email ?? `user${id}@test.invalid`
  return {
    id,
    email,
    delivery_email: email,
    full_name: `User ${id}`,
    role: Role.member,
    is_active: true,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_system_bot: false,
    date_joined: 0,
    timezone: '',
    avatar_source: 'G',
    uses_gravatar: false,
    avatar_version: 1,
    key_version: 1,
    can_create_users: true,
    can_change_user_emails: true,
    settings: {},
    profile_data: {},
    ...row,
  }
}

/** A public channel with the permission settings of a new channel. */
export const channelRow = (id: number, row: Partial<ChannelRow> = {}): ChannelRow => ({
  id,
  name: `channel ${id}`,
  description: '',
  rendered_description: '',
  date_created: 0,
  creator_id: null,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  is_archived: false,
  is_recently_active: true,
  stream_weekly_traffic: null,
  topics_policy: 'inherit',
  folder_id: null,
  ...defaultChannelGroups(undefined),
  ...row,
})
