/**
 * The topics of Kafka, and the subjects of NATS, to which an organization may deliver: those with its prefix. Without
 * that rule, each owner of a subscription could write into what other organizations and programs of the operator read.
 */

/** What the operator's prefix has in the place of the id of an organization. */
const REALM_ID = '{realm_id}'

/** The longest name of a topic of Kafka. */
const MAX_LENGTH = 249

/** Letters, digits, hyphens and underscores in parts between dots: a topic of Kafka and a subject of NATS. */
const form = /^[\w-]+(?:\.[\w-]+)*$/

/** Whether a text can be the setting EVENT_TOPIC_PREFIX. */
export const isTopicPrefix = (text: string): boolean =>
  form.test(`${text.replaceAll(REALM_ID, '1')}a`) && text.length <= MAX_LENGTH / 2

/** The beginning of the topics of an organization. @param prefix the setting of the operator */
export const composeTopicPrefix = (prefix: string, realm_id: number): string =>
  prefix.replaceAll(REALM_ID, String(realm_id))

/** Whether an organization may deliver to a topic. @param prefix the setting of the operator */
export const isOwnTopic = (topic: string, prefix: string, realm_id: number): boolean => {
  const own = composeTopicPrefix(prefix, realm_id)
  return topic.length > own.length && topic.length <= MAX_LENGTH && topic.startsWith(own) && form.test(topic)
}
