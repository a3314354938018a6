/** Where the message goes that the user writes: to the conversation of the view, or to another that the user chose. */
import { directKey } from '@parley/client/realm'
import { signal } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'

/** A conversation that is not completely chosen yet. */
export type Target =
  | { kind: 'topic'; channelId: number | undefined; topic: string }
  | { kind: 'direct'; userIds: readonly number[] }

/**
 * The target that the user chose instead of the conversation of the view. `isFixed`: the message is a reply, whose
 * conversation is only named. `newText`: the text is a new one, and not what the user wrote before to a chosen target.
 */
export const chosenTarget = signal<{ target: Target; isFixed: boolean; newText?: number } | undefined>(undefined)

/** A text that goes into the compose box when it is shown next. */
export const insertedText = signal('')

/** Returns the first target of a new message while a conversation is open. In a channel, it is that channel. */
export const newTarget = (conversation: Conversation | undefined): Target => ({
  kind: 'topic',
  channelId: conversation === undefined || conversation.kind === 'direct' ? undefined : conversation.channelId,
  topic: '',
})

/** Opens the compose box for a conversation that the user chooses. */
export const composeTo = (target: Target): void => {
  chosenTarget.value = { target, isFixed: false }
  focusCompose()
}

let newTexts = 0

/** Opens the compose box with a text. The user chooses the conversation to which it is forwarded. */
export const composeForwarded = (text: string): void => {
  newTexts += 1
  chosenTarget.value = { target: newTarget(undefined), isFixed: false, newText: newTexts }
  insertedText.value = text
  focusCompose()
}

/** Opens the compose box for a reply, with a text such as a quotation. */
export const composeReply = (conversation: Conversation | undefined, isOpen: boolean, text = ''): void => {
  if (!isOpen && conversation !== undefined && conversation.kind !== 'channel') {
    chosenTarget.value = { target: conversation, isFixed: true }
  }
  if (text !== '') insertedText.value = text
  focusCompose()
}

/** Focuses the compose box as soon as it is in the page. */
export const focusCompose = (): void => {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('[data-first-field]') ?? document.querySelector('#compose')
    ;(field as HTMLElement | null)?.focus()
  })
}

/** The conversation of a target; undefined while a part is missing. */
export const completeTarget = (target: Target): Exclude<Conversation, { kind: 'channel' }> | undefined => {
  if (target.kind === 'direct') {
    return target.userIds.length === 0 ? undefined : { kind: 'direct', userIds: [...target.userIds] }
  }
  const { channelId, topic } = target
  return channelId === undefined ? undefined : { kind: 'topic', channelId, topic: topic.trim() }
}

/** A text that is equal for two targets of one conversation. */
export const targetKey = (chat: Chat, target: Target): string =>
  target.kind === 'direct'
    ? `direct:${directKey([...target.userIds, ...(chat.ownUserId === undefined ? [] : [chat.ownUserId])])}`
    : `topic:${target.channelId ?? ''}:${target.topic.trim().toLowerCase()}`
