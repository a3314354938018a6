/** The calls of clients that repeat, and how often each of them happened, by the log. */
import type { Sql } from '../../src/store/sql.js'
import type { Random } from '../setup/random.js'
import type { Person } from '../setup/realm/realm.js'
import type { Attempt } from './attempts.js'
import type { Findings } from './verdict.js'

/** A call that may be sent several times. */
export interface RepeatedCall {
  kind: string
  /** unique: the entry that the call has in the log contains it (`readNames`) */
  name: string
  method: string
  path: string
  params: Record<string, unknown>
  /** undefined: its parameters have a queue and a local id instead */
  key: string | undefined
  /** the name and content of the uploaded file */
  file?: string
}

/** A call with its outcome. */
export interface SettledCall {
  call: RepeatedCall
  answer: Attempt
}

/** What a client knows of its own messages. */
interface Known {
  /** ids of messages without a reaction */
  plain: number[]
  /** those with one, which is `octopus` */
  reacted: number[]
}

interface Kind {
  weight: number
  /** the kind of its entry in the log; undefined: the answers alone show that it happened once */
  entry?: string
  /** @returns undefined: there is nothing yet with which it could be done */
  compose(name: string, known: Known): Pick<RepeatedCall, 'method' | 'path' | 'params' | 'file'> & { name?: string }
  isPossible?(known: Known): boolean
}

const TOMORROW_S = 86_400
const octopus = { emoji_name: 'octopus' }
const post = (path: string, params: Record<string, unknown> = {}) => ({ method: 'POST', path, params })
const newest = (ids: readonly number[]): number => ids.at(-1) ?? 0
const hasPlain = ({ plain }: Known) => plain.length > 0
const hasReacted = ({ reacted }: Known) => reacted.length > 0

const composeKinds = (channel_id: number, now: number): Readonly<Record<string, Kind>> => {
  const message = (content: string) => ({ type: 'channel', to: channel_id, topic: 'once', content })
  const tomorrow = { scheduled_delivery_timestamp: now + TOMORROW_S }
  return {
    'send with a key': { weight: 25, entry: 'message', compose: (name) => post('/messages', message(name)) },
    'send with a local id': {
      weight: 25,
      entry: 'message',
      compose: (name) => post('/messages', { ...message(name), queue_id: 'once', local_id: name }),
    },
    edit: {
      weight: 8,
      entry: 'update_message',
      isPossible: hasPlain,
      compose: (content, { plain }) => ({ method: 'PATCH', path: `/messages/${newest(plain)}`, params: { content } }),
    },
    react: {
      weight: 8,
      entry: 'reaction',
      isPossible: hasPlain,
      compose: (_, { plain }) => ({
        ...post(`/messages/${newest(plain)}/reactions`, octopus),
        name: `reaction add ${newest(plain)}.`,
      }),
    },
    'take a reaction back': {
      weight: 4,
      entry: 'reaction',
      isPossible: hasReacted,
      compose: (_, { reacted }) => ({
        method: 'DELETE',
        path: `/messages/${newest(reacted)}/reactions`,
        params: octopus,
        name: `reaction remove ${newest(reacted)}.`,
      }),
    },
    'create a channel': {
      weight: 2,
      entry: 'stream/create',
      compose: (name) => post('/channels/create', { name, subscribers: [] }),
    },
    'subscribe to a new channel': {
      weight: 3,
      entry: 'stream/create',
      compose: (name) => post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    },
    'create a group': {
      weight: 1,
      entry: 'user_group/add',
      compose: (name) => post('/user_groups/create', { name, description: '', members: [] }),
    },
    'write a draft': {
      weight: 4,
      entry: 'drafts/add',
      compose: (content) =>
        post('/drafts', { drafts: [{ type: 'stream', to: [channel_id], topic: 'once', content, timestamp: now }] }),
    },
    'keep a snippet': {
      weight: 3,
      entry: 'saved_snippets/put',
      compose: (title) => post('/saved_snippets', { title, content: title }),
    },
    schedule: {
      weight: 3,
      entry: 'scheduled_messages/add',
      compose: (content) => post('/scheduled_messages', { ...message(content), ...tomorrow }),
    },
    'be reminded': {
      weight: 2,
      entry: 'reminders/add',
      isPossible: hasPlain,
      compose: (note, { plain }) => post('/reminders', { message_id: newest(plain), note, ...tomorrow }),
    },
    'set a status': {
      weight: 3,
      entry: 'user_status',
      compose: (status_text) => post('/users/me/status', { status_text }),
    },
    upload: {
      weight: 5,
      entry: 'attachment/add',
      compose: (name) => ({ ...post('/user_uploads'), file: `${name}txt` }),
    },
    'create an invitation': { weight: 1, compose: () => post('/invites/multiuse') },
  }
}

/** The calls of one client, one after the other. */
export const repeatedCalls = ({
  account,
  random,
  channel_id,
}: {
  account: Person
  random: Random
  channel_id: number
}) => {
  const known: Known = { plain: [], reacted: [] }
  const kinds = composeKinds(channel_id, Math.floor(Date.now() / 1000))
  const table = Object.entries(kinds).map(([name, kind]) => ({ name, ...kind }))
  let n = 0
  return {
    next(): RepeatedCall {
      const possible = table.filter(({ isPossible }) => isPossible?.(known) ?? true)
      const { name: kind, compose } = random.weighted(possible)
      const name = `once-${account.user_id}-${++n}.`
      const key = kind === 'send with a local id' ? undefined : name
      return { kind, name, key, ...compose(name, known) }
    },
    /** Notes what a call that was done has changed. */
    note({ kind }: RepeatedCall, { id }: Record<string, unknown>): void {
      if (kind.startsWith('send')) known.plain.push(id as number)
      if (kind === 'react') known.reacted.push(known.plain.pop() as number)
      if (kind === 'take a reaction back') known.reacted.pop()
    },
  }
}

/** Checks that each call that was done happened once, and that no refused one did. */
export const checkRepeatedCalls = async (
  sql: Sql,
  realm_id: number,
  settled: readonly SettledCall[],
  findings: Findings,
): Promise<void> => {
  const kinds = composeKinds(0, 0)
  const entries = [...new Set(Object.values(kinds).flatMap(({ entry }) => entry ?? []))]
  const rows = await sql<{ kind: string; text: string }[]>`
    select kind, concat(data, rows) as text from log where realm_id = ${realm_id} and kind = any(${entries})`
  const found = new Map<string, number>()
  for (const { kind, text } of rows) {
    for (const name of new Set(readNames(kind, text))) {
      found.set(`${kind} ${name}`, (found.get(`${kind} ${name}`) ?? 0) + 1)
    }
  }
  for (const { call, answer } of settled) {
    const entry = kinds[call.kind]?.entry
    if (entry === undefined) continue
    const times = found.get(`${entry} ${call.name}`) ?? 0
    const what = `${call.kind} (${call.name}) happened ${times} times, and its answer was ${JSON.stringify(answer.body)}`
    if (times > 1 || (answer.outcome === 'refused' && times > 0)) findings.doubledWrites.push(what)
    if (times === 0 && answer.outcome === 'done') findings.lostWrites.push(what)
  }
}

/** The texts of entries that also have the text before the change. */
const newTexts: Readonly<Record<string, RegExp>> = {
  update_message: /"content":"(once-\d+-\d+\.)/,
  user_status: /"status_text":"(once-\d+-\d+\.)/,
}

/** The names of calls in an entry. Those of reactions are made of their message. */
const readNames = (kind: string, text: string): string[] => {
  const newText = newTexts[kind]
  if (newText !== undefined) return newText.exec(text)?.slice(1) ?? []
  if (kind !== 'reaction') return text.match(/once-\d+-\d+\./g) ?? []
  const [, op] = /"op":"(add|remove)"/.exec(text) ?? []
  const [, id] = /"message_id":(\d+)/.exec(text) ?? []
  return [`reaction ${op} ${id}.`]
}
