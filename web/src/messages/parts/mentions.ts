import { computed, type ReadonlySignal } from '@preact/signals'
import type { Chat } from '../../realm/chat.js'
import { isMarkedGuest } from '../../realm/names.js'
import { alertPattern } from '../rendered/alert-words.js'
import type { MentionContext } from '../rendered/enliven.js'

interface Contexts {
  plain: ReadonlySignal<MentionContext>
  alerting: ReadonlySignal<MentionContext>
}

const contexts = new WeakMap<Chat, Contexts>()

/**
 * Returns what the page shows in mentions. Those of the user name the user, or a group of the user; those of guests are
 * marked.
 * @param flags of the message; one with an alert word has the user's words marked, too
 */
export const useMentions = (chat: Chat, flags: readonly string[] = []): MentionContext => {
  let known = contexts.get(chat)
  if (known === undefined) {
    known = createContexts(chat)
    contexts.set(chat, known)
  }
  return flags.includes('has_alert_word') ? known.alerting.value : known.plain.value
}

const createContexts = (chat: Chat): Contexts => {
  // As a text: other changes of users draw no message anew.
  const guests = computed(() => [...chat.users.value.keys()].filter((id) => isMarkedGuest(chat, id)).join())
  const plain = computed(() => {
    const groups = [...chat.groups.value.values()]
    const own = groups.filter(({ members }) => chat.ownUserId !== undefined && members.includes(chat.ownUserId))
    return {
      userId: chat.ownUserId,
      groupIds: new Set(own.map(({ id }) => id)),
      guestIds: new Set(guests.value.split(',').map(Number)),
    }
  })
  const alerting = computed(() => ({ ...plain.value, alertWords: alertPattern(chat.alertWords.value) }))
  return { plain, alerting }
}
