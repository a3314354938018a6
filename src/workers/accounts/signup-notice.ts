/** Says that people have joined, where the organization announces it. */

import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mention, notice, sendable, sendEffect } from '../messages/notices.js'

/** More names than this nobody reads. */
const MOST_NAMES = 20

export const signupNotice: JobHandler<'signup_notice'> = async (assignment) => {
  const { state } = assignment.realm
  const place = state.channels.get(state.settings.signup_announcements_stream_id)
  const people = assignment.payload.user_ids.flatMap((id) => state.users.get(id) ?? [])
  if (place === undefined || place.is_archived || people.length === 0) return noEffect
  const names = people.length > MOST_NAMES ? `${people.length} people` : people.map(mention).join(', ')
  const to = { channel: place.id, topic: 'signups' }
  return sendEffect(assignment.realm, await sendable([notice(assignment, to, `${names} joined this organization.`)]))
}
