/** Announces new users in the channel that the organization set for this. */

import { silentMention } from '../../domain/messages/quoting.js'
import { joinMentions, noticeTexts } from '../../domain/readers/notice-texts.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

/** The most names in one notice; above it the notice contains only the number of users. */
const MAX_NAMES = 20

export const signupNotice: JobHandler<'signup_notice'> = async (job) => {
  const { state } = job.realm
  const announcements = state.channels.get(state.settings.signup_announcements_stream_id)
  const users = job.payload.user_ids.flatMap((id) => state.users.get(id) ?? [])
  if (announcements === undefined || announcements.is_archived || users.length === 0) return noEffect
  const t = noticeTexts(state)
  const content =
    users.length > MAX_NAMES
      ? t('{count, plural, one {# person joined this organization.} other {# people joined this organization.}}', {
          count: users.length,
        })
      : t('{users} joined this organization.', { users: joinMentions(t, users.map(silentMention)) })
  const to = { channel: announcements.id, topic: t('signups') }
  return composeSendEffect(job.realm, await collectSends([composeNotice(job, to, content)]))
}
