/** The channels, the user's subscriptions, the folders, and the user's policies for topics. */
import type { EventOf, Snapshot } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import { createRows, indexBy, type Section } from './section.js'
import type { Channel, Folder, Subscription, TopicPolicy, UserTopic } from './types.js'

/** Creates the section. */
export const createChannels = () => {
  const channels = createRows<number, Channel>()
  const subscriptions = createRows<number, Subscription>()
  const folders = createRows<number, Folder>()
  const topics = createUserTopics()

  /** Changes fields of a channel, also in the subscription, which has them too. */
  const patch = (id: number, fields: Partial<Channel>) => {
    channels.patch(id, fields)
    subscriptions.patch(id, fields as Partial<Subscription>)
  }
  const addSubscribers = (id: number, count: number) => {
    const channel = channels.get().get(id)
    if (channel !== undefined) patch(id, { subscriber_count: channel.subscriber_count + count })
  }

  const section: Section = {
    load(snapshot) {
      channels.set(readChannels(snapshot))
      subscriptions.set(indexBy('stream_id', snapshot.subscriptions))
      folders.set(indexBy('id', snapshot.channel_folders))
      topics.load(snapshot)
    },
    handlers: {
      stream(event) {
        if (event.op === 'create') {
          channels.set(new Map([...channels.get(), ...indexBy('stream_id', event.streams as Channel[])]))
        } else if (event.op === 'delete') {
          channels.remove(event.stream_ids)
          subscriptions.remove(event.stream_ids)
        } else patch(event.stream_id, readUpdate(event))
      },
      subscription(event) {
        if (event.op === 'add') {
          for (const { subscribers: _, ...row } of event.subscriptions as SubscriptionWithMembers[]) {
            subscriptions.put(row.stream_id, row)
            channels.patch(row.stream_id, { subscriber_count: row.subscriber_count })
          }
        } else if (event.op === 'remove') {
          for (const { stream_id } of event.subscriptions) {
            subscriptions.remove([stream_id])
            addSubscribers(stream_id, -1)
          }
        } else if (event.op === 'update') {
          subscriptions.patch(event.stream_id, { [event.property]: event.value })
        } else {
          const count = event.op === 'peer_add' ? event.user_ids.length : -event.user_ids.length
          for (const id of event.stream_ids) addSubscribers(id, count)
        }
      },
      channel_folder(event) {
        if (event.op === 'add') folders.put(event.channel_folder.id, event.channel_folder)
        else if (event.op === 'update') folders.patch(event.channel_folder_id, event.data)
        else folders.set(sortByOrder(folders.get(), event.order))
      },
      user_topic: topics.change,
    },
  }
  return { section, channels, subscriptions, folders, ...topics.stores }
}

type SubscriptionWithMembers = Subscription & { subscribers?: number[] }

/** The fields of a channel that an update changes: one, and those that follow from it. */
const readUpdate = (event: Extract<EventOf<'stream'>, { op: 'update' }>): Partial<Channel> => {
  const more = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'].filter((key) => key in event)
  const fields = more.map((key) => [key, event[key as keyof typeof event]])
  return Object.fromEntries([[event.property, event.value], ...fields])
}

type Policies = ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>
type UserTopics = ReadonlyMap<number, ReadonlyMap<string, UserTopic>>

/** The user's policies for topics, and the same policies with the topics as written. */
const createUserTopics = () => {
  const userTopics = createStore<UserTopics>(new Map())
  const topicPolicies = createStore<Policies>(new Map())
  return {
    stores: { userTopics, topicPolicies },
    load(snapshot: Snapshot) {
      userTopics.set(readUserTopics(snapshot))
      topicPolicies.set(new Map([...userTopics.get()].map(([id, topics]) => [id, policiesOf(topics)])))
    },
    change(event: EventOf<'user_topic'>) {
      const { stream_id } = event
      const topics = changeUserTopic(userTopics.get().get(stream_id), event)
      userTopics.set(new Map(userTopics.get()).set(stream_id, topics))
      topicPolicies.set(new Map(topicPolicies.get()).set(stream_id, policiesOf(topics)))
    },
  }
}

const changeUserTopic = (
  rows: ReadonlyMap<string, UserTopic> | undefined,
  { stream_id, topic_name, last_updated, visibility_policy }: EventOf<'user_topic'>,
): ReadonlyMap<string, UserTopic> => {
  const topics = new Map(rows)
  const row = { stream_id, topic_name, last_updated, visibility_policy: visibility_policy as TopicPolicy }
  if (visibility_policy === 0) topics.delete(topic_name.toLowerCase())
  else topics.set(topic_name.toLowerCase(), row)
  return topics
}

/** The rows in the order of their ids in `order`. */
const sortByOrder = (rows: ReadonlyMap<number, Folder>, order: readonly number[]): ReadonlyMap<number, Folder> =>
  new Map(
    [...rows]
      .map(([id, row]) => [id, { ...row, order: order.indexOf(id) }] as const)
      .sort(([, one], [, other]) => one.order - other.order),
  )

const personal = [
  ...['color', 'is_muted', 'in_home_view', 'pin_to_top', 'wildcard_mentions_notify'],
  ...['desktop_notifications', 'audible_notifications', 'push_notifications', 'email_notifications', 'subscribers'],
]

/** All channels that the user sees. Callers without an account have them in one list only. */
const readChannels = ({ streams, never_subscribed }: Snapshot): Map<number, Channel> => {
  const rows = streams ?? (never_subscribed as Channel[] | undefined) ?? []
  const bare = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !personal.includes(key))))
  return indexBy('stream_id', bare as unknown as Channel[])
}

const readUserTopics = ({ user_topics = [] }: Snapshot): UserTopics => {
  const rows = new Map<number, Map<string, UserTopic>>()
  for (const row of user_topics as UserTopic[]) {
    const topics = rows.get(row.stream_id) ?? new Map<string, UserTopic>()
    rows.set(row.stream_id, topics.set(row.topic_name.toLowerCase(), row))
  }
  return rows
}

const policiesOf = (topics: ReadonlyMap<string, UserTopic>): ReadonlyMap<string, TopicPolicy> =>
  new Map([...topics].map(([topic, row]) => [topic, row.visibility_policy]))
