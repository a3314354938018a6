/**
 * A message that a user schedules, and its changes. The checks of sending it are those of every message.
 *
 * Source: protocol/endpoints.md 3.3.
 */
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { isDirectType, type messageTypes } from '../protocol/aliases.js'
import { errors } from '../protocol/errors.js'
import { type Destination, requireRecipients } from './recipients.js'
import type { ScheduledMessage } from './scheduled-message-entries.js'

/** A message to be scheduled, as its sender requests it. */
export interface RequestedSchedule {
  type: (typeof messageTypes)[number]
  /** the id of a channel, or ids of users */
  to: number | readonly number[]
  content: string
  topic?: string | undefined
  /** UNIX seconds */
  scheduled_delivery_timestamp: number
  read_by_sender?: boolean | undefined
}

/** Where the message goes. Throws BAD_REQUEST. */
export const resolveScheduledDestination = (
  state: RealmState,
  sender: UserRow,
  { type, to, topic }: RequestedSchedule,
): Destination => {
  if (isToChannel(type)) {
    if (typeof to !== 'number') throw errors.badRequest('to must be the ID of a channel.')
    if (topic === undefined) throw errors.badRequest('A channel message needs a topic.')
    return { channel: to, topic }
  }
  if (typeof to === 'number') throw errors.badRequest('to must be a list of user IDs.')
  if (to.length === 0) throw errors.badRequest('Send at least one recipient in the parameter to.')
  return { users: requireRecipients(state, sender, to) }
}

const isToChannel = (type: RequestedSchedule['type']): boolean => !isDirectType(type)

/** The participants without the sender; the sender alone in a message to oneself. */
export const listOtherParticipants = (sender_id: number, users: readonly UserRow[]): number[] => {
  const others = users.map(({ id }) => id).filter((id) => id !== sender_id)
  return others.length === 0 ? [sender_id] : others.sort((a, b) => a - b)
}

/** The new values of a scheduled message; an absent one does not change. */
export type ScheduleChanges = { readonly [K in keyof RequestedSchedule]?: RequestedSchedule[K] | undefined }

/** Refuses changes that are none, and a new type without recipients. Throws BAD_REQUEST. */
export const checkScheduleChanges = (changes: ScheduleChanges): void => {
  if (Object.values(changes).every((value) => value === undefined)) throw errors.nothingToChange()
  if (changes.type !== undefined && changes.to === undefined) {
    throw errors.badRequest('A new type needs new recipients: send to as well.')
  }
}

/** The whole message after the changes. Throws BAD_REQUEST for a message to users that gets a channel, but no topic. */
export const validateChangedSchedule = (
  before: ScheduledMessage,
  read_by_sender: boolean | null,
  changes: ScheduleChanges,
): RequestedSchedule => {
  const { type, topic } = changes
  if (type !== undefined && isToChannel(type) && topic === undefined && before.type === 'private') {
    throw errors.badRequest('A channel message needs a topic: send topic as well.')
  }
  return {
    type: type ?? before.type,
    to: changes.to ?? before.to,
    content: changes.content ?? before.content,
    topic: topic ?? before.topic,
    // A pending message can be changed until its delivery time; a failed one needs a new time.
    scheduled_delivery_timestamp:
      changes.scheduled_delivery_timestamp ?? (before.failed ? 0 : before.scheduled_delivery_timestamp),
    read_by_sender: changes.read_by_sender ?? read_by_sender ?? undefined,
  }
}
