/** Mails a user the missed messages that they still have not read and still may read. */

import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { Flag } from '../../domain/messages/flags.js'
import type { MessageObject } from '../../domain/messages/message.js'
import { type MissedMessage, composeMissedMail as mailOf } from '../../domain/messages/missed/missed-mail.js'
import { messageLink } from '../../domain/messages/quoting.js'
import { buildMessageObjects } from '../../store/messages/fetching/message-objects.js'
import { loadAttached } from '../../store/messages/fetching/whole-messages.js'
import { loadReadableMessages, type ReaderRow } from '../../store/messages/narrow/load-messages.js'
import type { Db } from '../../store/sql.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

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
  const rows = (await loadReadableMessages(context, payload.message_ids)).filter(
    ({ flags }) => (flags & Flag.read) === 0,
  )
  if (rows.length === 0) return noEffect
  const realm_url = realmUrl(state.realm.string_id)
  const format = { apply_markdown: false, client_gravatar: false, empty_topic_name: false, reacting_users: false }
  const messages = await buildMessageObjects(
    context,
    await loadAttached(context, rows),
    format,
    new URL(realm_url).hostname,
  )
  const settings = state.userSettings(user)
  const policy = settings.realm_name_in_email_notifications_policy
  const mail = mailOf(
    {
      realm_name: state.realm.name,
      realm_url,
      names_realm: policy === NameRealm.always || (policy === NameRealm.automatic && (await hasSeveralRealms(sql))),
      withheld: !state.settings.message_content_allowed_in_email_notifications
        ? 'organization'
        : !settings.message_content_in_email_notifications
          ? 'person'
          : undefined,
    },
    rows.flatMap((row, i) => composeMissedMessage(state, user, row, messages[i])),
  )
  await runExternalCall(() => sendMail({ to: user.delivery_email, ...mail }))
  return noEffect
}

/** Values of `realm_name_in_email_notifications_policy`. */
const NameRealm = { automatic: 1, always: 2 }

/** Whether this server has several organizations, so that a mail must name its own. */
const hasSeveralRealms = async (db: Db): Promise<boolean> =>
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
  const place = isDirect
    ? display_recipient.flatMap(({ id, full_name }) => (id === reader.id ? [] : full_name)).join(', ')
    : `#${display_recipient} > ${subject}`
  const thread = isDirect ? `${row.dm_id}` : `${row.channel_id} ${row.topic.toLowerCase()}`
  return [{ message, thread, place, isDirect, link: messageLink(state, row) }]
}
