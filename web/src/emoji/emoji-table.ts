/** The emoji of the server and of the organization, and how they are found by name. */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Uses, usesOf } from '../finding/uses.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'

/** An emoji that a user can send. */
export interface Emoji {
  /** the name that is sent */
  name: string
  /** all names by which it is found */
  names: readonly string[]
  code: string
  type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji'
  /** the picture of an organization's own emoji */
  url?: string
}

/** Emoji that belong together. */
export interface EmojiCategory {
  name: string
  emoji: readonly Emoji[]
}

const unicodeEmoji = signal<readonly Emoji[]>([])
/** the codes of each category of Unicode */
const catalog = signal<Readonly<Record<string, readonly string[]>>>({})
let isRequested = false
const state = signal<'loading' | 'loaded' | 'failed'>('loading')

/** Whether the emoji of Unicode are there. After a failure, the next use loads them again. */
export const emojiState: ReadonlySignal<'loading' | 'loaded' | 'failed'> = state

const tables = new WeakMap<Chat, ReadonlySignal<readonly Emoji[]>>()

/**
 * Returns all emoji: the organization's own, then those of Unicode. Those of Unicode are loaded when they are first
 * needed.
 */
export const emojiTable = (chat: Chat): ReadonlySignal<readonly Emoji[]> => {
  void requestTable(chat)
  let table = tables.get(chat)
  if (table === undefined) {
    table = computed(() => [...customEmoji(chat), ...unicodeEmoji.value])
    tables.set(chat, table)
  }
  return table
}

/** By the names that Unicode gives them. */
const categoryNames: Readonly<Record<string, string>> = {
  'Smileys & Emotion': t('Smileys & Emotion'),
  'People & Body': t('People & Body'),
  'Animals & Nature': t('Animals & Nature'),
  'Food & Drink': t('Food & Drink'),
  'Travel & Places': t('Travel & Places'),
  Activities: t('Activities'),
  Objects: t('Objects'),
  Symbols: t('Symbols'),
  Flags: t('Flags'),
}

/** Returns the categories with their emoji. The organization's own is first, then those of Unicode in its order. */
export const emojiCategories = (chat: Chat): readonly EmojiCategory[] => {
  const byCode = new Map(emojiTable(chat).value.map((emoji) => [emoji.code, emoji]))
  const ofUnicode = Object.entries(catalog.value).map(([name, codes]) => ({
    name: categoryNames[name] ?? name,
    emoji: codes.flatMap((code) => byCode.get(code) ?? []),
  }))
  return [{ name: t('Of this organization'), emoji: customEmoji(chat) }, ...ofUnicode].filter(
    ({ emoji }) => emoji.length > 0,
  )
}

interface EmojiData {
  code_to_names: Record<string, string[]>
  /** absent in a file that the browser kept from an older server */
  emoji_catalog?: Record<string, string[]>
}

const requestTable = async (chat: Chat): Promise<void> => {
  const url = chat.organization.peek().server_emoji_data_url
  if (isRequested || url === undefined) return
  isRequested = true
  try {
    // The policy of the page allows only its own host, under which the server may have another name.
    const answer = await fetch(new URL(url).pathname)
    const { code_to_names: names, emoji_catalog: codes } = (await answer.json()) as EmojiData
    unicodeEmoji.value = Object.entries(names)
      .map(([code, all]): Emoji => ({ name: all[0] as string, names: all, code, type: 'unicode_emoji' }))
      .sort((one, other) => rank(one) - rank(other))
    catalog.value = codes ?? {}
    state.value = 'loaded'
  } catch {
    isRequested = false
    state.value = 'failed'
  }
}

/** The faces of Unicode first, then its other pictures, then the signs. */
const rank = ({ code }: Emoji): number => {
  const point = Number.parseInt(code, 16)
  if (point >= 0x1f600 && point <= 0x1f64f) return 0
  return point >= 0x1f300 ? 1 : 2
}

const customEmoji = (chat: Chat): Emoji[] =>
  [...chat.emoji.value.values()]
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name, source_url }) => ({ name, names: [name], code: id, type: 'realm_emoji', url: source_url }))

/**
 * Finds the emoji whose names contain the words of a query. The same name comes first, then what the user uses most,
 * then the best.
 */
export const searchEmoji = (chat: Chat, query: string): readonly Emoji[] => {
  const table = emojiTable(chat).value
  const wanted = query.trim().toLowerCase().replaceAll(' ', '_')
  if (wanted === '') return putUsedFirst(chat, table)
  const uses = usesOf(chat)
  const scored = table.map((emoji) => ({ emoji, score: Math.min(...emoji.names.map((name) => score(name, wanted))) }))
  return scored
    .filter(({ score: each }) => each < 4)
    .map((row) => ({ ...row, weight: weighMatch(row.score, weighEmoji(uses, row.emoji)) }))
    .sort((one, other) => (one.weight === other.weight ? one.score - other.score : other.weight - one.weight))
    .map(({ emoji }) => emoji)
}

/** Of emoji that the user never used, the ones that most people use come first. */
const popular = ['thumbs_up', 'tada', 'smile', 'heart', 'working_on_it', 'eyes', 'check', 'octopus']

/** What the user used weighs more than 1. */
const weighEmoji = (uses: Uses, { names }: Emoji): number => {
  const used = names.reduce((sum, name) => sum + uses.weightOf('emoji', name), 0)
  const rank = popular.findIndex((name) => names.includes(name))
  return used > 0 ? 1 + used : rank === -1 ? 0 : 1 - rank / popular.length
}

const putUsedFirst = (chat: Chat, table: readonly Emoji[]): Emoji[] => {
  const uses = usesOf(chat)
  const weights = new Map(table.map((emoji) => [emoji, weighEmoji(uses, emoji)]))
  return table.toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
}

/** The name of an emoji that a query means: an emoji can have several. */
export const matchingName = ({ names, name }: Emoji, query: string): string =>
  names.toSorted((one, other) => score(one, query.toLowerCase()) - score(other, query.toLowerCase()))[0] ?? name

/** What is used often comes first only where a word of its name begins with the query. */
const weighMatch = (score: number, weight: number): number =>
  score === 0 ? Number.POSITIVE_INFINITY : score < 3 ? weight : -1

/** 0 for the same name, 1 for its beginning, 2 for the beginning of a word, 3 for any part, 4 for none. */
const score = (name: string, wanted: string): number => {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(`_${wanted}`)) return 2
  return name.includes(wanted) ? 3 : 4
}

/**
 * Returns the characters of an emoji of Unicode. For example, `1f1e9-1f1ea` is a flag. Undefined for what is not the
 * code of one.
 */
export const emojiGlyph = (code: string): string | undefined => {
  const points = code.split('-').map((point) => (/^[0-9a-f]{1,6}$/i.test(point) ? Number.parseInt(point, 16) : 0))
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined
}
