/**
 * Loads what the decision about a send needs (domain/messages/sending/send-decision.ts).
 *
 * Each fact is loaded only if the decision depends on it, one after the other: which ones it depends on is mostly known
 * after rendering. For an ordinary message to a channel, at most the policies of users for its topic are loaded.
 */

import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { AccessCheck } from '../../../domain/messages/recipients.js'
import type { MessageLocation } from '../../../domain/messages/sending/composing.js'
import { type AdmittedMessage, dependsOnFirst, type SendFacts } from '../../../domain/messages/sending/send-decision.js'
import { asksForWidget } from '../../../domain/messages/widgets.js'
import { hasRestrictedGuests } from '../../../domain/users/user-access.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { loadSubscribersWithoutAccess } from '../../users/user-access.js'
import { getOrCreateConversation, hasMessages } from '../conversations.js'
import { type FollowRequest, planFollowing } from '../following/follow-topics.js'
import { isNewTopic, type Topic } from '../following/new-topics.js'
import { loadTopicParticipants } from '../participants.js'
import { nextSubmessageId } from '../reactions/submessages.js'
import { type RenderedWithFiles, renderAnyLength } from './render-content.js'

/** The facts for the decision, and what is stored as it was loaded. */
export interface LoadedFacts extends SendFacts {
  rendered: RenderedWithFiles
  /** the policies for the topic that the message raises */
  following: FollowRequest | undefined
}

const none: readonly number[] = []

/** Loads the facts. @param state the state on which the message was admitted */
export const loadSendFacts = async (
  { sql, realm }: Pick<WriteContext, 'sql' | 'realm'>,
  state: RealmState,
  { outgoing, content, place }: AdmittedMessage,
  isKnown: AccessCheck,
): Promise<LoadedFacts> => {
  const { sender, realm_url, widget_content } = outgoing
  const location = 'channel' in place ? place : await locateConversation(sql, realm, place)
  const is_first = dependsOnFirst(state, place) && (await isFirstMessage(sql, realm, location))
  const rendered = await renderAnyLength(sql, state, sender, content, { realm_url, isKnown })
  const topicParticipants =
    'channel' in location && rendered.topic_wildcard
      ? await loadTopicParticipants(sql, realm.id, location.channel.id, location.topic)
      : none
  const unknowing =
    'channel' in location && hasRestrictedGuests(state)
      ? await loadSubscribersWithoutAccess(sql, state, sender, location.channel)
      : none
  const submessage_id = asksForWidget(content, widget_content) ? await nextSubmessageId(sql) : 0
  const following =
    'channel' in location
      ? await planFollowing(sql, realm, sender, toTopic(location), rendered.mentioned_users)
      : undefined
  return { location, is_first, rendered, topicParticipants, unknowing, submessage_id, following }
}

const locateConversation = async (
  sql: Sql,
  realm: Realm,
  { participants }: { participants: readonly UserRow[] },
): Promise<MessageLocation> => {
  const user_ids = participants.map(({ id }) => id)
  return { dm_id: await getOrCreateConversation(sql, realm, user_ids), participants }
}

const isFirstMessage = async (sql: Sql, realm: Realm, location: MessageLocation): Promise<boolean> =>
  'channel' in location
    ? isNewTopic(sql, realm, toTopic(location))
    : !(await hasMessages(sql, realm.id, location.dm_id))

const toTopic = ({ channel, topic }: { channel: ChannelRow; topic: string }): Topic => ({
  channel_id: channel.id,
  topic,
})
