/** What can complete the word before the cursor: users, groups, channels, topics, emoji and commands. */
import { type Emoji, emojiTable, searchEmoji } from '../emoji/emoji-table.js'
import type { Chat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'

/** One completion. */
export interface Suggestion {
  key: string
  label: string
  detail?: string
  /** the text that replaces the word */
  text: string
  emoji?: Emoji
  userId?: number
}

/** The word that is being completed, and its completions. */
export interface Completion {
  start: number
  end: number
  suggestions: readonly Suggestion[]
}

const MAX_SUGGESTIONS = 8

const commands: readonly Suggestion[] = [
  { key: 'me', label: '/me', detail: 'Say what you do', text: '/me ' },
  { key: 'poll', label: '/poll', detail: 'Ask a question: then one option per line', text: '/poll ' },
  { key: 'todo', label: '/todo', detail: 'Begin a to-do list: then one task per line', text: '/todo ' },
]

const wildcards = [
  { name: 'all', detail: 'Notify all subscribers' },
  { name: 'topic', detail: 'Notify all who take part in the topic' },
]

interface Place {
  /** the channel to which the message goes: its members come first, and it alone has wildcards */
  channelId: number | undefined
}

/** Completes the word before the cursor; undefined if nothing completes it. */
export const complete = (chat: Chat, text: string, cursor: number, place: Place): Completion | undefined => {
  const before = text.slice(0, cursor)
  for (const { pattern, suggest } of kinds) {
    const match = pattern.exec(before)
    if (match === null) continue
    const word = match.groups?.word ?? ''
    const suggestions = suggest(chat, match.groups ?? {}, place).slice(0, MAX_SUGGESTIONS)
    if (suggestions.length > 0) return { start: cursor - word.length, end: cursor, suggestions }
  }
  return undefined
}

interface Kind {
  /** matches the text before the cursor; the group `word` is what is replaced */
  pattern: RegExp
  suggest(chat: Chat, groups: Record<string, string>, place: Place): Suggestion[]
}

const kinds: readonly Kind[] = [
  {
    pattern: /^(?<word>\/\w*)$/,
    suggest: (_, { word = '' }) => commands.filter(({ label }) => label.startsWith(word)),
  },
  {
    pattern: /(?:^|[\s([{"'])(?<word>@(?<silent>_?)(?:\*\*?)?(?<query>[^\s@*][^@*\n]{0,40})?)$/u,
    suggest: (chat, { silent = '', query = '' }, place) => suggestMentions(chat, query, silent === '_', place),
  },
  {
    pattern: /(?<word>#(?:\*\*)?(?<channel>[^#*>\n]{1,60})(?:\*\*)?>(?<query>[^#*>\n]{0,60}))$/u,
    suggest: (chat, { channel = '', query = '' }) => suggestTopics(chat, channel, query),
  },
  {
    pattern: /(?:^|[\s([{"'])(?<word>#(?:\*\*)?(?<query>[^#*>\s][^#*>\n]{0,60})?)$/u,
    suggest: (chat, { query = '' }) => suggestChannels(chat, query),
  },
  {
    pattern: /(?:^|[\s([{"'])(?<word>:(?<query>[\p{L}\p{N}_+-]{2,40}))$/u,
    suggest: (chat, { query = '' }) =>
      searchEmoji(emojiTable(chat).value, query)
        .slice(0, MAX_SUGGESTIONS)
        .map((emoji) => ({ key: emoji.code, label: `:${emoji.name}:`, text: `:${emoji.name}: `, emoji })),
  },
]

/** 0 if the name begins with the query, 1 if one of its words does, 2 if it contains it; undefined if it does not. */
export const matchName = (name: string, query: string): number | undefined => {
  const [text, wanted] = [fold(name), fold(query)]
  if (text.startsWith(wanted)) return 0
  if (text.split(/[\s_-]+/).some((word) => word.startsWith(wanted)) || text.includes(` ${wanted}`)) return 1
  return text.includes(wanted) ? 2 : undefined
}

/** Small letters without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Orders rows by how well their names match, then by `weigh`; rows that do not match are left out. */
export const rankByName = <Row>(
  rows: Iterable<Row>,
  query: string,
  nameOf: (row: Row) => string,
  weigh: (row: Row) => number = () => 0,
): Row[] => {
  const found: { row: Row; match: number; weight: number }[] = []
  for (const row of rows) {
    const match = matchName(nameOf(row), query)
    if (match !== undefined) found.push({ row, match, weight: weigh(row) })
  }
  return found
    .sort((a, b) => a.match - b.match || a.weight - b.weight || (nameOf(a.row) < nameOf(b.row) ? -1 : 1))
    .map(({ row }) => row)
}

const suggestMentions = (chat: Chat, query: string, isSilent: boolean, { channelId }: Place): Suggestion[] => {
  const sign = isSilent ? '@_' : '@'
  const people = findUsers(chat, query, channelId)
  const names = new Map<string, number>()
  for (const { full_name: name } of chat.users.value.values()) names.set(name, (names.get(name) ?? 0) + 1)
  const users = people.slice(0, MAX_SUGGESTIONS).map(({ user_id: id, full_name: name, email, delivery_email }) => ({
    key: `user${id}`,
    label: name,
    detail: delivery_email ?? (names.get(name) === 1 ? '' : email),
    text: `${sign}**${name}${names.get(name) === 1 ? '' : `|${id}`}** `,
    userId: id,
  }))
  const groups = rankByName(
    [...chat.groups.value.values()].filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated),
    query,
    ({ name }) => name,
  ).map(({ id, name, description }) => ({
    key: `group${id}`,
    label: name,
    detail: description,
    text: `${sign}*${name}* `,
  }))
  const all = channelId === undefined || isSilent ? [] : wildcards.filter(({ name }) => matchName(name, query) === 0)
  const rest = all.map(({ name, detail }) => ({ key: name, label: `@${name}`, detail, text: `@**${name}** ` }))
  const [best, others] = [users.slice(0, 5), users.slice(5)]
  return [...best, ...rest, ...groups.slice(0, 3), ...others]
}

/** The active users whose names match, those of whom something was seen lately first. */
export const findUsers = (chat: Chat, query: string, channelId?: number) => {
  const members = channelId === undefined ? undefined : chat.realm.members(channelId).get()
  const presence = chat.presence.peek()
  const weigh = ({ user_id: id, is_bot }: { user_id: number; is_bot: boolean }) =>
    (members === undefined || members.has(id) ? 0 : 4) + (presence.has(id) ? 0 : 1) + (is_bot ? 2 : 0)
  const active = [...chat.users.value.values()].filter(({ is_active }) => is_active)
  return rankByName(active, query, ({ full_name }) => full_name, weigh)
}

/** The channels whose names match, subscribed ones first. */
export const findChannels = (chat: Chat, query: string) =>
  rankByName(
    [...chat.channels.value.values()].filter(({ is_archived }) => !is_archived),
    query,
    ({ name }) => name,
    ({ stream_id }) => (chat.subscriptions.value.has(stream_id) ? 0 : 1),
  )

const suggestChannels = (chat: Chat, query: string): Suggestion[] =>
  findChannels(chat, query)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ stream_id, name, description }) => ({
      key: `channel${stream_id}`,
      label: `#${name}`,
      detail: description,
      text: `#**${name}** `,
    }))

const suggestTopics = (chat: Chat, name: string, query: string): Suggestion[] => {
  const channel = [...chat.channels.value.values()].find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (channel === undefined) return []
  const topics = chat.topics(channel.stream_id).value ?? []
  const known = rankByName(topics, query, (topic) => topicName(chat, topic.name), topicWeight(topics))
  return known.map((topic) => ({
    key: topic.name,
    label: `#${channelName(chat, channel.stream_id)} › ${topicName(chat, topic.name)}`,
    text: `#**${channel.name}>${topic.name}** `,
  }))
}

/** The topics of a channel whose names match, newest first. */
export const findTopics = (chat: Chat, channelId: number, query: string): string[] => {
  const topics = chat.topics(channelId).value ?? []
  return rankByName(topics, query, ({ name }) => name, topicWeight(topics)).map(({ name }) => name)
}

const topicWeight = (topics: readonly { max_id: number }[]) => {
  const newest = topics[0]?.max_id ?? 0
  return ({ max_id }: { max_id: number }) => newest - max_id
}
