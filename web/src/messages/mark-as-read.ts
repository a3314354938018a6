/**
 * Marks all unread messages of a conversation, or of everything, as read, with a way back.
 *
 * 1. The ids of the messages are known before the first of them is marked, so Undo makes exactly these unread again.
 * 2. Large numbers go in batches. If one fails, the user is told how many were marked, and can take these back.
 */
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { conversationView } from '../routing/views.js'
import { say } from '../ui/status-line.js'
import { changeReadFlag } from './reading.js'
import { type ReadTarget, unreadIds } from './unread-ids.js'

/** The number of messages in one page of the unread messages that the registration left out. */
const PAGE = 1_000

/** Marks everything unread of a target as read. Then it says how many messages it marked, and offers Undo. */
export const markAllAsRead = async (chat: Chat, target: ReadTarget): Promise<void> => {
  let ids: readonly number[]
  try {
    // The store, and not its signal, which follows it a frame later.
    const unread = chat.realm.unread.get()
    // The registration leaves out old ones if there are very many. Only the server knows them.
    ids = unread.isIncomplete ? await fetchUnreadIds(chat, target) : unreadIds(chat, target, unread)
  } catch (error) {
    say({ text: errorText(error), isFailure: true })
    return
  }
  if (ids.length === 0) {
    say({ text: t('Nothing is unread there.') })
    return
  }
  const { marked, error } = await changeReadFlag(chat, ids, 'add')
  if (error === undefined) {
    say({
      text: t('{count, plural, one {Marked # message as read.} other {Marked # messages as read.}}', {
        count: marked.length,
      }),
      action: { label: t('Undo'), run: () => undo(chat, marked) },
    })
    return
  }
  say({
    text: t('{reason} {marked, number} of {count, plural, one {# message} other {# messages}} are marked as read.', {
      reason: errorText(error),
      marked: marked.length,
      count: ids.length,
    }),
    isFailure: true,
    ...(marked.length > 0 && { action: { label: t('Undo'), run: () => undo(chat, marked) } }),
  })
}

const undo = async (chat: Chat, ids: readonly number[]): Promise<void> => {
  const { marked, ignoredChannels, error } = await changeReadFlag(chat, ids, 'remove')
  if (error !== undefined) throw error
  const isPart = ignoredChannels.length > 0
  say({
    text: isPart
      ? t('The messages are unread again, except in channels that you have left.')
      : t('{count, plural, one {# message is unread again.} other {# messages are unread again.}}', {
          count: marked.length,
        }),
  })
}

const fetchUnreadIds = async (chat: Chat, target: ReadTarget): Promise<number[]> => {
  const view = target.kind === 'everything' ? undefined : conversationView(target)
  const terms = view?.name === 'messages' ? view.terms : []
  const narrow = [...terms.map((term) => ({ ...term })), { operator: 'is', operand: 'unread' }]
  const ids: number[] = []
  for (let hasAll = false; !hasAll; ) {
    const page = await chat.client.call('GET /messages', {
      narrow,
      anchor: ids.length === 0 ? 'oldest' : String(ids.at(-1)),
      include_anchor: ids.length === 0,
      num_before: 0,
      num_after: PAGE,
    })
    ids.push(...page.messages.map(({ id }) => id))
    hasAll = page.found_newest || page.messages.length === 0
  }
  return ids
}
