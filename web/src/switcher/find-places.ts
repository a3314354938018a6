/** The conversations and views to which the user can switch, and which of them a text means. */

import { findChannels } from '../finding/find.js'
import { knownTopics } from '../finding/known-topics.js'
import { matchLetters, matchName } from '../finding/rank.js'
import { usesOf } from '../finding/uses.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { channelName, directName, otherParticipants, topicName, userName } from '../realm/names.js'
import { type Count, countChannel, countIds, currentMuting, noCount } from '../realm/unread.js'
import type { View } from '../routing/fragment.js'
import { channelView, directView, propertyView, topicView, viewKey } from '../routing/views.js'
import type { IconName } from '../ui/icon.js'

/** A conversation or a view. */
export interface Place {
  /** equal for two places that are the same view */
  key: string
  view: View
  label: string
  detail: string
  /** the text that is searched, without signs */
  words: string
  /** the smaller, the likelier */
  weight: number
  count: Count
  icon?: IconName
  /** several people */
  isGroup?: boolean
  userId?: number
  channelId?: number
}

const MOST = 12
/** So many of the latest places stand before those with unread messages. */
const LATEST = 6
const NOT_LATEST = 1_000
/** So many of the views stand before the channels. */
const OFTEN_OPENED = 5

const isChannel = ({ view }: Place): boolean =>
  view.name === 'messages' && view.terms.length === 1 && view.terms[0]?.operator === 'channel'

/** The letters of a query may be so far apart, for each of them. */
const MAX_GAP = 3

/** All places, each once. What the user opened lately has the smallest weight. */
export const collectPlaces = (chat: Chat): Place[] => {
  const latest = new Map(
    usesOf(chat)
      .latest('conversation')
      .map((key, rank) => [key, rank]),
  )
  const places = new Map<string, Place>()
  const add = (place: Omit<Place, 'key'>) => {
    const key = viewKey(place.view)
    const rank = latest.get(key)
    if (!places.has(key))
      places.set(key, { ...place, key, weight: rank === undefined ? NOT_LATEST + place.weight : rank })
  }
  for (const place of [...views(chat), ...directPlaces(chat), ...topicPlaces(chat), ...channelPlaces(chat)]) add(place)
  for (const place of peoplePlaces(chat)) add(place)
  return [...places.values()]
}

/**
 * Finds the places that the text means, best first. Without a text, these are the latest ones and those with unread
 * messages.
 */
export const findPlaces = (places: readonly Place[], query: string, openKey: string): Place[] => {
  const others = places.filter(({ key }) => key !== openKey)
  if (query.trim() === '') {
    const sorted = others.toSorted((one, other) => one.weight - other.weight)
    const latest = sorted.filter(({ weight }) => weight < NOT_LATEST).slice(0, LATEST)
    const unread = sorted.filter(
      (place) => place.count.unread > 0 && place.view.name === 'messages' && !isChannel(place),
    )
    return [...new Set([...latest, ...unread, ...sorted])].slice(0, MOST)
  }
  return places
    .flatMap((place) => {
      const match = matchPlace(place, query)
      return match === undefined ? [] : [{ place, match }]
    })
    .sort((one, other) => one.match - other.match || one.place.weight - other.place.weight)
    .slice(0, MOST)
    .map(({ place }) => place)
}

/**
 * The smaller, the better: the name itself, then names and then paths of which every word of the text begins a word,
 * then those that contain them, then those that have the letters in this order.
 */
const matchPlace = ({ label, words, isGroup }: Place, query: string): number | undefined => {
  const wanted = query
    .replace(/[#>›@]/g, ' ')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
  const text = wanted.join(' ')
  if (matchName(label.replace(/^#/, ''), text) === -1) return -1
  const begins = (name: string) => wanted.every((word) => (matchName(name, word) ?? 2) < 2)
  if (begins(label.replace(/^#/, ''))) return isGroup === true ? 0.25 : 0
  if (begins(words)) return 0.5
  if (wanted.every((word) => matchName(words, word) !== undefined)) return 1
  const gaps = matchLetters(words, text)
  return gaps === undefined || gaps > text.length * MAX_GAP ? undefined : 2 + gaps
}

type FoundPlace = Omit<Place, 'key'>

const views = (chat: Chat): FoundPlace[] => {
  const rows: { view: View; label: string; icon: IconName }[] = [
    { view: { name: 'inbox' }, label: t('Inbox'), icon: 'inbox' },
    { view: { name: 'messages', terms: [] }, label: t('All messages'), icon: 'feed' },
    { view: propertyView('mentioned'), label: t('Mentions'), icon: 'at' },
    { view: propertyView('starred'), label: t('Starred messages'), icon: 'star' },
    { view: propertyView('dm'), label: t('Direct messages'), icon: 'direct' },
    { view: { name: 'recent' }, label: t('Recent conversations'), icon: 'history' },
    { view: { name: 'drafts' }, label: t('Drafts'), icon: 'edit' },
    { view: { name: 'scheduled' }, label: t('Scheduled messages'), icon: 'clock' },
    { view: { name: 'reminders' }, label: t('Reminders'), icon: 'bell' },
  ]
  return rows
    .filter(({ view }) => chat.ownUserId !== undefined || (view.name === 'messages' && view.terms.length === 0))
    .map((row, index) => ({
      ...row,
      detail: t('View'),
      words: row.label,
      count: noCount,
      // Without a text, the channels come before the views that are opened seldom.
      weight: index < OFTEN_OPENED ? index : 90 + index,
    }))
}

const directPlaces = (chat: Chat): FoundPlace[] => {
  const unread = chat.unread.value
  return [...chat.directConversations.value]
    .sort(([, one], [, other]) => other - one)
    .map(([key], rank) => {
      const userIds = otherParticipants(chat, key)
      const label = directName(chat, userIds)
      const [userId] = userIds
      return {
        view: directView(userIds),
        label,
        detail: userIds.length === 1 ? t('Direct messages') : t('Group of direct messages'),
        words: label,
        weight: 20 + rank,
        count: countIds(unread.direct.get(key) ?? [], unread),
        ...(userIds.length === 1 && userId !== undefined ? { userId } : { icon: 'people' as const, isGroup: true }),
      }
    })
}

const topicPlaces = (chat: Chat): FoundPlace[] => {
  const unread = chat.unread.value
  const withUnread = [...unread.channels].flatMap(([channelId, topics]) =>
    [...topics].map(([name, ids]) => ({ channelId, name, maxId: ids.at(-1) ?? 0 })),
  )
  return [...withUnread, ...knownTopics(chat)]
    .filter(({ channelId }) => chat.channels.value.has(channelId))
    .sort((one, other) => other.maxId - one.maxId)
    .map(({ channelId, name }, rank) => ({
      view: topicView(channelId, name),
      label: topicName(chat, name),
      detail: `#${channelName(chat, channelId)}`,
      words: `${channelName(chat, channelId)} ${topicName(chat, name)}`,
      weight: 100 + rank,
      count: countIds(unread.channels.get(channelId)?.get(name) ?? [], unread),
      channelId,
    }))
}

const channelPlaces = (chat: Chat): FoundPlace[] =>
  findChannels(chat, '').map(({ stream_id: channelId, name }, rank) => ({
    view: channelView(channelId),
    label: `#${name}`,
    detail: t('Channel'),
    words: name,
    // A channel is meant rather than one of its topics that have the same word.
    weight: (chat.subscriptions.value.has(channelId) ? 10 : 50) + rank / 1_000,
    count: countChannel(channelId, chat.unread.value, currentMuting(chat)),
    channelId,
  }))

const peoplePlaces = (chat: Chat): FoundPlace[] =>
  chat.ownUserId === undefined
    ? []
    : [...chat.users.value.values()]
        .filter(({ is_active }) => is_active)
        .map(({ user_id: userId, full_name, delivery_email, is_bot }) => ({
          view: directView([userId]),
          label: userId === chat.ownUserId ? t('{name} (you)', { name: full_name }) : userName(chat, userId),
          detail: delivery_email ?? (is_bot ? t('Bot') : t('Person')),
          words: full_name,
          weight: is_bot ? 10_000 : 5_000,
          count: noCount,
          userId,
        }))
