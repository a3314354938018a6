/**
 * Names of topics: the empty one, resolved ones, and which of them a channel accepts.
 *
 * Source: protocol/messages.md 3.5, 4.1 and 4.3.
 */
import type { Channel, Organization, TopicsPolicy } from './organization.js'

/** The name of the empty topic for clients that do not name it themselves. */
export const emptyTopicName = 'general chat'

/** Whether a name that a user has written stands for the empty topic. The name has no spaces around it. */
export const isEmptyTopic = (name: string): boolean => ['', emptyTopicName, '(no topic)'].includes(name)

/** The prefix of a resolved topic. */
export const resolvedPrefix = '✔ '

/** Whether the topic is marked as resolved. */
export const isResolved = (topic: string): boolean => topic.startsWith(resolvedPrefix)

/** The name of a topic without the marks of resolved topics. */
export const removeResolvedPrefix = (topic: string): string => topic.replace(/^[✔ ]+/, '')

/** Marks a topic as resolved, or as not resolved if it is resolved. Returns the name of the topic after that. */
export const toggleResolved = (topic: string): string =>
  isResolved(topic) ? removeResolvedPrefix(topic) : resolvedPrefix + topic

/**
 * Finds whether a change of a topic's name resolves or unresolves the topic. Such a change affects only the prefix of a
 * resolved topic. Returns undefined for a new name.
 */
export const findResolution = (before: string, after: string): 'resolved' | 'unresolved' | undefined => {
  if (after === resolvedPrefix + before) return 'resolved'
  if (isResolved(before) && removeResolvedPrefix(before) === after) return 'unresolved'
  return undefined
}

/** The channel's policy, or the organization's. */
export const topicsPolicy = (
  { settings }: { readonly settings: Pick<Organization['settings'], 'topics_policy'> },
  channel: Pick<Channel, 'topics_policy'>,
): Exclude<TopicsPolicy, 'inherit'> =>
  channel.topics_policy === 'inherit' ? settings.topics_policy : channel.topics_policy

/** Why a channel does not accept a topic: it needs one, or it has none. Undefined: it accepts the topic. */
export const topicRefusal = (
  organization: { readonly settings: Pick<Organization['settings'], 'topics_policy'> },
  channel: Pick<Channel, 'topics_policy'>,
  topic: string,
): 'needed' | 'none' | undefined => {
  const policy = topicsPolicy(organization, channel)
  if (topic === '' && policy === 'disable_empty_topic') return 'needed'
  return topic !== '' && policy === 'empty_topic_only' ? 'none' : undefined
}
