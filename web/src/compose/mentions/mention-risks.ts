/** What a sender should know before the mentions of a message go out: who would not be notified, and how many would. */
import type { Channel, User } from '@parley/client/realm'
import type { Chat } from '../../realm/chat.js'
import { mayAddSubscribers, mayInOrganization } from '../../realm/permissions.js'
import type { SendableConversation } from '../../routing/views.js'

/** The most subscribers whom every user may mention with a wildcard. It is a constant of the server. */
const MANY = 15

const channelWildcards = new Set(['all', 'everyone', 'stream', 'channel'])
const wildcards = new Set([...channelWildcards, 'topic'])

/** The risks of a message; undefined if there are none. */
export interface MentionRisks {
  channel: Channel | undefined
  /** people who are mentioned, and are not there */
  absent: readonly User[]
  /** whether the user may subscribe them */
  mayAdd: boolean
  /** the subscribers whom a wildcard notifies, if they are many; 0 otherwise */
  notified: number
  mayNotify: boolean
}

/** Whether a text can have a mention with a risk. */
export const hasMention = (content: string): boolean => content.includes('@**')

/** Finds the risks. Fetches the subscribers of the channel if that was not done yet. */
export const findRisks = async (
  chat: Chat,
  conversation: SendableConversation,
  content: string,
): Promise<MentionRisks | undefined> => {
  const names = mentionedNames(content)
  const mentioned = names.flatMap((name) => (wildcards.has(name) ? [] : (findMentioned(chat, name) ?? [])))
  if (conversation.kind === 'direct') {
    const absent = mentioned.filter(({ user_id: id }) => id !== chat.ownUserId && !conversation.userIds.includes(id))
    return absent.length === 0 ? undefined : { channel: undefined, absent, mayAdd: false, notified: 0, mayNotify: true }
  }
  const channel = chat.channels.peek().get(conversation.channelId)
  const members = await loadMembers(chat, conversation.channelId)
  if (channel === undefined || members === undefined) return undefined
  const absent = mentioned.filter(({ user_id: id, is_bot }) => !is_bot && !members.has(id))
  const isToAll = names.some((name) => channelWildcards.has(name))
  const notified = isToAll && members.size > MANY ? members.size : 0
  if (absent.length === 0 && notified === 0) return undefined
  const mayNotify = mayInOrganization(chat, 'can_mention_many_users_group')
  return { channel, absent, mayAdd: mayAddSubscribers(chat, channel), notified, mayNotify }
}

/** The names in the mentions of a text that notify; code and quotations have none. */
export const mentionedNames = (content: string): string[] => {
  const spoken = spokenLines(content)
    .join('\n')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
  return [...new Set([...spoken.matchAll(/@\*\*([^*\n]+)\*\*/g)].map(([, name]) => name as string))]
}

/** The lines outside of quotations and of all blocks but spoilers, which can contain blocks themselves. */
const spokenLines = (content: string): string[] => {
  const blocks: { fence: string; isSpoiler: boolean }[] = []
  return content.split('\n').filter((line) => {
    const [, fence, word = ''] = /^ {0,3}(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? []
    const inner = blocks.at(-1)
    if (fence !== undefined && inner?.fence === line.trim()) blocks.pop()
    else if (fence !== undefined && inner?.isSpoiler !== false) {
      blocks.push({ fence, isSpoiler: word.toLowerCase() === 'spoiler' })
    } else return blocks.every(({ isSpoiler }) => isSpoiler) && !/^\s*>/.test(line)
    return false
  })
}

const findMentioned = (chat: Chat, name: string): User | undefined => {
  const id = /\|(\d+)$/.exec(name)?.[1]
  const users = [...chat.users.peek().values()].filter(({ is_active }) => is_active)
  return id === undefined
    ? users.find(({ full_name }) => full_name.toLowerCase() === name.toLowerCase())
    : users.find(({ user_id }) => user_id === Number(id))
}

/** The subscribers of a channel; undefined if they cannot be fetched. */
const loadMembers = async (chat: Chat, channelId: number): Promise<ReadonlySet<number> | undefined> => {
  const known = chat.realm.members(channelId).get()
  if (known !== undefined) return known
  try {
    const { subscribers } = await chat.client.call('GET /streams/{stream_id}/members', { stream_id: channelId })
    return new Set(subscribers)
  } catch {
    // The server decides what is allowed. Without the list there is nothing to warn of.
    return undefined
  }
}
