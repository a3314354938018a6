/**
 * The job by which the Notification Bot reports a change of a channel in that channel.
 *
 * The payload holds the values before and after, because the channel may have changed again when the job runs.
 */
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { JobSpec } from '../jobs/job-table.js'

const reportedColumns = [
  'name',
  'description',
  'message_retention_days',
  'can_send_message_group',
  'is_archived',
] as const
/** The columns that together are the channel's privacy policy. */
const privacyColumns = ['invite_only', 'is_web_public', 'history_public_to_subscribers'] as const

/**
 * Composes the job that reports a change of a channel. There is a job if the organization reports changes of channels
 * and a reported column changes.
 */
export const composeChannelNewsJobs = (
  state: RealmState,
  actor: UserRow,
  channel: ChannelRow,
  patch: Partial<ChannelRow>,
): JobSpec[] => {
  if (!state.settings.send_channel_events_messages) return []
  const now = { ...channel, ...patch }
  const hasChanged = (column: keyof ChannelRow) => JSON.stringify(channel[column]) !== JSON.stringify(now[column])
  const columns = [...reportedColumns.filter(hasChanged), ...(privacyColumns.some(hasChanged) ? privacyColumns : [])]
  if (columns.length === 0) return []
  const pickColumns = (row: ChannelRow): Partial<ChannelRow> =>
    Object.fromEntries(columns.map((column) => [column, row[column]]))
  const payload = { actor_id: actor.id, channel_id: channel.id, before: pickColumns(channel), after: pickColumns(now) }
  return [{ kind: 'channel_news', payload }]
}
