/**
 * Changing messages after they were sent: the text of one, the topic or channel of one or more.
 *
 * 1. Everything happens in one guarded change, with the messages of the realm held still (message-locks.ts): what the
 *    event says of the receivers' flags is so at its place in the log.
 * 2. What was permitted was permitted for the message as it was read. If somebody changed it meanwhile, the whole
 *    call runs again (Moved).
 * 3. Every changed message keeps what it was before in its `edit_history`, newest first.
 *
 * Source: messages.md 4.1 to 4.4; events.md 3.1 and 4.10.
 */

import { firstMessageChanged } from '../../domain/channels/first-messages.js'
import type { AttachmentObject } from '../../domain/entries/attachments.js'
import { deletedMessages } from '../../domain/entries/delete-message.js'
import { type NewContent, type NewPlace, updateMessage } from '../../domain/entries/update-message.js'
import { updateMessageFlags } from '../../domain/entries/update-message-flags.js'
import type { NewEntry } from '../../domain/entry.js'
import { errors } from '../../domain/errors.js'
import { isMeMessage, topicLinks } from '../../domain/markdown/render.js'
import { type Edit, type EditAsked, editOf, type Move } from '../../domain/messages/editing.js'
import type { MentionFlags } from '../../domain/messages/mentions.js'
import { withPersonalFlags } from '../../domain/messages/personal-flags.js'
import { secondsNow } from '../../domain/permissions.js'
import { compiledLinkifiers } from '../../domain/realm/linkifiers.js'
import type { UserRow } from '../../domain/rows.js'
import type { RealmState } from '../../domain/state.js'
import { commit, type Writer } from '../change.js'
import type { LeftUnread } from '../channels/left-channels.js'
import { reclaimFiles } from '../files/file-claims.js'
import type { JobSpec } from '../jobs-table.js'
import { Moved } from '../log.js'
import type { Realm } from '../realm.js'
import type { Sql, Transaction } from '../sql.js'
import { knownTo } from '../users/acquaintances.js'
import { rewriteMentions } from './mention-rows.js'
import { audienceOf, type Portion, portionsOf } from './message-audience.js'
import { freeMessages } from './message-locks.js'
import { carryRecords, keepsMoved, noOrigin } from './moved.js'
import { carryPolicies } from './moved-policies.js'
import { hasOwnRow, wasRecipient } from './narrow.js'
import type { ReaderRow } from './reading.js'
import { audienceFor, byFlags, namedNow } from './receivers.js'
import { type Rendering, renderedFor } from './rendering.js'
import { rewriteWords } from './search.js'
import { mentionFlags } from './sending.js'
import { isWidget } from './submessages.js'

export interface Editing extends EditAsked {
  editor: UserRow
  message: ReaderRow
  /** the organization's address: links to it become relative */
  realm_url: string
  /** which topics get a notice of a move (messages.md 4.5) */
  notify: { old_thread: boolean; new_thread: boolean }
}

/** A text, rendered, and what its mentions do. */
interface Text {
  content: string
  rendered: Rendering
  mentions: MentionFlags
}

/** What the transaction found and did. */
interface Done {
  message_ids: number[]
  entries: NewEntry[]
  jobs: JobSpec[]
  detached: AttachmentObject[]
}

/**
 * Changes a message, and others of its topic with it. Throws the refusals of messages.md 4.1 to 4.3, and Moved.
 * @returns the editor's files to which nothing leads any more
 */
export const editMessage = async (
  writer: Writer,
  realm: Realm,
  guard: number,
  editing: Editing,
): Promise<AttachmentObject[]> => {
  const { state } = realm
  const { editor, message } = editing
  const now = secondsNow()
  const is_widget = editing.content !== undefined && (await isWidget(writer.sql, realm.id, message.id))
  const edit = editOf(state, editor, { ...message, is_widget }, editing, now)
  const text = edit.content === undefined ? undefined : await rendered(writer.sql, state, editing, edit, edit.content)
  const { detached } = await commit(writer, realm, guard, {
    entries: [],
    async before(tx): Promise<Done> {
      await freeMessages(tx, realm.id)
      await asItWas(tx, realm.id, message)
      const { move } = edit
      const message_ids = move === undefined ? [message.id] : await movedIds(tx, state, editing, move)
      const heard = await hearing(tx, state, message, message_ids)
      const portions = await portionsOf(tx, state, { channel_id: message.channel_id, message_ids }, heard)
      const lost = move === undefined ? [] : losing(state, heard, move)
      const outcome = move && (await outcomeOf(tx, realm.id, message, move, message_ids))
      const read = move === undefined ? [] : await carry(tx, state, message_ids, move)
      const followed = move && outcome?.takes_all === true ? await follow(tx, state, message, move, outcome) : []
      if (move !== undefined) await writeMove(tx, realm.id, { editor, message, message_ids, move, now })
      if (text !== undefined) await writeText(tx, realm.id, { editor, message, text, now, isMoved: move !== undefined })
      if (text !== undefined) await rewriteMentions(tx, realm.id, message.id, text.mentions)
      await rewriteWords(tx, realm.id, message_ids)
      const files = text && (await reclaimFiles(tx, realm.id, message, text.rendered.files))
      const told = { editor, message, move, text, now }
      const receivers: NewEntry[] = []
      for (const { message_ids, people } of among(portions, heard)) {
        const message_id = message_ids.includes(message.id) ? message.id : (message_ids[0] ?? message.id)
        const groups = await byFlags(tx, realm.id, message_id, people)
        receivers.push(...tellReceivers(state, { ...told, message_id, message_ids, groups }))
      }
      const firsts = await firstsChanged(tx, state, move)
      const entries = [
        ...firsts,
        ...among(portions, new Set(lost)).flatMap((portion) => tellLosers(state, portion, message)),
        ...followed,
        ...receivers,
        ...read.map(tellReaders),
        ...(files?.told ?? []),
      ]
      const jobs = move && outcome ? noticesOf(editing, move, message_ids, outcome) : []
      return { message_ids, entries, jobs, detached: files?.detached ?? [] }
    },
    told: ({ entries }) => entries,
    jobsFor: ({ jobs }) => jobs,
  })
  return detached
}

/** The new text in HTML, and what it mentions, if the editor may mention that. */
const rendered = async (
  sql: Sql,
  state: RealmState,
  { editor, message, realm_url }: Editing,
  { move }: Edit,
  content: string,
): Promise<Text> => {
  const isKnown = await knownTo(sql, state, editor)
  const rendered = await renderedFor(sql, state, editor, content, { realm_url, isKnown })
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const place =
    channel === undefined
      ? { dm_id: message.dm_id ?? 0, people: (message.user_ids ?? []).flatMap((id) => state.users.get(id) ?? []) }
      : { channel, topic: move?.topic ?? message.topic }
  const mentions = await mentionFlags(sql, state, editor, place, {
    users: rendered.mentioned_users,
    groups: rendered.mentioned_groups,
    channel_wildcard: rendered.channel_wildcard,
    topic_wildcard: rendered.topic_wildcard,
  })
  const written = { sender_id: editor.id, content }
  // Whoever does not have the message is left out when the rows are written.
  return { content, rendered, mentions: withPersonalFlags(state, written, () => true, mentions) }
}

/** Nobody has changed it since it was read (2). */
const asItWas = async (tx: Transaction, realm_id: number, message: ReaderRow): Promise<void> => {
  const [row] = await tx<Pick<ReaderRow, 'channel_id' | 'topic' | 'content'>[]>`
    select channel_id, topic, content from messages where realm_id = ${realm_id} and id = ${message.id}`
  if (row === undefined) throw errors.invalidMessages()
  const { channel_id, topic, content } = message
  if (row.channel_id !== channel_id || row.topic !== topic || row.content !== content) throw new Moved()
}

/** The messages that go, ascending. Throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED. Index: messages_topic. */
const movedIds = async (
  tx: Transaction,
  state: RealmState,
  { editor, message }: Editing,
  move: Move,
): Promise<number[]> => {
  const { from, mode, not_before } = move
  if (mode === 'change_one') return [message.id]
  const reading = { sql: tx as unknown as Sql, state, reader: editor }
  const first = mode === 'change_later' ? message.id : 0
  const isReadable = from.history_public_to_subscribers
    ? tx`true`
    : tx`(${wasRecipient(reading)} or ${hasOwnRow(reading)})`
  const rows = await tx<{ id: number; timestamp: number }[]>`
    select m.id, m.timestamp from messages m
    where m.realm_id = ${state.realm.id} and m.channel_id = ${from.id} and lower(m.topic) = lower(${message.topic})
      and m.id >= ${first} and ${isReadable}
    order by m.id`
  const allowed = rows.filter(({ timestamp }) => timestamp >= not_before)
  if (mode === 'change_all' && allowed.length < rows.length) {
    throw errors.moveTimeLimitExceeded({
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: rows.length,
      total_messages_allowed_to_move: allowed.length,
    })
  }
  return rows.map(({ id }) => id)
}

/** Who hears of what happens to these messages, as long as nothing has happened. */
const hearing = async (
  tx: Transaction,
  state: RealmState,
  { channel_id, user_ids }: ReaderRow,
  message_ids: readonly number[],
): Promise<Set<number>> => namedNow(state, await audienceOf(tx, state, { channel_id, user_ids, message_ids }))

/** Takes from those who hear of the messages whoever loses them. @returns these */
const losing = (state: RealmState, heard: Set<number>, { from, to }: Move): number[] => {
  if (from.id === to.id) return []
  const lost = [...heard].filter((user_id) => !keepsMoved(state, user_id, to))
  for (const user_id of lost) heard.delete(user_id)
  return lost
}

const carry = (tx: Transaction, state: RealmState, ids: readonly number[], { from, to }: Move) =>
  from.id === to.id ? [] : carryRecords(tx, state, { ids, from, to })

const follow = (
  tx: Transaction,
  state: RealmState,
  { topic: old_topic }: ReaderRow,
  { from, to, topic }: Move,
  { into_empty }: Outcome,
): Promise<NewEntry[]> => carryPolicies(tx, state, { from, to, old_topic, topic, into_empty })

interface Moving {
  editor: UserRow
  message: ReaderRow
  message_ids: readonly number[]
  move: Move
  now: number
}

const writeMove = async (tx: Transaction, realm_id: number, moving: Moving): Promise<void> => {
  const { editor, message, message_ids, move, now } = moving
  const { from, to, topic, resolves } = move
  const origin = to.history_public_to_subscribers ? tx`coalesce(origin_channel_id, channel_id)` : tx`${noOrigin}::int`
  const changesTopic = topic !== message.topic
  const happened = {
    user_id: editor.id,
    timestamp: now,
    ...(from.id === to.id ? {} : { prev_stream: from.id, stream: to.id }),
    ...(changesTopic ? { topic } : {}),
  }
  await tx`
    update messages set
      edit_history = jsonb_build_array(
        ${JSON.stringify(happened)}::text::jsonb
          || case when ${changesTopic} then jsonb_build_object('prev_topic', topic) else '{}' end
      ) || coalesce(edit_history, '[]'),
      last_moved_timestamp = case when ${resolves !== undefined} then last_moved_timestamp else ${now} end,
      topic = ${topic}, channel_id = ${to.id}
      ${from.id === to.id ? tx`` : tx`, origin_channel_id = ${origin}`}
    where realm_id = ${realm_id} and id = any(${message_ids as number[]}::bigint[])`
}

interface Writing {
  editor: UserRow
  message: ReaderRow
  text: Text
  now: number
  /** the newest item of the history is of this very edit */
  isMoved: boolean
}

const writeText = async (tx: Transaction, realm_id: number, writing: Writing): Promise<void> => {
  const { editor, message, text, now, isMoved } = writing
  const { content, rendered } = text
  const before = { prev_content: message.content, prev_rendered_content: message.rendered_content }
  const history = isMoved
    ? tx`jsonb_set(edit_history, '{0}', edit_history -> 0 || ${JSON.stringify(before)}::text::jsonb)`
    : tx`jsonb_build_array(${JSON.stringify({ user_id: editor.id, timestamp: now, ...before })}::text::jsonb)
        || coalesce(edit_history, '[]')`
  await tx`
    update messages set edit_history = ${history}, last_edit_timestamp = ${now}, content = ${content},
      rendered_content = ${rendered.html}, is_me_message = ${isMeMessage(content)}, has_link = ${rendered.has_link},
      has_image = ${rendered.has_image}, has_attachment = ${rendered.has_attachment}
    where realm_id = ${realm_id} and id = ${message.id}`
}

/**
 * What it changes that channels have another first message after a move between two. The head is taken for it: a
 * message sent meanwhile has to count. Index: messages_channel.
 */
const firstsChanged = async (tx: Transaction, state: RealmState, move: Move | undefined): Promise<NewEntry[]> => {
  if (move === undefined || move.from.id === move.to.id) return []
  const realm_id = state.realm.id
  await tx`select from log_heads where realm_id = ${realm_id} for update`
  const rows = await tx<{ channel_id: number; first: number | null }[]>`
    select channel_id, (
      select m.id from messages m
      where m.realm_id = ${realm_id} and m.channel_id = channel.channel_id order by m.id limit 1
    ) as first
    from unnest(${[move.from.id, move.to.id]}::int[]) as channel (channel_id)`
  return [move.from, move.to].flatMap((channel) => {
    const value = rows.find(({ channel_id }) => channel_id === channel.id)?.first ?? null
    return value === (state.firstMessage.get(channel.id) ?? null) ? [] : [firstMessageChanged(state, channel, value)]
  })
}

/** The portions of these people. */
const among = (portions: readonly Portion[], people: ReadonlySet<number>): Portion[] =>
  portions
    .map(({ message_ids, people: all }) => ({
      message_ids,
      people: new Set([...all].filter((user_id) => people.has(user_id))),
    }))
    .filter((portion) => portion.people.size > 0)

const tellLosers = (
  state: RealmState,
  { message_ids, people }: Portion,
  { channel_id, topic }: ReaderRow,
): NewEntry[] =>
  deletedMessages({
    to: audienceFor(state, channel_id, people),
    message_ids,
    stream_id: channel_id ?? undefined,
    topic,
  })

interface Telling {
  editor: UserRow
  message: ReaderRow
  /** the message that was edited, or of those that its receivers hold, the first */
  message_id: number
  message_ids: readonly number[]
  move: Move | undefined
  text: Text | undefined
  now: number
  groups: ReadonlyMap<number, readonly number[]>
}

/** An entry for all who have the same flags. */
const tellReceivers = (
  state: RealmState,
  { editor, message, message_id, message_ids, move, text, now, groups }: Telling,
): NewEntry[] => {
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const told = {
    user_id: editor.id,
    message_id,
    message_ids,
    edit_timestamp: now,
    channel: channel && { stream_id: channel.id, stream_name: channel.name },
    edited: text && message_id === message.id ? contentOf(message, text) : undefined,
    moved: move && placeOf(state, message, move),
  }
  return [...groups].map(([flags, people]) =>
    updateMessage({ ...told, flags, to: audienceFor(state, message.channel_id, people) }),
  )
}

const contentOf = (message: ReaderRow, { content, rendered }: Text): NewContent => ({
  orig_content: message.content,
  orig_rendered_content: message.rendered_content,
  content,
  rendered_content: rendered.html,
  is_me_message: isMeMessage(content),
})

const placeOf = (state: RealmState, message: ReaderRow, { mode, from, to, topic }: Move): NewPlace => ({
  propagate_mode: mode,
  orig_topic: message.topic,
  ...(from.id === to.id ? {} : { new_stream_id: to.id }),
  ...(topic === message.topic
    ? {}
    : { topic, topic_links: topicLinks(topic, { linkifiers: compiledLinkifiers(state) }) }),
})

const tellReaders = ({ user_ids, message_ids }: LeftUnread): NewEntry => {
  const [user_id = 0] = user_ids
  const one = updateMessageFlags({ user_id, op: 'add', flag: 'read', messages: message_ids, all: false })
  return { ...one, audience: { users: user_ids } }
}

/** What becomes of the topics. */
interface Outcome {
  /** the mover sees no message left behind */
  takes_all: boolean
  /** no message was there before */
  into_empty: boolean
}

/** Index: messages_topic. */
const outcomeOf = async (
  tx: Transaction,
  realm_id: number,
  { topic: old_topic }: ReaderRow,
  { from, to, topic, mode }: Move,
  message_ids: readonly number[],
): Promise<Outcome> => {
  const isEmpty = async (channel_id: number, name: string) => {
    const [row] = await tx`
      select from messages
      where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) = lower(${name})
        and id <> all(${message_ids as number[]}::bigint[])
      limit 1`
    return row === undefined
  }
  return {
    takes_all: mode === 'change_all' || (await isEmpty(from.id, old_topic)),
    into_empty: await isEmpty(to.id, topic),
  }
}

/** The notices that a move wants, as a job. */
const noticesOf = (
  { editor, message, notify }: Editing,
  { from, to, topic, resolves }: Move,
  message_ids: readonly number[],
  outcome: Outcome,
): JobSpec[] => {
  if (resolves === undefined && !notify.old_thread && !notify.new_thread) return []
  const payload = {
    actor_id: editor.id,
    old: { channel_id: from.id, topic: message.topic },
    new: { channel_id: to.id, topic },
    resolves: resolves ?? null,
    notify,
    first_id: message_ids[0] ?? message.id,
    count: message_ids.length,
    ...outcome,
  }
  return [{ kind: 'move_notices', payload }]
}
