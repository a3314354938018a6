/** The live realm: an organization as one user sees it, kept up to date by events. */
export {
  channelConversation,
  conversationKey,
  directConversation,
  directKey,
  isTopicMuted,
  participants,
  RESOLVED,
  topicPolicy,
} from './conversations.js'
export { isResolution, isSameTopic, type Move, readMove, type TopicPlace } from './moves.js'
export { matchesNarrow } from './narrow.js'
export { openRealm, type RealmOptions } from './open-realm.js'
export type * from './types.js'
