/** What the menus of people, of direct conversations and of everything offer. */
import { t } from '../languages/t.js'
import { markAllAsRead } from '../messages/mark-as-read.js'
import { type ReadTarget, unreadIds } from '../messages/unread-ids.js'
import type { Chat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { linkTo, open, openOverlay } from '../routing/location.js'
import { directView } from '../routing/views.js'
import { copyText } from '../ui/copy-text.js'
import type { MenuEntry } from '../ui/menu.js'
import { attempt, say } from '../ui/status-line.js'

/** The entries of a person in the list of members. */
export const personEntries = (chat: Chat, userId: number): MenuEntry[][] => {
  const user = chat.users.value.get(userId)
  if (user === undefined || chat.ownUserId === undefined) return []
  const write: MenuEntry = {
    label: userId === chat.ownUserId ? t('Write a note to yourself') : t('Write a direct message'),
    icon: 'direct',
    run: () => open(directView([userId])),
  }
  return [
    [
      ...readEntries(chat, [userId]),
      ...(user.is_active ? [write] : []),
      cardEntry(userId),
      ...statusEntries(chat, userId),
    ],
    [messagesEntry(userId), copyEntry([userId])],
    muteEntries(chat, userId),
  ]
}

/** The entries of a conversation of direct messages. */
export const directEntries = (chat: Chat, userIds: readonly number[]): MenuEntry[][] => {
  const [userId] = userIds
  const isOne = userIds.length === 1 && userId !== undefined
  return [
    readEntries(chat, userIds),
    isOne ? [cardEntry(userId), ...statusEntries(chat, userId)] : [],
    [...(isOne ? [messagesEntry(userId)] : []), copyEntry(userIds)],
    isOne ? muteEntries(chat, userId) : [],
  ]
}

/** The entries of all messages. */
export const everythingEntries = (chat: Chat): MenuEntry[][] => {
  const target = { kind: 'everything' } as const
  return [
    [
      { label: t('Mark all messages as read'), icon: 'check', run: () => markAllAsRead(chat, target) },
      {
        label: t('Copy the link'),
        icon: 'link',
        run: () => copyText(new URL('#inbox', location.href).href, t('The link to the inbox was copied.')),
      },
    ],
  ]
}

const readEntries = (chat: Chat, userIds: readonly number[]): MenuEntry[] => {
  const target: ReadTarget = { kind: 'direct', userIds: [...userIds] }
  if (unreadIds(chat, target).length === 0) return []
  return [{ label: t('Mark as read'), icon: 'check', run: () => markAllAsRead(chat, target) }]
}

const cardEntry = (userId: number): MenuEntry => ({
  label: t('Show the profile'),
  icon: 'people',
  run: () => openOverlay('user', String(userId)),
})

const statusEntries = (chat: Chat, userId: number): MenuEntry[] =>
  userId === chat.ownUserId
    ? [{ label: t('Change your status'), icon: 'smile', run: () => openOverlay('settings', 'profile') }]
    : []

const messagesEntry = (userId: number): MenuEntry => ({
  label: t('Find all messages of this person'),
  icon: 'search',
  run: () => open({ name: 'messages', terms: [{ operator: 'sender', operand: userId, negated: false }] }),
})

const copyEntry = (userIds: readonly number[]): MenuEntry => ({
  label: t('Copy the link'),
  icon: 'link',
  run: () =>
    copyText(
      new URL(linkTo(directView([...userIds])), location.href).href,
      t('The link to the conversation was copied.'),
    ),
})

const muteEntries = (chat: Chat, userId: number): MenuEntry[] => {
  if (userId === chat.ownUserId || chat.users.value.get(userId)?.is_bot !== false) return []
  const isMuted = chat.mutedUsers.value.has(userId)
  const call = (wantsMuted: boolean) =>
    chat.client.call(
      wantsMuted ? 'POST /users/me/muted_users/{muted_user_id}' : 'DELETE /users/me/muted_users/{muted_user_id}',
      { muted_user_id: userId },
    )
  const run = () =>
    attempt(
      call(!isMuted).then(() =>
        say({
          text: t(isMuted ? '{name} is not muted any more.' : 'You muted {name}.', { name: userName(chat, userId) }),
          action: { label: t('Undo'), run: () => call(isMuted) },
        }),
      ),
    )
  return [{ label: isMuted ? t('Unmute this person') : t('Mute this person'), icon: 'mute', run, isDanger: !isMuted }]
}
