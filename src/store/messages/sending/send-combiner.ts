/**
 * The send combiner: it stores all sends that arrive during a commit together in the next commit.
 *
 * 1. A process runs one commit at a time per realm. Under light load a send commits at once; under heavy load batches
 *    grow, and one lock of the realm's head serves many messages. The sends that the process reads from its connections
 *    in one turn of the event loop are in one batch: a commit begins when all of them were read.
 * 2. A batch is one statement: guard, ids, messages, flags, log entries. It is stored whole or not at all.
 * 3. Message id order is log order is commit order, because both counters move under the head's lock.
 * 4. Each send of a batch was permitted on its own state: the guard of the batch is the oldest of them. After a
 *    structural change, every send of the batch is refused with StaleStateError, and its handler runs again.
 * 5. While a commit takes longer than MAX_COMMIT_MS, new sends are refused with OverloadError.
 * 6. A send that is repeated fails no other: those that were in a batch with it are in the next one.
 */
import type { Audience, Entry } from '../../../domain/log/entry.js'
import type { NewSubmessage } from '../../../domain/messages/message.js'
import type { FoundAttachment } from '../../files/attachments.js'
import type { MessageJob, QueuedJob } from '../../jobs/job-table.js'
import { publishCommitted } from '../../log/change.js'
import type { EventAck } from '../../log/event-ack.js'
import { StaleStateError } from '../../log/log.js'
import type { WriteContext } from '../../log/write-context.js'
import { createWorkTimer } from '../../overload.js'
import { type Db, isConflict } from '../../sql.js'
import { type EntryTraces, now, type Tracing } from '../../tracing.js'
import type { FollowRequest } from '../following/follow-topics.js'
import type { IdempotencyKey } from './send-once.js'

/** The columns of a message that its sender decides; the id comes with the commit. */
export interface MessageColumns {
  sender_id: number
  channel_id: number | null
  dm_id: number | null
  topic: string
  content: string
  rendered_content: string
  timestamp: number
  client: string
  is_me_message: boolean
  sender_read: boolean
  /** only users whose flag rows say `unread` have it as unread */
  read_by_all: boolean
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
  /** it has a wildcard mention */
  has_wildcard: boolean
}

export interface Send {
  /** seq of the state on which it was permitted */
  guard: number
  message: MessageColumns
  audience: Audience
  /** data of the message entry, without the id */
  data: object
  /** rows of message_flags: the users whose flags differ from the default */
  flags: readonly { user_id: number; flags: number }[]
  /** its first submessages */
  submessages?: readonly NewSubmessage[]
  /** the jobs that it causes */
  jobs?: readonly MessageJob[]
  /** who follows its topic from now on; such a message has its own transaction (own-transaction-sends.ts) */
  following?: FollowRequest | undefined
  /** the conversation that it begins, if that may make users known to each other (own-transaction-sends.ts) */
  begins?: { dm_id: number; user_ids: readonly number[] } | undefined
  /** the uploaded files that it links to; file-claims.ts stores a message with files */
  files?: readonly FoundAttachment[]
  /** the key with which it may be repeated (send-once.ts) */
  key?: IdempotencyKey | undefined
  /** the event that it answers; such a message has its own transaction (own-transaction-sends.ts) */
  ack?: EventAck | undefined
  /** how the sender follows the topic from now on, for the answer to a repeated send */
  policy?: number | undefined
  /** the traceparent of the call; undefined: it is not traced */
  trace?: string | undefined
}

// Bounds one statement: about a megabyte of ordinary messages.
const BATCH = 512
const MAX_COMMIT_MS = 5_000

interface WaitingSend {
  send: Send
  /** when a traced send began to wait (store/tracing.ts); 0: it is not traced */
  since: number
  resolve(id: number): void
  reject(error: unknown): void
}

/** The combiner of one realm. */
export const createSendCombiner = (
  target: Pick<WriteContext, 'dependencies' | 'realm'>,
): ((send: Send) => Promise<number>) => {
  const { dependencies, realm } = target
  const waiting: WaitingSend[] = []
  let committing = false
  const timer = createWorkTimer(MAX_COMMIT_MS)

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const { batch, repeated } = takeBatch(waiting)
      realm.counts.batches.add(batch.length)
      const began = now()
      timer.begin()
      try {
        const sends = batch.map(({ send }) => send)
        const { entries, first, jobs } = await storeSends(dependencies.sql, realm.id, sends)
        for (const [i, { resolve }] of batch.entries()) resolve(first + i)
        const traces = realm.tracing === undefined ? undefined : recordCommit(realm.tracing, batch, entries, began)
        publishCommitted(target, { entries, jobs, traces })
        for (const { reject } of repeated) reject(new StaleStateError())
      } catch (error) {
        const others = isRepeated(error) ? await findOthers(dependencies.sql, realm.id, batch) : []
        const reason = isConflict(error) ? new StaleStateError() : error
        for (const each of batch) if (!others.includes(each)) each.reject(reason)
        waiting.unshift(...others, ...repeated)
      }
    }
    timer.end()
    committing = false
  }

  return (send) =>
    new Promise((resolve, reject) => {
      timer.requireProgress()
      waiting.push({ send, since: send.trace === undefined ? 0 : now(), resolve, reject })
      if (committing) return
      committing = true
      setImmediate(() => void run())
    })
}

/** Takes the sends of one batch. Of the sends with one key the first is in it; the others are repeated. */
const takeBatch = (waiting: WaitingSend[]): { batch: WaitingSend[]; repeated: WaitingSend[] } => {
  const batch = waiting.splice(0, BATCH)
  if (batch.length === 1 || !batch.some(({ send }) => send.key !== undefined)) return { batch, repeated: [] }
  const taken = new Map<string, WaitingSend>()
  const repeated: WaitingSend[] = []
  for (const [i, each] of batch.entries()) {
    const name = nameKey(each) ?? String(i)
    if (taken.has(name)) repeated.push(each)
    else taken.set(name, each)
  }
  return { batch: [...taken.values()], repeated }
}

/** The key and its account, as one text. */
const nameKey = ({ send: { key, message } }: WaitingSend): string | undefined =>
  key === undefined ? undefined : `${message.sender_id} ${key.key}`

/** Whether a batch failed because one of its keys is stored already. */
const isRepeated = (error: unknown): boolean =>
  (error as { constraint_name?: unknown }).constraint_name === 'idempotency_keys_pkey'

/** The sends of a batch whose keys are not stored (6); none, if they cannot be told from the others. */
const findOthers = async (sql: Db, realm_id: number, batch: readonly WaitingSend[]): Promise<WaitingSend[]> => {
  const keys = batch.flatMap(({ send: { key, message } }) =>
    key === undefined ? [] : { user_id: message.sender_id, key: key.key },
  )
  const stored = await sql<{ name: string }[]>`
    select concat(user_id, ' ', replace(k.key::text, '-', '')) as name
    from json_to_recordset(${JSON.stringify(keys)}::text::json) as a (user_id int, key uuid)
    join idempotency_keys k using (user_id, key) where k.realm_id = ${realm_id}`.catch(() => [])
  if (stored.length === 0) return []
  const names = new Set(stored.map(({ name }) => name))
  return batch.filter((each) => !names.has(nameKey(each) ?? ''))
}

/** Records the wait and the commit of the traced sends of a batch. @returns the parents of what follows */
const recordCommit = (
  tracing: Tracing,
  batch: readonly WaitingSend[],
  entries: readonly Entry[],
  began: number,
): EntryTraces | undefined => {
  const ended = now()
  const traces: Record<number, string> = {}
  for (const [i, { send, since }] of batch.entries()) {
    const seq = entries[i]?.seq
    if (send.trace === undefined || seq === undefined) continue
    tracing.record(send.trace, 'wait for the combiner', since, began)
    traces[seq] = tracing.record(send.trace, 'commit', began, ended, {
      'parley.batch': batch.length,
      'parley.seq': seq,
    })
  }
  return Object.keys(traces).length === 0 ? undefined : traces
}

/** The result of storing a batch. */
export interface StoredSends {
  entries: Entry[]
  /** the id of the first; the others follow */
  first: number
  jobs: QueuedJob[]
}

/** Stores a batch in one statement (2); for a transaction of the caller's too. Throws StaleStateError. */
export const storeSends = async (sql: Db, realm_id: number, batch: readonly Send[]): Promise<StoredSends> => {
  const n = batch.length
  const guard = Math.min(...batch.map((send) => send.guard))
  const only = n === 1 ? batch[0] : undefined
  const flags = batch.flatMap((send, i) => send.flags.map((flag) => ({ ...flag, n: i + 1 })))
  const submessageRows = batch.flatMap(({ submessages = [] }, i) =>
    submessages.map((submessage) => ({ ...submessage, n: i + 1 })),
  )
  const jobRows = batch.flatMap(({ jobs = [] }, i) => jobs.map((job) => ({ ...job, n: i + 1 })))
  const hasKeys = batch.some(({ key }) => key !== undefined)
  const [head] = await sql<{ seq: number; message_id: number; jobs?: QueuedJob[] }[]>`
    with head as (
      update log_heads set log_seq = log_seq + ${n}, last_message_id = last_message_id + ${n}
      where realm_id = ${realm_id} and state_seq <= ${guard}
      returning log_seq - ${n} as seq, last_message_id - ${n} as message_id
    ), input as (${only === undefined ? selectInput(sql, batch) : selectOneInput(sql, only)}), stored as (
      insert into messages (
        realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
        sender_read, read_by_all, has_link, has_image, has_attachment, has_wildcard
      )
      select ${realm_id}, message_id + n, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp,
        client, is_me_message, sender_read, read_by_all, has_link, has_image, has_attachment, has_wildcard
      from head, input
    ) ${flags.length === 0 ? sql`` : insertFlags(sql, realm_id, flags)}
    ${submessageRows.length === 0 ? sql`` : insertSubmessages(sql, realm_id, submessageRows)}
    ${hasKeys ? insertKeys(sql, realm_id) : sql``}
    ${jobRows.length === 0 ? sql`` : insertJobs(sql, realm_id, jobRows)}, logged as (
      insert into log (realm_id, seq, kind, audience, data, message_id)
      select ${realm_id}, seq + n, 'message', audience, data, message_id + n from head, input
    )
    select seq, message_id ${jobRows.length === 0 ? sql`` : sql`, (select json_agg(wanted) from wanted) as jobs`} from head`
  if (head === undefined) throw new StaleStateError()
  const first = head.message_id + 1
  const entries = batch.map((send, i) => ({
    seq: head.seq + 1 + i,
    kind: 'message',
    audience: send.audience,
    data: { id: first + i, ...send.data },
  }))
  return { entries, first, jobs: head.jobs ?? [] }
}

/** The rows of the statement's input. */
const selectInput = (sql: Db, batch: readonly Send[]) => sql`
  select * from json_to_recordset(${JSON.stringify(batch.map(buildInputRow))}::text::json) as t (
    sender_id int, channel_id int, dm_id int, topic text, content text, rendered_content text, timestamp bigint,
    client text, is_me_message bool, sender_read bool, read_by_all bool, has_link bool, has_image bool,
    has_attachment bool, has_wildcard bool, audience json, data json, key uuid, request uuid, policy smallint, n int
  )`

/** The same for one send, as most batches are: Postgres has no list to parse and to copy. */
const selectOneInput = (sql: Db, { message, audience, data, key, policy }: Send) => sql`
  select ${message.sender_id}::int as sender_id, ${message.channel_id}::int as channel_id, ${message.dm_id}::int as dm_id,
    ${message.topic}::text as topic, ${message.content}::text as content,
    ${message.rendered_content}::text as rendered_content, ${message.timestamp}::bigint as timestamp,
    ${message.client}::text as client, ${message.is_me_message}::bool as is_me_message,
    ${message.sender_read}::bool as sender_read, ${message.read_by_all}::bool as read_by_all,
    ${message.has_link}::bool as has_link, ${message.has_image}::bool as has_image,
    ${message.has_attachment}::bool as has_attachment, ${message.has_wildcard}::bool as has_wildcard,
    ${JSON.stringify(audience)}::text::json as audience, ${JSON.stringify(data)}::text::json as data
    ${key === undefined ? sql`` : selectKey(sql, key, policy)}, 1 as n`

const selectKey = (sql: Db, { key, request }: IdempotencyKey, policy: number | undefined) => sql`
  , ${key}::uuid as key, ${request}::uuid as request, ${policy ?? null}::smallint as policy`

/** The step that inserts the flags that differ from the default: of mentions, alert words and muted senders. */
const insertFlags = (sql: Db, realm_id: number, flags: readonly { user_id: number; flags: number; n: number }[]) => sql`
  , flagged as (
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, f.user_id, message_id + f.n, f.flags
    from head, json_to_recordset(${JSON.stringify(flags)}::text::json) as f (user_id int, flags int, n int)
  )`

/** The step that inserts submessages; few batches have it. */
const insertSubmessages = (
  sql: Db,
  realm_id: number,
  submessageRows: readonly (NewSubmessage & { n: number })[],
) => sql`
  , hung as (
    insert into submessages (realm_id, message_id, id, sender_id, msg_type, content)
    select ${realm_id}, message_id + h.n, h.id, h.sender_id, h.msg_type, h.content
    from head, json_to_recordset(${JSON.stringify(submessageRows)}::text::json)
      as h (id bigint, sender_id int, msg_type text, content text, n int)
  )`

/** The step that inserts the keys with which the sends may be repeated. They are part of the input. */
const insertKeys = (sql: Db, realm_id: number) => sql`
  , keyed as (
    insert into idempotency_keys (realm_id, user_id, key, request, message_id, visibility_policy)
    select ${realm_id}, sender_id, key, request, message_id + n, policy from head, input where key is not null
  )`

/** The step that inserts jobs; few batches have it. */
const insertJobs = (sql: Db, realm_id: number, jobs: readonly (MessageJob & { n: number })[]) => sql`
  , wanted as (
    insert into jobs (realm_id, kind, payload)
    select ${realm_id}, j.kind, (j.payload || jsonb_build_object('message_id', message_id + j.n))::json
    from head, json_to_recordset(${JSON.stringify(jobs)}::text::json) as j (kind text, payload jsonb, n int)
    returning id, realm_id, kind
  )`

/** What the input has besides the columns of a message. */
interface InputColumns {
  audience: Audience
  data: object
  key: string | undefined
  request: string | undefined
  policy: number | undefined
  n: number
}

/** A row of the statement's input. Spelled out: spreading the columns costs three times what encoding them does. */
const buildInputRow = ({ message, audience, data, key, policy }: Send, i: number) =>
  ({
    sender_id: message.sender_id,
    channel_id: message.channel_id,
    dm_id: message.dm_id,
    topic: message.topic,
    content: message.content,
    rendered_content: message.rendered_content,
    timestamp: message.timestamp,
    client: message.client,
    is_me_message: message.is_me_message,
    sender_read: message.sender_read,
    read_by_all: message.read_by_all,
    has_link: message.has_link,
    has_image: message.has_image,
    has_attachment: message.has_attachment,
    has_wildcard: message.has_wildcard,
    audience,
    data,
    key: key?.key,
    request: key?.request,
    policy,
    n: i + 1,
  }) satisfies MessageColumns & InputColumns
