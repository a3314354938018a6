/**
 * The part of fetch name `realm` about the server: its limits and features. Source: protocol/register.md 5.1.5.
 */
import { z } from 'zod'
import { thumbnailFormats } from '../files/thumbnails.js'
import { limits } from '../limits/limits.js'
import { reportReasons } from '../messages/report-reasons.js'
import { since } from '../protocol/later-levels.js'
import { rawText } from '../protocol/raw-json.js'
import { gifRatings } from '../settings/external-services.js'
import { field } from './snapshot-request.js'
import { supportedPermissionSettings, supportedPermissionSettingsValue } from './supported-permissions.js'

/** Limits whose key is their own name. */
const shownLimits = [
  'max_stream_name_length',
  'max_stream_description_length',
  'max_topic_length',
  'max_message_length',
  'max_bulk_new_subscription_messages',
  'password_min_length',
  'password_max_length',
  'password_min_guesses',
  'max_avatar_file_size_mib',
  'max_icon_file_size_mib',
  'max_logo_file_size_mib',
  'event_queue_longpoll_timeout_seconds',
  'server_presence_ping_interval_seconds',
  'server_presence_offline_threshold_seconds',
  'server_typing_started_expiry_period_milliseconds',
  'server_typing_stopped_wait_period_milliseconds',
  'server_typing_started_wait_period_milliseconds',
  'server_min_deactivated_realm_deletion_days',
] as const satisfies readonly (keyof typeof limits)[]

const limitFields = Object.fromEntries(shownLimits.map((name) => [name, field(z.int(), () => limits[name])])) as Record<
  (typeof shownLimits)[number],
  ReturnType<typeof field<z.ZodInt>>
>

/** The public Jitsi service, which calls use unless the organization names another. */
const jitsiServerUrl = 'https://meet.jit.si'

const thumbnailFormat = z.object({
  name: z.string(),
  max_width: z.int(),
  max_height: z.int(),
  format: z.string(),
  animated: z.boolean(),
})

/** The same, of later levels. */
const laterLimits = {
  max_channel_folder_name_length: 410,
  max_channel_folder_description_length: 410,
  max_reminder_note_length: 415,
} as const satisfies Partial<Record<keyof typeof limits, number>>

const laterLimitFields = Object.fromEntries(
  Object.entries(laterLimits).map(([name, level]) => [
    name,
    field(since(level, z.int()), () => limits[name as keyof typeof laterLimits]),
  ]),
) as Record<keyof typeof laterLimits, ReturnType<typeof field<z.ZodInt>>>

const reportReason = z.object({ key: z.string(), name: z.string() })

const flag = (value: boolean) => field(z.boolean(), () => value)

export const serverFields = {
  ...limitFields,
  ...laterLimitFields,
  max_file_upload_size_mib: field(z.int(), ({ server }) => server.max_file_upload_size_mib),
  server_max_deactivated_realm_deletion_days: field(
    z.int().nullable(),
    () => limits.server_max_deactivated_realm_deletion_days,
  ),
  server_generation: field(z.int(), ({ server }) => server.releaseId),
  server_gateway_paths: field(z.array(z.string()), ({ server }) => [...server.gateway_paths]),
  server_inline_image_preview: flag(true),
  server_inline_url_embed_preview: field(z.boolean(), ({ state }) => state.deployment.allowsPagePreviews),
  server_thumbnail_formats: field(z.array(thumbnailFormat), () => [...thumbnailFormats]),
  server_avatar_changes_disabled: flag(false),
  server_name_changes_disabled: flag(false),
  server_web_public_streams_enabled: field(z.boolean(), ({ state }) => state.deployment.allowsWebAccess),
  server_needs_upgrade: flag(false),
  server_emoji_data_url: field(z.url(), ({ server }) => `${server.realm_url}/static/emoji/emoji-data.json`),
  server_jitsi_server_url: field(z.string().nullable(), () => jitsiServerUrl),
  jitsi_server_url: field(z.string().nullable(), ({ state }) => state.settings.jitsi_server_url ?? jitsiServerUrl),
  server_can_summarize_topics: flag(false),
  giphy_rating_options: field(z.record(z.string(), z.object({ id: z.int(), name: z.string() })), () => gifRatings),
  server_report_message_types: field(since(435, z.array(reportReason)), () => [...reportReasons]),
  // The server sends no digests, whatever the organization's setting.
  settings_send_digest_emails: flag(false),
  development_environment: field(z.boolean(), ({ server }) => server.development),
  server_supported_permission_settings: field(supportedPermissionSettings, () => permissionsText),
}

const permissionsText = rawText(JSON.stringify(supportedPermissionSettingsValue))
