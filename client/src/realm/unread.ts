/**
 * The unread messages, the starred ones, and the direct conversations.
 *
 * `Unread` is never changed in place, and there may be 50,000 unread messages. So a change copies only the lists of the
 * conversations that it concerns.
 */
import { countsAsMention, readMention } from '#rules/mentions.js'
import type { EventOf, Snapshot } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import { directKey, participants } from './conversations.js'
import { createRows, type Section } from './section.js'
import type { Unread } from './types.js'

/** Where an unread message is. */
type Place = { channelId: number; topic: string } | { direct: string }

/**
 * Creates the section.
 * @param selfId returns the id of the user
 * @param isMuted whether the user has muted a topic, or its channel
 */
export const createUnread = (selfId: () => number, isMuted: (channelId: number, topic: string) => boolean) => {
  const unread = createStore<Unread>(nothingUnread)
  const starred = createStore<ReadonlySet<number>>(new Set())
  const directConversations = createRows<string, number>()
  let places = new Map<number, Place>()

  const add = (added: ReadonlyMap<number, Place>) => {
    for (const [id, place] of added) places.set(id, place)
    unread.set(changeLists(unread.get(), added, mergeIds))
  }
  const remove = (ids: Iterable<number>) => {
    const removed = new Map<number, Place>()
    for (const id of ids) {
      const place = places.get(id)
      if (place !== undefined) removed.set(id, place)
      places.delete(id)
    }
    if (removed.size === 0) return
    const without = changeLists(unread.get(), removed, (list) => list.filter((id) => !removed.has(id)))
    unread.set({ ...without, mentions: changeSet(without.mentions, removed.keys(), false) })
  }
  const setMentioned = (id: number, isMentioned: boolean) => {
    const before = unread.get()
    const mentions = changeSet(before.mentions, [id], isMentioned && places.has(id))
    if (mentions !== before.mentions) unread.set({ ...before, mentions })
  }

  const isMention = (id: number, flags: readonly string[]): boolean => {
    const place = places.get(id)
    const isInMutedTopic = place !== undefined && 'channelId' in place && isMuted(place.channelId, place.topic)
    return countsAsMention(readMention(flags), isInMutedTopic)
  }

  const markUnread = ({ messages, message_details = {} }: EventOf<'update_message_flags'>) => {
    const added = new Map<number, Place>()
    for (const id of messages) {
      const { stream_id, topic = '', user_ids = [] } = message_details[id] ?? {}
      added.set(
        id,
        stream_id === undefined ? { direct: directKey([...user_ids, selfId()]) } : { channelId: stream_id, topic },
      )
    }
    add(added)
    for (const id of messages) setMentioned(id, message_details[id]?.mentioned === true)
  }

  const section: Section = {
    load(snapshot) {
      starred.set(new Set(snapshot.starred_messages))
      const conversations = snapshot.recent_private_conversations ?? []
      directConversations.set(
        new Map(conversations.map((row) => [directKey([...row.user_ids, selfId()]), row.max_message_id])),
      )
      places = readPlaces(snapshot, selfId())
      const all = changeLists(nothingUnread, places, (_, ids) => [...ids].sort((a, b) => a - b))
      const mentions = new Set(snapshot.unread_msgs?.mentions.filter((id) => places.has(id)))
      unread.set({ ...all, mentions, isIncomplete: snapshot.unread_msgs?.old_unreads_missing ?? false })
    },
    handlers: {
      message({ message, flags }) {
        const { id, type, stream_id, subject } = message
        const direct = type === 'stream' ? undefined : directKey(participants(message))
        if (direct !== undefined)
          directConversations.put(direct, Math.max(id, directConversations.get().get(direct) ?? 0))
        if (flags.includes('read')) return
        add(new Map([[id, direct === undefined ? { channelId: stream_id as number, topic: subject } : { direct }]]))
        if (isMention(id, flags)) setMentioned(id, true)
      },
      update_message({ message_id, message_ids, flags, content, stream_id, new_stream_id, orig_subject, subject }) {
        if (orig_subject !== undefined && stream_id !== undefined) {
          const place = { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject }
          const moved = message_ids.filter((id) => places.has(id))
          const mentioned = moved.filter((id) => unread.get().mentions.has(id))
          remove(moved)
          if (moved.length > 0) add(new Map(moved.map((id) => [id, place])))
          for (const id of mentioned) setMentioned(id, true)
        }
        if (content !== undefined && places.has(message_id)) setMentioned(message_id, isMention(message_id, flags))
      },
      delete_message({ message_ids = [] }) {
        remove(message_ids)
        starred.set(changeSet(starred.get(), message_ids, false))
      },
      update_message_flags(event) {
        const { flag, op, messages, all } = event
        if (flag === 'starred') starred.set(changeSet(starred.get(), messages, op === 'add'))
        else if (flag !== 'read') return
        else if (op === 'remove') markUnread(event)
        else remove(all ? [...places.keys()] : messages)
      },
    },
  }
  return { section, unread, starred, directConversations }
}

const nothingUnread: Unread = { channels: new Map(), direct: new Map(), mentions: new Set(), isIncomplete: false }

/** Adds ids to an ascending list. A new message has the greatest id: then the list is not sorted again. */
const mergeIds = (ids: readonly number[], more: readonly number[]): readonly number[] => {
  const [added] = more
  if (more.length === 1 && added !== undefined && added > (ids.at(-1) ?? 0)) return ids.concat(added)
  return [...new Set([...ids, ...more])].sort((a, b) => a - b)
}

/** Adds ids to a set or removes them. Returns the same set if nothing changes. */
const changeSet = (set: ReadonlySet<number>, ids: Iterable<number>, isIn: boolean): ReadonlySet<number> => {
  const copy = new Set(set)
  for (const id of ids) {
    if (isIn) copy.add(id)
    else copy.delete(id)
  }
  return [...copy].length === set.size && [...copy].every((id) => set.has(id)) ? set : copy
}

/** Replaces the list of each conversation that has one of these messages. A list that becomes empty is dropped. */
const changeLists = (
  unread: Unread,
  messages: ReadonlyMap<number, Place>,
  change: (ids: readonly number[], messages: readonly number[]) => readonly number[],
): Unread => {
  const channels = new Map(unread.channels)
  const direct = new Map(unread.direct)
  for (const { place, ids } of groupByPlace(messages)) {
    if ('direct' in place) {
      setOrDelete(direct, place.direct, change(direct.get(place.direct) ?? [], ids))
    } else {
      const topics = new Map(channels.get(place.channelId))
      setOrDelete(topics, place.topic, change(topics.get(place.topic) ?? [], ids))
      if (topics.size === 0) channels.delete(place.channelId)
      else channels.set(place.channelId, topics)
    }
  }
  return { ...unread, channels, direct }
}

const setOrDelete = <K>(map: Map<K, readonly number[]>, key: K, ids: readonly number[]) => {
  if (ids.length === 0) map.delete(key)
  else map.set(key, ids)
}

const groupByPlace = (messages: ReadonlyMap<number, Place>) => {
  const groups = new Map<string, { place: Place; ids: number[] }>()
  for (const [id, place] of messages) {
    const name = 'direct' in place ? place.direct : `${place.channelId}:${place.topic}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { place, ids: [id] })
    else group.ids.push(id)
  }
  return groups.values()
}

const readPlaces = ({ unread_msgs }: Snapshot, selfId: number): Map<number, Place> => {
  const places = new Map<number, Place>()
  const put = (ids: readonly number[], place: Place) => {
    for (const id of ids) places.set(id, place)
  }
  for (const { stream_id, topic, unread_message_ids } of unread_msgs?.streams ?? [])
    put(unread_message_ids, { channelId: stream_id, topic })
  for (const { other_user_id, unread_message_ids } of unread_msgs?.pms ?? [])
    put(unread_message_ids, { direct: directKey([other_user_id, selfId]) })
  for (const { user_ids_string, unread_message_ids } of unread_msgs?.huddles ?? [])
    put(unread_message_ids, { direct: user_ids_string })
  return places
}
