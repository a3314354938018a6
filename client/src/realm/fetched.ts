/** Lists of one channel that are fetched when they are first needed, and then kept up to date: topics and members. */

import type { Client } from '../client.js'
import type { Message } from '../kernel/api.js'
import { createStore, type Store } from '../kernel/store.js'
import type { Section } from './section.js'
import type { Topic } from './types.js'

/** A list that was asked for. */
interface Fetched<T> {
  readonly store: Store<T | undefined>
  /** Fetches it again. Calls during a fetch lead to one more fetch. */
  refresh(): void
  /** Changes the list. The same change is made to a list that is being fetched, which may have it already. */
  change(apply: (value: T) => T): void
}

const createFetched = <T>(fetch: () => Promise<T>): Fetched<T> => {
  const store = createStore<T | undefined>(undefined)
  let isFetching = false
  let isOld = false
  let changes: ((value: T) => T)[] = []
  const refresh = async () => {
    isOld = true
    if (isFetching) return
    isFetching = true
    try {
      while (isOld) {
        isOld = false
        changes = []
        const value: T = await fetch()
        store.set(changes.reduce<T>((changed, apply) => apply(changed), value))
      }
    } catch {
      // The next change that needs it, or the next registration, fetches it again.
    } finally {
      isFetching = false
    }
  }
  return {
    store,
    refresh: () => void refresh(),
    change(apply) {
      const value = store.get()
      if (isFetching) changes.push(apply)
      if (value !== undefined) store.set(apply(value))
    },
  }
}

/** Creates the section of topics and members. @param selfId returns the id of the user */
export const createFetchedLists = (client: Client, selfId: () => number) => {
  const topics = new Map<number, Fetched<readonly Topic[]>>()
  const members = new Map<number, Fetched<ReadonlySet<number>>>()

  const changeMembers = (channelIds: readonly number[], userIds: readonly number[], isIn: boolean) => {
    for (const id of channelIds) members.get(id)?.change((before) => setMembership(before, userIds, isIn))
  }

  /** Notes a new message of a topic, which may be a new topic. */
  const bump = (channelId: number, name: string, id: number) => {
    topics.get(channelId)?.change((before) => bumpTopic(before, name, id))
  }

  const section: Section = {
    load() {
      for (const list of [...topics.values(), ...members.values()]) list.refresh()
    },
    handlers: {
      message({ message: { id, stream_id, subject } }) {
        if (stream_id !== undefined) bump(stream_id, subject, id)
      },
      update_message({ stream_id, new_stream_id, orig_subject }) {
        if (orig_subject === undefined) return
        for (const id of new Set([stream_id, new_stream_id])) topics.get(id ?? 0)?.refresh()
      },
      delete_message: ({ stream_id = 0 }) => topics.get(stream_id)?.refresh(),
      restore_message: ({ stream_id = 0 }) => topics.get(stream_id)?.refresh(),
      subscription(event) {
        if (event.op === 'update') return
        if (event.op === 'peer_add') changeMembers(event.stream_ids, event.user_ids, true)
        else if (event.op === 'peer_remove') changeMembers(event.stream_ids, event.user_ids, false)
        else {
          const ids = event.subscriptions.map(({ stream_id }) => stream_id)
          changeMembers(ids, [selfId()], event.op === 'add')
          // A subscription can make more or fewer messages visible.
          for (const id of ids) topics.get(id)?.refresh()
        }
      },
    },
  }
  return {
    section,
    /** Notes messages of which no event told. */
    note(messages: readonly Message[]) {
      for (const { id, stream_id, subject } of messages) if (stream_id !== undefined) bump(stream_id, subject, id)
    },
    /** Fetches the topics of a channel again, if they were asked for. */
    refreshTopics: (channelId: number) => topics.get(channelId)?.refresh(),
    topics: (channelId: number) => openList(topics, channelId, () => fetchTopics(client, channelId)),
    members: (channelId: number) => openList(members, channelId, () => fetchMembers(client, channelId)),
  }
}

/** Finds a list, or begins to fetch it. */
const openList = <T>(lists: Map<number, Fetched<T>>, id: number, fetch: () => Promise<T>): Store<T | undefined> => {
  let list = lists.get(id)
  if (list === undefined) {
    list = createFetched(fetch)
    lists.set(id, list)
    list.refresh()
  }
  return list.store
}

const fetchTopics = async (client: Client, stream_id: number): Promise<readonly Topic[]> => {
  const params = { stream_id, allow_empty_topic_name: true }
  return (await client.call('GET /users/me/{stream_id}/topics', params)).topics
}

const fetchMembers = async (client: Client, stream_id: number): Promise<ReadonlySet<number>> =>
  new Set((await client.call('GET /streams/{stream_id}/members', { stream_id })).subscribers)

const setMembership = (before: ReadonlySet<number>, userIds: readonly number[], isIn: boolean): ReadonlySet<number> => {
  const after = new Set(before)
  for (const id of userIds) {
    if (isIn) after.add(id)
    else after.delete(id)
  }
  return after
}

/** Moves the topic of a new message to the front. */
const bumpTopic = (before: readonly Topic[], name: string, messageId: number): readonly Topic[] => {
  const isSame = (topic: Topic) => topic.name.toLowerCase() === name.toLowerCase()
  const found = before.find(isSame)
  const bumped = { name: found?.name ?? name, max_id: Math.max(messageId, found?.max_id ?? 0) }
  return [bumped, ...before.filter((topic) => !isSame(topic))].sort((a, b) => b.max_id - a.max_id)
}
