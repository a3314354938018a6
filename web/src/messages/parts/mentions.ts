import { computed, type ReadonlySignal } from '@preact/signals'
import type { Chat } from '../../realm/chat.js'
import type { MentionContext } from '../rendered/enliven.js'

const contexts = new WeakMap<Chat, ReadonlySignal<MentionContext>>()

/** Returns the mentions that mention the user. They name the user, or a group of the user. */
export const useMentions = (chat: Chat): MentionContext => {
  let context = contexts.get(chat)
  if (context === undefined) {
    context = computed(() => {
      const groups = [...chat.groups.value.values()]
      const own = groups.filter(({ members }) => chat.ownUserId !== undefined && members.includes(chat.ownUserId))
      return { userId: chat.ownUserId, groupIds: new Set(own.map(({ id }) => id)) }
    })
    contexts.set(chat, context)
  }
  return context.value
}
