/**
 * Notifies of new messages while the user looks elsewhere: by a sound, and by the browser where it permits that. In the
 * user's quiet hours, it does neither.
 */

import type { EventOf } from '@parley/client'
import { directKey } from '@parley/client/realm'
import { t } from '../languages/t.js'
import { conversationOfMessage } from '../messages/parts/conversation-bar.js'
import { plainText } from '../messages/rendered/plain-text.js'
import type { Chat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { open, view } from '../routing/location.js'
import { type Conversation, conversationOf, conversationView } from '../routing/views.js'
import { playSound } from './notification-sound.js'
import { isQuietNow } from './quiet-now.js'
import { type NotifyWay, shouldNotify } from './should-notify.js'

const LONGEST_TEXT = 200

/** Notifies until the returned function is called. */
export const showNotifications = (chat: Chat): (() => void) => {
  const { ownUserId } = chat
  if (ownUserId === undefined) return () => {}
  const shown = new Set<Notification>()
  const notify = (event: EventOf<'message'>) => {
    // The stores, and not the signals, which follow them a frame later.
    const { realm } = chat
    const context = {
      ownUserId,
      settings: realm.settings.get(),
      subscriptions: realm.subscriptions.get(),
      policies: realm.topicPolicies.get(),
      mutedUsers: realm.mutedUsers.get(),
    }
    const notifies = (way: NotifyWay) => shouldNotify(way, event.message, event.flags, context)
    const conversation = conversationOfMessage(chat, event.message)
    if (isInSight(conversation) || isQuietNow(realm)) return
    // Without sound, notifications still appear.
    if (notifies('sound')) playSound(context.settings.notification_sound).catch(() => undefined)
    // Browsers ask another process for the permission, which takes a millisecond: only for what would be shown.
    if (!notifies('popup') || !arePopupsAllowed()) return
    const isHidden = conversation.kind === 'direct' && context.settings.pm_content_in_desktop_notifications === false
    const notification = show(chat, event, conversation, isHidden)
    shown.add(notification)
    notification.onclose = () => shown.delete(notification)
  }
  const stop = chat.realm.onEvent((event) => {
    if (event.type !== 'message') return
    try {
      notify(event)
    } catch (error) {
      // A message of which no notification can be made is still shown, and the next events arrive.
      console.error('There is no notification of a message:', error)
    }
  })
  return () => {
    stop()
    for (const notification of shown) notification.close()
  }
}

const arePopupsAllowed = (): boolean => typeof Notification !== 'undefined' && Notification.permission === 'granted'

/** @param isHidden whether the text of the message stays secret */
const show = (
  chat: Chat,
  { message }: EventOf<'message'>,
  conversation: Conversation,
  isHidden: boolean,
): Notification => {
  const place = conversation.kind === 'direct' ? '' : ` (${conversationName(chat, conversation)})`
  const key = conversationKey(conversation)
  const notification = new Notification(`${message.sender_full_name}${place}`, {
    body: isHidden ? t('New direct message') : describeText(message),
    tag: key,
    // A further message of a conversation takes the place of the former one, and is announced again.
    ...({ renotify: true } as NotificationOptions),
  })
  notification.onclick = () => {
    window.focus()
    open(conversationView(conversation, message.id))
    notification.close()
  }
  return notification
}

/** Whether the user looks at the conversation now. */
const isInSight = (conversation: Conversation): boolean => {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return false
  const shown = view.peek()
  const open = shown.name === 'messages' ? conversationOf(shown.terms) : undefined
  if (open === undefined) return false
  if (open.kind === 'channel' && conversation.kind === 'topic') return open.channelId === conversation.channelId
  return conversationKey(open) === conversationKey(conversation)
}

const conversationKey = (conversation: Conversation): string => {
  if (conversation.kind === 'direct') return `direct ${directKey(conversation.userIds)}`
  if (conversation.kind === 'channel') return `channel ${conversation.channelId}`
  return `topic ${conversation.channelId} ${conversation.topic.toLowerCase()}`
}

const widgets: Readonly<Record<string, string>> = { poll: t('Poll'), todo: t('To-do list') }

/** The text of a message; that of `/me` is told of its sender, and a poll or a to-do list is its title. */
const describeText = ({ content, is_me_message, sender_full_name }: EventOf<'message'>['message']): string => {
  const [, widget, title = ''] = /^<p>\/(poll|todo)\b([^\n]*)/.exec(content) ?? []
  if (widget !== undefined) return shorten([widgets[widget], plainText(title)].filter((part) => part !== '').join(': '))
  const text = plainText(content)
  return shorten(is_me_message ? text.replace(/^\/me/, sender_full_name) : text)
}

const shorten = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text)
