/**
 * What can complete the word before the cursor: users, groups, channels, topics, emoji, times, languages and commands.
 */

import { channelLink, topicLink } from '#rules/links.js'
import { type Emoji, matchingName, searchEmoji } from '../emoji/emoji-table.js'
import { readableText } from '../emoji/readable-text.js'
import { findChannels, findTopics, findUsers } from '../finding/find.js'
import { rankByName } from '../finding/rank.js'
import { t } from '../languages/t.js'
import { plainText } from '../messages/rendered/plain-text.js'
import type { Chat } from '../realm/chat.js'
import { topicName, userName } from '../realm/names.js'
import { findLanguages } from './languages.js'

/** One completion. */
export interface Suggestion {
  key: string
  label: string
  detail?: string
  /** the text that replaces the word */
  text: string
  /** how far before the end of the text the cursor goes */
  cursorFromEnd?: number
  /** opens the form for a time in place of a text */
  opensTime?: boolean
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
  { key: 'me', label: '/me', detail: t('Say what you do'), text: '/me ' },
  { key: 'poll', label: '/poll', detail: t('Ask a question: then one option per line'), text: '/poll ' },
  { key: 'todo', label: '/todo', detail: t('Begin a to-do list: then one task per line'), text: '/todo ' },
]

const wildcards = [
  { name: 'all', detail: t('Notify all subscribers') },
  { name: 'topic', detail: t('Notify all who take part in the topic') },
  { name: 'everyone', detail: t('Notify all subscribers') },
  { name: 'channel', detail: t('Notify all subscribers') },
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
    const suggestions = suggest(chat, match.groups ?? {}, place, text).slice(0, MAX_SUGGESTIONS)
    if (suggestions.length > 0) return { start: cursor - word.length, end: cursor, suggestions }
  }
  return undefined
}

interface Kind {
  /** matches the text before the cursor; the group `word` is what is replaced */
  pattern: RegExp
  suggest(chat: Chat, groups: Record<string, string>, place: Place, text: string): Suggestion[]
}

const kinds: readonly Kind[] = [
  {
    pattern: /^(?<word>\/\w*)$/,
    suggest: (_, { word = '' }) => commands.filter(({ label }) => label.startsWith(word)),
  },
  {
    pattern: /(?:^|\n)(?<fence>`{3,}|~{3,})(?<word>(?<query>[^\s`~]{1,30}))$/,
    suggest: (chat, { fence = '', query = '' }, _, text) => suggestLanguages(chat, query, fence, text),
  },
  {
    pattern: /(?<word><ti(?:m(?:e(?::[^<>\n]{0,60})?)?)?)$/,
    suggest: () => [
      { key: 'time', label: '<time:…>', detail: t('Choose a date and a time'), text: '', opensTime: true },
    ],
  },
  {
    pattern:
      /(?:^|[\s([{"'<:]|[^\p{ASCII}\p{Script=Latin}])(?<word>@(?<silent>_?)(?:\*\*?)?(?<query>[^\s@*][^@*\n]{0,40})?)$/u,
    suggest: (chat, { silent = '', query = '' }, place) => suggestMentions(chat, query, silent === '_', place),
  },
  {
    // A channel that was completed, too: `#**general** >`.
    pattern:
      /(?<word>#(?:\*\*(?<done>[^#*>\n]{1,60})\*\* ?|(?:\*\*)?(?<channel>[^#*>\n]{1,60}))>(?<query>[^#*>\n]{0,60}))$/u,
    suggest: (chat, { done, channel = '', query = '' }) => suggestTopics(chat, done ?? channel, query),
  },
  {
    pattern: /(?:^|[\s([{"'<:]|[^\p{ASCII}\p{Script=Latin}])(?<word>#(?:\*\*)?(?<query>[^#*>\s][^#*>\n]{0,60})?)$/u,
    suggest: (chat, { query = '' }) => suggestChannels(chat, query),
  },
  {
    pattern: /(?:^|[\s([{"'])(?<word>:(?<query>[\p{L}\p{N}_+-]{2,40}))$/u,
    suggest: (chat, { query = '' }) =>
      searchEmoji(chat, query)
        .slice(0, MAX_SUGGESTIONS)
        .map((emoji) => ({ emoji, name: matchingName(emoji, query) }))
        .map(({ emoji, name }) => ({ key: emoji.code, label: `:${name}:`, text: `:${name}: `, emoji })),
  },
]

/** The name of a language, with the end of the block if it has none yet. A fence that ends a block has no language. */
const suggestLanguages = (chat: Chat, query: string, fence: string, text: string): Suggestion[] => {
  const fences = text.split('\n').filter((line) => line.startsWith(fence)).length
  const rest = fences % 2 === 1 ? `\n\n${fence}` : '\n'
  return findLanguages(chat, query).map(({ alias, detail }) => ({
    key: alias,
    label: alias,
    detail,
    // What is hidden has a heading in the same line.
    text: alias === 'spoiler' ? `${alias} ${rest}` : alias + rest,
    cursorFromEnd: alias === 'spoiler' ? rest.length : rest.length - 1,
  }))
}

const suggestMentions = (chat: Chat, query: string, isSilent: boolean, place: Place): Suggestion[] => {
  const sign = isSilent ? '@_' : '@'
  const names = new Map<string, number>()
  for (const { full_name: name } of chat.users.value.values()) names.set(name, (names.get(name) ?? 0) + 1)
  const users = findUsers(chat, query, place)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ user_id: id, full_name: name, email, delivery_email }) => ({
      key: `user${id}`,
      label: userName(chat, id),
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
    detail: readableText(chat, description),
    text: `${sign}*${name}* `,
  }))
  const all = place.channelId === undefined || isSilent ? [] : wildcards.filter(({ name }) => name.startsWith(query))
  const rest = all
    .slice(0, query === '' ? 2 : 4)
    .map(({ name, detail }) => ({ key: name, label: `@${name}`, detail, text: `@**${name}** ` }))
  // A word that is typed to its end is meant, also where a name begins with it.
  const [exact, others] = [rest.filter(({ key }) => key === query), rest.filter(({ key }) => key !== query)]
  return [...exact, ...users.slice(0, 5), ...others, ...groups.slice(0, 3), ...users.slice(5)]
}

const suggestChannels = (chat: Chat, query: string): Suggestion[] =>
  findChannels(chat, query)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ stream_id, name, rendered_description }) => ({
      key: `channel${stream_id}`,
      label: `#${name}`,
      detail: plainText(rendered_description),
      text: `${channelLink({ id: stream_id, name })} `,
    }))

const suggestTopics = (chat: Chat, name: string, query: string): Suggestion[] => {
  const wanted = name.trim().toLowerCase()
  const channel = [...chat.channels.value.values()].find((each) => each.name.toLowerCase() === wanted)
  if (channel === undefined) return []
  return findTopics(chat, channel.stream_id, query).map((topic) => ({
    key: topic.name,
    label: `#${channel.name} › ${topicName(chat, topic.name)}`,
    text: `${topicLink({ id: channel.stream_id, name: channel.name }, topic.name, topicName(chat, topic.name))} `,
  }))
}
