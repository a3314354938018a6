/** Arranges the newest messages as a list of conversations. */
import type { Message } from '@parley/client'
import { conversationKey } from '@parley/client/realm'

/** A conversation, by its newest message. */
export interface RecentRow {
  key: string
  newest: Message
  /** who wrote in it, the last one first */
  senderIds: readonly number[]
}

/** One row for each conversation, those with the newest message first. */
export const arrangeRecent = (messages: readonly Message[]): RecentRow[] => {
  const rows = new Map<string, { newest: Message; senderIds: Set<number> }>()
  for (const message of messages.toReversed()) {
    const key = conversationKey(message)
    const row = rows.get(key) ?? { newest: message, senderIds: new Set<number>() }
    rows.set(key, row)
    row.senderIds.add(message.sender_id)
  }
  return [...rows].map(([key, { newest, senderIds }]) => ({ key, newest, senderIds: [...senderIds] }))
}
