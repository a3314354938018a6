/**
 * Reminders of messages: their text, and the entries about them.
 *
 * Existing servers have the events since level 399. Source: protocol/endpoints.md 2.5, protocol/events.md 3.4.
 */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import type { RealmState } from '../log/state.js'
import { noticeTexts } from '../readers/notice-texts.js'
import { messageMention, type QuotedMessage, quoteMessage, quoteText } from './quoting.js'

/** A reminder as its user sees it. */
export const reminderObject = z.object({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.literal(false),
  reminder_target_message_id: z.int(),
  note: z.string().optional().describe('what the user wrote about the message; absent without a note'),
})

export type Reminder = z.infer<typeof reminderObject>

/**
 * The text with which the Notification Bot reminds of a message.
 * @param note what the user wrote about it; may be empty
 */
export const reminderText = (state: RealmState, quoted: QuotedMessage, note = ''): string => {
  const t = noticeTexts(state)
  const message = messageMention(state, quoted)
  return [
    message === undefined
      ? t('You requested a reminder for a direct message.')
      : t('You requested a reminder for {message}.', { message }),
    ...(note === '' ? [] : [t('Your note:\n{note}', { note: quoteText(note) })]),
    quoteMessage(t, state, quoted),
  ].join('\n\n')
}

/** The most characters of a message that a list of reminders quotes: a user may have many of them. */
const MAX_LISTED_CHARACTERS = 500

/** The text of a reminder in a list. @param message undefined: the user cannot read it any more */
export const listedReminderText = (state: RealmState, message: QuotedMessage | undefined, note = ''): string => {
  if (message === undefined) {
    return noticeTexts(state)('You requested a reminder for a message that you cannot read any more.')
  }
  const { content } = message
  const isLong = content.length > MAX_LISTED_CHARACTERS
  const shown = isLong ? { ...message, content: `${content.slice(0, MAX_LISTED_CHARACTERS)}…` } : message
  return reminderText(state, shown, note)
}

const type = z.literal('reminders')

export const reminderAdded = entry<{ user_id: number; reminder: Reminder }>({
  kind: 'reminders/add',
  type: 'reminders',
  description: 'The user set a reminder of a message.',
  event: z.object({ type, op: z.literal('add'), reminders: z.array(reminderObject) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ reminder }) => ({ type: 'reminders', op: 'add', reminders: [reminder] }),
})

export const reminderRemoved = entry<{ user_id: number; reminder_id: number }>({
  kind: 'reminders/remove',
  type: 'reminders',
  description: 'A reminder of the user was sent or deleted.',
  event: z.object({ type, op: z.literal('remove'), reminder_id: z.int() }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ reminder_id }) => ({ type: 'reminders', op: 'remove', reminder_id }),
})
