/**
 * The documents of an export, generated one after the other, so that no export has to fit into memory.
 *
 *   export.json            what this is: `format`, `export_type`, `exported_at`, `consenting_user_ids`
 *   realm.json             the organization and its settings
 *   users.json             accounts; a real address only if the administrator who requested the export may see it
 *   channels.json          the channels whose messages are exported, with their subscribers
 *   user_groups.json       groups with their members
 *   custom_emoji.json, linkifiers.json, profile_fields.json
 *   audit_log/000001.json  administrative acts by id, newest first, if an owner requested the export
 *   messages/000001.json   messages by id, a thousand to a document, with their reactions
 *   attachments.json       the uploaded files to which these messages link
 *   uploads/<path_id>      these files
 *
 * 1. Type 1 contains the messages of channels that are not private.
 * 2. Type 2 adds the private messages that a consenting account can read: those of its direct conversations, and of the
 *    private channels to which it is subscribed now, as far back as it may read their history.
 * 3. Type 3, which only operators can request, contains all messages.
 * 4. No export contains keys, passwords or drafts.
 */

import { isOwner } from '#rules/roles.js'
import { hideAddresses } from '../../domain/audit/audit.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { getSetting } from '../../domain/settings/user-settings.js'
import { canSeeAddress } from '../../domain/users/users.js'
import type { FileStorage } from '../files/file-storage.js'
import { uploadKey } from '../files/storage-keys.js'
import { keptMessage } from '../messages/narrow/conditions.js'
import type { Sql } from '../sql.js'
import type { StandbyReads } from '../standbys/standby-reads.js'
import { loadAuditRecords } from './audit-log.js'

/** A document: its name in the archive, and its bytes. */
export interface Document {
  name: string
  bytes: Uint8Array
}

export interface ExportRequest {
  actor: UserRow
  /** 1: public messages; 2: also private messages of users who consented; 3: all messages */
  export_type: number
  /** UNIX seconds */
  now: number
}

/** Runs a query of the export on a standby, or on the primary. */
type RunRead = <T>(read: (sql: Sql) => Promise<T>) => Promise<T>

/** Messages per query: each may have megabytes of HTML and of edit history. */
const PAGE = 100

/** Whether the user consents to the export of their private messages. */
export const hasConsentedToExport = (user: UserRow): boolean =>
  !user.is_bot && getSetting(user, 'allow_private_data_export')

/** Whether an owner consents: without one, no private data is exported. */
export const hasConsentingOwner = (state: RealmState): boolean =>
  [...state.users.values()].some((user) => user.is_active && isOwner(user) && hasConsentedToExport(user))

/** The documents of an export (see above). */
export async function* generateDocuments(
  standbys: StandbyReads,
  files: FileStorage,
  state: RealmState,
  order: ExportRequest,
): AsyncIterable<Document> {
  const reach = computeScope(state, order.export_type)
  // Each query by itself: a standby that is lost in the meantime ends no export.
  const realm = { id: state.realm.id, seq: state.seq }
  const run: RunRead = (read) => standbys.run(realm, read)
  yield composeDocument('export.json', {
    format: 'parley-export/1',
    export_type: order.export_type,
    exported_at: order.now,
    consenting_user_ids: order.export_type === 2 ? reach.users : [],
  })
  yield* generateRealmDocuments(state, order.actor, reach)
  yield* generateAuditDocuments(run, state, order.actor)
  let after = 0
  const attachmentIds = new Set<number>()
  for (let page = 1; ; page++) {
    const messages = await run((sql) => loadMessagesAfter(sql, state.realm.id, reach, after))
    const last = messages.at(-1)
    if (last === undefined) break
    after = last.id
    yield composeDocument(`messages/${String(page).padStart(6, '0')}.json`, messages)
    const ids = messages.map(({ id }) => id)
    for (const { id } of await run((sql) => loadAttachmentIds(sql, state.realm.id, ids))) attachmentIds.add(id)
  }
  yield* generateUploadDocuments(run, files, state.realm.id, [...attachmentIds])
}

/** The users and channels that select the messages of an export. */
interface ExportScope {
  /** users whose private messages are exported */
  users: number[]
  /** channels whose messages are all exported */
  whole: number[]
  /** channels of which a message is exported if one of `users`, subscribed now, received it */
  received: number[]
}

const computeScope = (state: RealmState, export_type: number): ExportScope => {
  const channels = [...state.channels.values()]
  if (export_type === 3) return { users: [...state.users.keys()], whole: channels.map(({ id }) => id), received: [] }
  const whole = channels.filter(({ invite_only }) => !invite_only).map(({ id }) => id)
  if (export_type !== 2) return { users: [], whole, received: [] }
  const users = [...state.users.values()]
    .filter((user) => user.is_active && hasConsentedToExport(user))
    .map(({ id }) => id)
  const hasSubscribedUser = ({ id }: ChannelRow) => users.some((user_id) => state.isSubscribed(user_id, id))
  const there = channels.filter((channel) => channel.invite_only && hasSubscribedUser(channel))
  const filterByHistory = (shared: boolean) =>
    there.filter((channel) => channel.history_public_to_subscribers === shared).map(({ id }) => id)
  return { users, whole: [...whole, ...filterByHistory(true)], received: filterByHistory(false) }
}

/** Whether an export that this administrator requests has the audit log. */
export const hasAuditLog = (actor: UserRow): boolean => isOwner(actor)

async function* generateAuditDocuments(run: RunRead, state: RealmState, actor: UserRow): AsyncIterable<Document> {
  if (!hasAuditLog(actor)) return
  let before = Number.MAX_SAFE_INTEGER
  for (let page = 1; ; page++) {
    const records = await run((sql) => loadAuditRecords(sql, state.realm.id, { before, limit: PAGE }))
    const last = records.at(-1)
    if (last === undefined) return
    before = last.id
    const shown = records.map((record) => ({ ...record, changes: hideAddresses(record.changes, actor, state) }))
    yield composeDocument(`audit_log/${String(page).padStart(6, '0')}.json`, shown)
  }
}

function* generateRealmDocuments(state: RealmState, actor: UserRow, reach: ExportScope): Iterable<Document> {
  const { id, string_id, name, description, date_created } = state.realm
  yield composeDocument('realm.json', { id, string_id, name, description, date_created, settings: state.settings })
  yield composeDocument(
    'users.json',
    [...state.users.values()].map((user) => ({
      id: user.id,
      full_name: user.full_name,
      email: user.email,
      delivery_email: canSeeAddress(actor, user) ? user.delivery_email : null,
      role: user.role,
      is_active: user.is_active,
      is_bot: user.is_bot,
      bot_type: user.bot_type,
      bot_owner_id: user.bot_owner_id,
      date_joined: user.date_joined,
      timezone: user.timezone,
      profile_data: user.profile_data,
    })),
  )
  const shown = new Set([...reach.whole, ...reach.received])
  const channels = [...state.channels.values()].filter((channel) => shown.has(channel.id))
  yield composeDocument(
    'channels.json',
    channels.map((channel) => ({ ...channel, subscriber_ids: [...state.subscribers(channel.id)] })),
  )
  yield composeDocument(
    'user_groups.json',
    [...state.groups.values()].map((group) => ({ ...group, member_ids: [...state.directMembers(group.id)] })),
  )
  yield composeDocument('custom_emoji.json', [...state.emoji.values()])
  yield composeDocument('linkifiers.json', [...state.linkifiers.values()])
  yield composeDocument('profile_fields.json', [...state.profileFields.values()])
}

interface ExportedMessage {
  id: number
  [column: string]: unknown
}

/** The next messages of an export, by id. Index: key. */
const loadMessagesAfter = (sql: Sql, realm_id: number, { users, whole, received }: ExportScope, after: number) => sql<
  ExportedMessage[]
>`
  select m.id, m.sender_id, m.channel_id,
    (select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id) as recipient_ids,
    m.topic, m.content, m.rendered_content, m.timestamp, m.client, m.last_edit_timestamp, m.last_moved_timestamp,
    m.edit_history,
    (
      select coalesce(json_agg(json_build_object(
        'user_id', r.user_id, 'emoji_name', r.emoji_name, 'emoji_code', r.emoji_code, 'reaction_type', r.reaction_type
      ) order by r.id), '[]')
      from reactions r where r.realm_id = m.realm_id and r.message_id = m.id
    ) as reactions
  from messages m
  where m.realm_id = ${realm_id} and m.id > ${after} and (
    m.channel_id = any(${whole}::int[])
    or exists (
      select from dm_members d
      where d.realm_id = m.realm_id and d.dm_id = m.dm_id and d.user_id = any(${users}::int[])
    )
    or (m.channel_id = any(${received}::int[]) and exists (
      select from subscriptions s
      where s.realm_id = m.realm_id and s.channel_id = m.channel_id and s.active and s.user_id = any(${users}::int[])
        and ((${keptMessage(sql, sql`s.user_id`)} and exists (
          select from membership_spans span
          where span.realm_id = m.realm_id and span.user_id = s.user_id
            and span.channel_id = coalesce(m.origin_channel_id, m.channel_id)
            and m.id >= span.from_message and (span.to_message is null or m.id < span.to_message)
        )) or exists (
          select from message_flags f
          where f.realm_id = m.realm_id and f.user_id = s.user_id and f.message_id = m.id
        ))
    ))
  )
  order by m.id
  limit ${PAGE}`

const loadAttachmentIds = (sql: Sql, realm_id: number, message_ids: readonly number[]) => sql<{ id: number }[]>`
  select distinct attachment_id as id from attachment_claims
  where realm_id = ${realm_id} and message_id = any(${message_ids as number[]}::bigint[])`

async function* generateUploadDocuments(
  run: RunRead,
  files: FileStorage,
  realm_id: number,
  ids: number[],
): AsyncIterable<Document> {
  const rows = await run(
    (sql) => sql<{ id: number; path_id: string }[]>`
      select id, owner_id, path_id, name, content_type, size, create_time from attachments
      where realm_id = ${realm_id} and id = any(${ids}::bigint[]) order by id`,
  )
  yield composeDocument('attachments.json', rows)
  for (const { path_id } of rows) {
    const bytes = await files.get(uploadKey(path_id))
    if (bytes !== undefined) yield { name: `uploads/${path_id}`, bytes }
  }
}

const composeDocument = (name: string, value: unknown): Document => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value)}\n`),
})
