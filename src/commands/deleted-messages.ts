/** Commands that list and restore deleted messages, direct ones included. */
import { secondsNow } from '#rules/time.js'
import { isPosition, loadDeletedMessages } from '../store/messages/editing/deleted-messages.js'
import { command, UsageError } from './command.js'
import { findRealm, findUser } from './lookup.js'

const DEFAULT_LISTED = 100
const MOST_LISTED = 1_000
const MOST_IDS = 500

const parseId = (text: string, option: string): number => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new UsageError(`--${option} has ${text}, which is not a positive number.`)
  return value
}

/** The commands for deleted messages, in the order of the help. */
export const deletedMessageCommands = [
  command({
    name: 'deleted-messages',
    takes: ['realm'],
    options: {
      sender: { value: 'EMAIL' },
      channel: { value: 'ID' },
      topic: { value: 'NAME' },
      text: { value: 'PART', about: 'a part of the text, compared without case' },
      deletion: { value: 'ID', about: 'only messages that one request deleted: the deletion_id of a message' },
      limit: { value: 'NUMBER', about: `how many are printed; ${DEFAULT_LISTED} without it` },
      before: { value: 'NEXT', about: 'the `next` of the former page' },
    },
    about:
      'Lists the messages of an organization that were deleted within 30 days, direct messages included, those that\n' +
      'were deleted last first. deleted_by is null for the retention time, the server and the command line.',
    async run(context, { realm: string_id, options }) {
      const limit = options.limit === undefined ? DEFAULT_LISTED : parseId(options.limit, 'limit')
      if (limit > MOST_LISTED) throw new UsageError(`--limit must be a number from 1 to ${MOST_LISTED}.`)
      const channel_id = options.channel === undefined ? undefined : parseId(options.channel, 'channel')
      if (options.before !== undefined && !isPosition(options.before))
        throw new UsageError('--before must be the `next` of a page.')
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      const { state } = realm
      const sender_id = options.sender === undefined ? undefined : findUser(realm, options.sender).id
      const filter = { channel_id, sender_id, topic: options.topic, text: options.text, deletion_id: options.deletion }
      const reading = { sql: administration.sql, state, reader: undefined, now: secondsNow() }
      const page = await loadDeletedMessages(reading, filter, { before: options.before, limit })
      const nameOf = (id: number | null) =>
        id === null ? null : (state.users.get(id)?.delivery_email ?? `account ${id}`)
      return {
        deleted_messages: page.deleted_messages.map(({ sender_id, user_ids, deleted_by, ...message }) => ({
          ...message,
          sender: nameOf(sender_id),
          participants: user_ids?.map(nameOf) ?? null,
          deleted_by: nameOf(deleted_by),
        })),
        next: page.next,
      }
    },
  }),

  command({
    name: 'restore-messages',
    takes: ['realm'],
    options: {
      ids: { value: 'ID,ID', about: `up to ${MOST_IDS} ids of messages` },
      deletion: { value: 'ID', about: 'all messages that one request deleted: the deletion_id of a message' },
    },
    about:
      'Restores messages that were deleted within 30 days, with their ids, reactions, flags and files. They count as\n' +
      'read. Open pages show them at once, other clients when they fetch the history again.',
    async run(context, { realm: string_id, options }) {
      const { ids, deletion } = options
      if ((ids === undefined) === (deletion === undefined))
        throw new UsageError('Name messages with --ids, or a deletion with --deletion.')
      const message_ids = ids?.split(',').map((id) => parseId(id.trim(), 'ids'))
      if (message_ids !== undefined && message_ids.length > MOST_IDS)
        throw new UsageError(`--ids can have ${MOST_IDS} ids.`)
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      return {
        realm: string_id,
        restored: await administration.restoreMessages(realm, { message_ids, deletion_id: deletion }),
      }
    },
  }),
]
