/** Mails a user the missed messages that they still have not read, still may read, and still want by mail. */
import { createHash } from 'node:crypto'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { Flag } from '../../domain/messages/flags.js'
import type { MessageObject } from '../../domain/messages/message.js'
import { composeMissedMail, type MissedMail, type MissedMessage } from '../../domain/messages/missed/missed-mail.js'
import { unsubscribePath } from '../../domain/messages/missed/unsubscribing.js'
import { messageLink } from '../../domain/messages/quoting.js'
import { buildMessageObjects } from '../../store/messages/fetching/message-objects.js'
import { loadAttached } from '../../store/messages/fetching/whole-messages.js'
import { selectWanted } from '../../store/messages/missed/find-missed.js'
import { loadReadableMessages, type ReaderRow } from '../../store/messages/narrow/load-messages.js'
import type { Sql } from '../../store/sql.js'
import { loadAccessCheck } from '../../store/users/user-access.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import type { Mail } from '../jobs/mail.js'

export const missedMail: JobHandler<'missed_mail'> = async ({
  write,
  realm,
  payload,
  realmUrl,
  sendMail,
  runExternalCall,
}) => {
  const { sql } = write
  const { state } = realm
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const context = { sql, state, reader: user }
  const unread = (await loadReadableMessages(context, payload.message_ids)).filter(
    ({ flags }) => (flags & Flag.read) === 0,
  )
  const rows = await selectWanted(sql, state, user, unread)
  if (rows.length === 0) return noEffect
  const realm_url = realmUrl(state.realm.string_id)
  const { hostname } = new URL(realm_url)
  const format = {
    apply_markdown: true,
    client_gravatar: false,
    empty_topic_name: false,
    reacting_users: false,
    document_names: true,
  }
  const messages = await buildMessageObjects(context, await loadAttached(context, rows), format, hostname)
  const missed = rows.flatMap((row, i) => composeMissedMessage(state, user, row, messages[i]))
  const reader = await describeMailReader(sql, state, user, realm_url)
  const mail = composeMissedMail(reader, missed)
  const ids = identifyMail(`${realm.id}`, payload, missed, hostname)
  const unsubscribe = reader.unsubscribe_url
  await runExternalCall(() => sendMail({ to: user.delivery_email, ...mail, ...ids, unsubscribe }))
  return noEffect
}

/** Describes what the mail to a user depends on besides the messages. @param realm_url without a slash at the end */
export const describeMailReader = async (
  sql: Sql,
  state: RealmState,
  user: UserRow,
  realm_url: string,
): Promise<MissedMail> => {
  const settings = state.userSettings(user)
  const policy = settings.realm_name_in_email_notifications_policy
  const isKnown = await loadAccessCheck(sql, state, user)
  return {
    language: settings.default_language,
    realm_name: state.realm.name,
    realm_url,
    timezone: user.timezone,
    twenty_four_hour_time: settings.twenty_four_hour_time,
    nameOf(user_id) {
      const other = state.users.get(user_id)
      return other !== undefined && isKnown(other) ? other.full_name : undefined
    },
    names_realm: policy === NameRealm.always || (policy === NameRealm.automatic && (await hasSeveralRealms(sql))),
    withheld: !state.settings.message_content_allowed_in_email_notifications
      ? 'organization'
      : !settings.message_content_in_email_notifications
        ? 'person'
        : undefined,
    unsubscribe_url: `${realm_url}${unsubscribePath(state.deployment.keys.unsubscribeToken(state.realm.id, user.id))}`,
  }
}

/**
 * The ids by which mail programs group mails: all mails about a conversation answer one id, which no mail has. A job
 * that runs again sends the same id again.
 */
const identifyMail = (
  realm: string,
  { user_id, message_ids }: { user_id: number; message_ids: readonly number[] },
  missed: readonly MissedMessage[],
  hostname: string,
): Pick<Mail, 'messageId' | 'references'> => {
  // Hashed, because the topic is part of it, and headers are not encrypted where the content is.
  const hash = (text: string) => createHash('sha256').update(`${realm} ${text}`).digest('hex').slice(0, ID_LENGTH)
  return {
    messageId: `<missed-${hash(`${user_id} ${message_ids.join()}`)}@${hostname}>`,
    references: [...new Set(missed.map(({ thread }) => `<conversation-${hash(thread)}@${hostname}>`))],
  }
}

const ID_LENGTH = 32

/** Values of `realm_name_in_email_notifications_policy`. */
const NameRealm = { automatic: 1, always: 2 }

/** Whether this server has several organizations, so that a mail must name its own. */
const hasSeveralRealms = async (db: Sql): Promise<boolean> =>
  (await db`select from realms where is_active limit 2`).length > 1

const composeMissedMessage = (
  state: RealmState,
  reader: UserRow,
  row: ReaderRow,
  message: MessageObject | undefined,
): MissedMessage[] => {
  if (message === undefined) return []
  const { display_recipient, subject } = message
  const isDirect = typeof display_recipient !== 'string'
  const name = isDirect
    ? display_recipient.flatMap(({ id, full_name }) => (id === reader.id ? [] : full_name))
    : `#${display_recipient} > ${subject}`
  const thread = isDirect ? `${row.dm_id}` : `${row.channel_id} ${row.topic.toLowerCase()}`
  return [{ message, thread, place: name, link: messageLink(state, row) }]
}
