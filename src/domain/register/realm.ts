/**
 * Fetch name `realm`: the organization's properties, settings and permissions, and facts about the server.
 *
 * A setting's key is `realm_` and its name. Only keys that differ from that are listed here.
 * Source: protocol/register.md 5.1.
 */
import { z } from 'zod'
import { emptyTopicName } from '#rules/topics.js'
import { wireValue } from '../permissions/group-setting-rules.js'
import { formatLimit } from '../protocol/aliases.js'
import { since } from '../protocol/later-levels.js'
import { authenticationMethod, authenticationMethods, isOpenWay } from '../realm/authentication.js'
import { realmIconSource, realmLogoSource, realmPictureUrl } from '../realm/realm-pictures.js'
import { videoChatProviders } from '../settings/external-services.js'
import {
  isRealmGroupSetting,
  type RealmGroupSetting,
  type RealmSettings,
  realmSettings,
  withLevel,
} from '../settings/realm-settings.js'
import { externalAccounts } from '../users/profiles/external-accounts.js'
import {
  createChannelPolicy,
  createWebPublicChannelPolicy,
  type Policy,
  policyInteger,
  wildcardMentionPolicy,
} from './policies.js'
import { serverFields } from './server.js'
import { sharedSection } from './shared-sections.js'
import { type Field, field, type SnapshotRequest } from './snapshot-request.js'

type SettingFields = {
  [N in keyof RealmSettings as `realm_${N}`]: Field<(typeof realmSettings.shape)[N]>
}

const settingFields = Object.fromEntries(
  (Object.keys(realmSettings.shape) as (keyof RealmSettings)[]).map((name) => [
    `realm_${name}`,
    field(withLevel(name, realmSettings.shape[name] as z.ZodType), ({ state }) =>
      isRealmGroupSetting(name) ? wireValue(state, state.settings[name]) : state.settings[name],
    ),
  ]),
) as unknown as SettingFields

const textField = (value: (request: SnapshotRequest) => string) => field(z.string(), value)
const flag = (value: (request: SnapshotRequest) => boolean) => field(z.boolean(), value)
const policy = (setting: RealmGroupSetting, integers: Policy) =>
  field(z.int(), ({ state, now }) => policyInteger(state, state.settings[setting], integers, Math.floor(now / 1000)))

const provider = z.object({ name: z.string(), id: z.int() })
const externalAccount = z.object({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() })

export const realmSection = sharedSection({
  ...settingFields,

  realm_message_content_edit_limit_seconds: field(z.int().nullable(), ({ state, client }) =>
    formatLimit(client, state.settings.message_content_edit_limit_seconds),
  ),

  realm_name: textField(({ state }) => state.realm.name),
  realm_description: textField(({ state }) => state.realm.description),
  realm_url: textField(({ server }) => server.realm_url),
  realm_uri: textField(({ server }) => server.realm_url),
  realm_bot_domain: textField(({ server }) => server.host),
  realm_date_created: field(z.int(), ({ state }) => state.realm.date_created),
  realm_icon_url: textField(({ state }) => realmPictureUrl(state.realm, 'icon')),
  realm_icon_source: field(z.enum(['G', 'U']), ({ state }) => realmIconSource(state.realm)),
  realm_logo_url: textField(({ state }) => realmPictureUrl(state.realm, 'logo')),
  realm_logo_source: field(z.enum(['D', 'U']), ({ state }) => realmLogoSource(state.realm, 'logo')),
  realm_night_logo_url: textField(({ state }) => realmPictureUrl(state.realm, 'night_logo')),
  realm_night_logo_source: field(z.enum(['D', 'U']), ({ state }) => realmLogoSource(state.realm, 'night_logo')),

  realm_plan_type: field(z.int(), () => 1),
  zulip_plan_is_not_limited: flag(() => true),
  realm_upload_quota_mib: field(z.int().nullable(), ({ state }) => state.realm.upload_quota_mib),
  upgrade_text_for_wide_organization_logo: textField(() => 'A wide logo needs another plan.'),
  realm_push_notifications_enabled: flag(() => false),
  realm_push_notifications_enabled_end_timestamp: field(z.int().nullable(), () => null),
  realm_is_zephyr_mirror_realm: flag(() => false),
  // An export of private messages needs the consent of their readers.
  realm_owner_full_content_access: field(since(438, z.boolean()), () => false),

  realm_allow_message_editing: flag(({ state, viewer }) => viewer !== null && state.settings.allow_message_editing),
  realm_allow_edit_history: flag(({ state }) => state.settings.message_edit_history_visibility_policy !== 'none'),
  realm_mandatory_topics: flag(({ state }) => state.settings.topics_policy === 'disable_empty_topic'),
  realm_empty_topic_display_name: textField(() => emptyTopicName),
  realm_presence_disabled: flag(({ viewer }) => viewer === null),

  realm_authentication_methods: field(z.record(z.string(), authenticationMethod), ({ state, server }) =>
    authenticationMethods(state.settings, server.ways),
  ),
  realm_email_auth_enabled: flag(({ state, server }) => isOpenWay('Email', state.settings, server.ways)),
  realm_password_auth_enabled: flag(
    ({ state: { settings }, server: { ways } }) =>
      isOpenWay('Email', settings, ways) || isOpenWay('LDAP', settings, ways),
  ),
  realm_available_video_chat_providers: field(z.record(z.string(), provider), () => videoChatProviders),
  realm_default_external_accounts: field(z.record(z.string(), externalAccount), () => externalAccounts),

  realm_create_public_stream_policy: policy('can_create_public_channel_group', createChannelPolicy),
  realm_create_private_stream_policy: policy('can_create_private_channel_group', createChannelPolicy),
  realm_create_web_public_stream_policy: policy('can_create_web_public_channel_group', createWebPublicChannelPolicy),
  realm_wildcard_mention_policy: policy('can_mention_many_users_group', wildcardMentionPolicy),

  ...serverFields,
})
