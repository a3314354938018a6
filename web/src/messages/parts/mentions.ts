import { computed, type ReadonlySignal } from '@preact/signals'
import type { Chat } from '../../realm/chat.js'
import { isMarkedGuest } from '../../realm/names.js'
import type { MentionContext } from '../rendered/enliven.js'

const contexts = new WeakMap<Chat, ReadonlySignal<MentionContext>>()

/**
 * Returns what the page shows in mentions. Those of the user name the user, or a group of the user; those of guests are
 * marked.
 */
export const useMentions = (chat: Chat): MentionContext => {
  let context = contexts.get(chat)
  if (context === undefined) {
    // As a text: other changes of users draw no message anew.
    const guests = computed(() => [...chat.users.value.keys()].filter((id) => isMarkedGuest(chat, id)).join())
    context = computed(() => {
      const groups = [...chat.groups.value.values()]
      const own = groups.filter(({ members }) => chat.ownUserId !== undefined && members.includes(chat.ownUserId))
      return {
        userId: chat.ownUserId,
        groupIds: new Set(own.map(({ id }) => id)),
        guestIds: new Set(guests.value.split(',').map(Number)),
      }
    })
    contexts.set(chat, context)
  }
  return context.value
}
