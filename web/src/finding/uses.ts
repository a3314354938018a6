/**
 * What the user uses often and lately: it ranks what is proposed.
 *
 * 1. Messages and reactions of the user count, from all clients, while the page is open; a conversation counts when it
 *    is opened here.
 * 2. The weight of a use halves every week.
 * 3. It is kept in the storage of the browser for each account, at most MOST of each kind.
 */
import { participants } from '@parley/client/realm'
import { effect } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import { view } from '../routing/location.js'
import { conversationOf, viewKey } from '../routing/views.js'
import { userStorage } from '../session/user-storage.js'

/** People by id, emoji and languages by name, conversations by the key of their view. */
export type UseKind = 'person' | 'emoji' | 'language' | 'conversation'

interface Use {
  weight: number
  /** milliseconds since 1970 */
  time: number
}

/** What was used. */
export interface Uses {
  /** how often and how lately; 0 for what was never used */
  weightOf(kind: UseKind, key: string): number
  /** what was used, the latest first */
  latest(kind: UseKind): string[]
  /** the newest message of a channel that came while the page is open; 0 without one */
  newestMessageOf(channelId: number): number
}

const MOST = 200
const WEEK_MS = 7 * 86_400_000

type Kept = Partial<Record<UseKind, Record<string, Use>>>

interface OpenUses extends Uses {
  note(kind: UseKind, key: string): void
  noteMessage(channelId: number, messageId: number): void
}

const usesOfChats = new WeakMap<Chat, OpenUses>()

/** What the user of the page used. */
export const usesOf = (chat: Chat): Uses => openUses(chat)

const openUses = (chat: Chat): OpenUses => {
  let uses = usesOfChats.get(chat)
  if (uses === undefined) {
    uses = createUses(`${userStorage(chat.ownUserId)}uses`)
    usesOfChats.set(chat, uses)
  }
  return uses
}

const createUses = (storageKey: string): OpenUses => {
  const kept = read(storageKey)
  const newest = new Map<number, number>()
  const weigh = ({ weight, time }: Use) => weight * 0.5 ** ((Date.now() - time) / WEEK_MS)
  const usesOfKind = (kind: UseKind) => Object.entries(kept[kind] ?? {})
  return {
    weightOf(kind, key) {
      const use = kept[kind]?.[key]
      return use === undefined ? 0 : weigh(use)
    },
    latest: (kind) =>
      usesOfKind(kind)
        .sort(([, one], [, other]) => other.time - one.time)
        .map(([key]) => key),
    newestMessageOf: (channelId) => newest.get(channelId) ?? 0,
    noteMessage: (channelId, messageId) => void newest.set(channelId, messageId),
    note(kind, key) {
      const use = kept[kind]?.[key]
      const next = { weight: (use === undefined ? 0 : weigh(use)) + 1, time: Date.now() }
      const rest = usesOfKind(kind).filter(([each]) => each !== key)
      rest.sort(([, one], [, other]) => other.time - one.time)
      kept[kind] = Object.fromEntries([[key, next], ...rest.slice(0, MOST - 1)])
      write(storageKey, kept)
    },
  }
}

const read = (key: string): Kept => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {}
  } catch {
    return {}
  }
}

const write = (key: string, kept: Kept): void => {
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Without storage, or when it is full, it lives as long as the page.
  }
}

/** Notes what the user uses until the returned function is called. */
export const followUses = (chat: Chat): (() => void) => {
  const uses = openUses(chat)
  const stopEvents = chat.realm.onEvent((event) => {
    if (event.type === 'message') {
      const { message } = event
      if (message.stream_id !== undefined) uses.noteMessage(message.stream_id, message.id)
      if (message.sender_id !== chat.ownUserId) return
      const people = new Set(message.type === 'stream' ? [] : participants(message))
      for (const [, id] of message.content.matchAll(/data-user-id="(\d+)"/g)) people.add(Number(id))
      people.delete(chat.ownUserId)
      for (const id of people) uses.note('person', String(id))
      for (const name of emojiIn(message.content)) uses.note('emoji', name)
      for (const [, name] of message.content.matchAll(/data-code-language="([^"]+)"/g)) {
        uses.note('language', (name as string).toLowerCase())
      }
    } else if (event.type === 'reaction' && event.op === 'add' && event.user_id === chat.ownUserId) {
      uses.note('emoji', event.emoji_name)
    }
  })
  const stopViews = effect(() => {
    const shown = view.value
    if (shown.name !== 'messages' || conversationOf(shown.terms) === undefined) return
    uses.note('conversation', viewKey({ name: 'messages', terms: shown.terms }))
  })
  return () => {
    stopEvents()
    stopViews()
  }
}

/** The names of the emoji in the HTML of a message, each once. */
const emojiIn = (html: string): Set<string> => {
  const names = html.matchAll(/class="emoji[^>]*>:([^:<]+):<|alt=":([^:"]+):"/g)
  return new Set([...names].map(([, unicode, custom]) => unicode ?? custom ?? ''))
}
