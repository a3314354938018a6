/**
 * What the Notification Bot will say in a channel about a change of it: the job that says it later.
 *
 * The payload holds the values on both sides, because when the job runs the channel may have changed again.
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
/** Together they say what kind of channel it is. */
const privacyColumns = ['invite_only', 'is_web_public', 'history_public_to_subscribers'] as const

/** The job, if the organization wants to hear of changes, and anything changes that is spoken of. */
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
