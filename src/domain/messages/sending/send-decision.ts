/**
 * Decides about a send, without I/O: which refusal its sender gets, or what is stored.
 *
 * 1. The refusals come in the order of protocol/messages.md 3.2. `admitMessage` makes the checks 4 to 7, as far as the
 *    state of the realm decides them alone, and `decideSend` makes the rest, 7 to 10, on facts from the database.
 * 2. A message that is not admitted costs no query, and creates no conversation.
 * 3. The guard of the write protects what both read in the state (store/messages/sending/send-message.ts).
 */

import { mayCreateTopic } from '#rules/channel-access.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { RenderedContent } from '../../markdown/context/render-context.js'
import { errors } from '../../protocol/errors.js'
import { checkHtmlLength } from '../../rendering/html-length.js'
import { canIntroduceGuests } from '../../users/user-access.js'
import { type NewSubmessage, normalizeContent, normalizeTopic } from '../message.js'
import type { AccessCheck, Destination } from '../recipients.js'
import { unknownSender } from '../senders.js'
import { parseWidget, parseWidgetCommand, widgetMessageType } from '../widgets.js'
import { composeMessage, type MessageLocation } from './composing.js'
import { authorizeMentions } from './mentions.js'
import { composePreviewJobs, composeWebhookJobs } from './message-jobs.js'
import { checkDirectPost, requirePostableChannel, topicForNotice } from './posting.js'

/** A message to send, as the request gave it. */
export interface OutgoingMessage {
  sender: UserRow
  to: Destination
  content: string
  /** the sending program's name; `Internal` for the system's own messages */
  client: string
  /** the organization's address: links to it become relative */
  realm_url?: string | undefined
  /** overrides what the program's name says */
  read_by_sender?: boolean | undefined
  /** the queue that waits to see the message again */
  echo?: { queue_id: string; local_id: string } | undefined
  /** what the message is to be, whatever its text says: a widget, as JSON text */
  widget_content?: string | undefined
}

/** Where an admitted message goes, and whether it may be the first message there. */
export type AdmittedDestination =
  | { channel: ChannelRow; topic: string; mayBegin: boolean }
  /** the participants, by id ascending */
  | { participants: readonly UserRow[]; mayBegin: boolean }

/** A message that the state does not refuse. */
export interface AdmittedMessage {
  outgoing: OutgoingMessage
  /** the text in the form in which it is stored */
  content: string
  place: AdmittedDestination
}

/** What the decision needs from the database. Each fact is loaded only if the decision depends on it. */
export interface SendFacts {
  /** where the message goes: a conversation with its id */
  location: MessageLocation
  /** whether the topic or the conversation has no message yet, if `dependsOnFirst` says so; else false */
  is_first: boolean
  rendered: RenderedContent
  /** if the text mentions them: the ids of the participants of the topic */
  topicParticipants: readonly number[]
  /** the ids of the subscribers who may not know the sender */
  unknowing: readonly number[]
  /** the id of the first submessage, if the message asks for a widget; else 0 */
  submessage_id: number
}

/**
 * Admits a message to its topic or conversation. Throws the refusals of protocol/messages.md 3.2, steps 4 to 7.
 * @param isKnown whether the sender has access to an account
 */
export const admitMessage = (state: RealmState, outgoing: OutgoingMessage, isKnown: AccessCheck): AdmittedMessage => {
  const { sender, to } = outgoing
  const topic = 'users' in to ? '' : normalizeTopic(to.topic)
  const content = normalizeContent(outgoing.content)
  const destination =
    'users' in to
      ? admitToConversation(state, sender, to.users, isKnown)
      : admitToTopic(state, sender, to.channel, topic)
  return { outgoing, content, place: destination }
}

const admitToTopic = (
  state: RealmState,
  sender: UserRow,
  named: string | number,
  topic: string,
): AdmittedDestination => {
  const channel = requirePostableChannel(state, sender, named, topic)
  return {
    channel,
    topic: sender.is_system_bot ? topicForNotice(channel, topic) : topic,
    mayBegin: mayCreateTopic(state, sender, channel),
  }
}

const admitToConversation = (
  state: RealmState,
  sender: UserRow,
  others: readonly UserRow[],
  isKnown: AccessCheck,
): AdmittedDestination => {
  if (!others.every(isKnown)) throw errors.badRequest('You may not send direct messages to some of these recipients.')
  const participants = [...new Map([...others, sender].map((user) => [user.id, user])).values()].sort(
    (a, b) => a.id - b.id,
  )
  return { participants, mayBegin: checkDirectPost(state, sender, participants).mayBegin }
}

/** Whether the decision depends on `is_first`. */
export const dependsOnFirst = (state: RealmState, destination: AdmittedDestination): boolean =>
  !destination.mayBegin || ('participants' in destination && canIntroduceGuests(state, destination.participants))

/**
 * Decides about an admitted message. Throws the refusals of protocol/messages.md 3.2, steps 7 to 10.
 * @returns the input of the send combiner, the jobs that the message causes, and the conversation that it begins, if
 * that can make users known to each other
 */
export const decideSend = (
  state: RealmState,
  guard: number,
  { outgoing, content, place }: AdmittedMessage,
  facts: SendFacts,
) => {
  const { sender, realm_url, client, read_by_sender, echo } = outgoing
  const { location, is_first, rendered } = facts
  if (is_first && !place.mayBegin) {
    throw 'channel' in place
      ? errors.mayNotCreateTopic()
      : errors.badRequest('You may not begin a direct message conversation: only answer in one.')
  }
  const submessages = composeSubmessages(outgoing, content, facts.submessage_id)
  checkHtmlLength(rendered)
  const mentions = authorizeMentions(state, sender, location, rendered, facts.topicParticipants)
  const masked = maskSender(state, sender, facts.unknowing, realm_url)
  const composition = { sender, content, rendered, mentions, client, read_by_sender, echo, masked, submessages }
  return {
    message: composeMessage(state, guard, location, composition),
    jobs: [
      ...composeWebhookJobs(state, sender, location, rendered.mentioned_users, realm_url),
      ...composePreviewJobs(state, sender, content, rendered),
    ],
    begins: is_first && 'participants' in location ? composeBeginning(state, location) : undefined,
  }
}

/** The first submessage, which makes a message a widget. Throws BAD_REQUEST for a description that is none. */
const composeSubmessages = (
  { sender, widget_content }: OutgoingMessage,
  content: string,
  id: number,
): NewSubmessage[] => {
  const widget = widget_content === undefined ? parseWidgetCommand(content) : parseWidget(widget_content)
  if (widget === undefined) return []
  return [{ id, sender_id: sender.id, msg_type: widgetMessageType, content: JSON.stringify(widget) }]
}

/** The users who may not know the sender, and what they see instead. */
const maskSender = (state: RealmState, sender: UserRow, users: readonly number[], realm_url: string | undefined) => {
  if (users.length === 0) return undefined
  const host = realm_url === undefined ? `${state.realm.string_id}.invalid` : new URL(realm_url).hostname
  return { users, sender: unknownSender(state, sender.id, host) }
}

/** The conversation that the message begins, if that can give a restricted guest access to users. */
const composeBeginning = (
  state: RealmState,
  { dm_id, participants }: Extract<MessageLocation, { dm_id: number }>,
): { dm_id: number; user_ids: readonly number[] } | undefined =>
  canIntroduceGuests(state, participants) ? { dm_id, user_ids: participants.map(({ id }) => id) } : undefined
