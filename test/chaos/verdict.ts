/** What is compared after chaos, when every fault has ended and everything has arrived. */
import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../src/store/sql.js'
import { ClientState } from '../setup/clients/client-state.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { registration, type Watcher } from './watcher.js'
import type { Writing } from './writers.js'

type Row = Record<string, unknown>

export interface Findings {
  /** acknowledged writes that are missing, or values that were replaced by older ones */
  lostWrites: string[]
  /** messages that exist twice */
  doubledWrites: string[]
  /** gateways and clients whose state differs from a fresh one */
  stale: string[]
}

/** Every acknowledged send exists once, and every other one at most once. */
export const checkMessages = async (sql: Sql, realm_id: number, { sent, scheduled }: Writing, findings: Findings) => {
  const rows = await sql<{ id: number; text: string }[]>`
    select id, content as text from messages where realm_id = ${realm_id}
    union all
    select id, (edit_history -> -1 ->> 'prev_content') from messages
    where realm_id = ${realm_id} and edit_history -> -1 ->> 'prev_content' is not null`
  const idsByText = new Map<string, Set<number>>()
  const ids = new Set<number>()
  for (const { id, text } of rows) {
    ids.add(id)
    const key = /^(?:keep|later) \S+\./.exec(text)?.[0]
    if (key === undefined) continue
    const all = idsByText.get(key) ?? new Set()
    idsByText.set(key, all.add(id))
  }
  for (const [text, { id }] of sent) {
    if (id !== undefined && !ids.has(id)) findings.lostWrites.push(`message ${id}: ${text}`)
    const found = idsByText.get(text)?.size ?? 0
    if (found > 1) findings.doubledWrites.push(`${found} messages: ${text}`)
  }
  for (const [text, isAcknowledged] of scheduled) {
    const found = idsByText.get(text)?.size ?? 0
    if (found > 1) findings.doubledWrites.push(`${found} scheduled messages: ${text}`)
    if (found === 0 && isAcknowledged) findings.lostWrites.push(`scheduled message: ${text}`)
  }
}

/**
 * Checks that the stored values are possible ones. Every value that a writer set is the last acknowledged one, or one
 * whose outcome is unknown.
 */
export const checkLedger = async (
  { ledger, people, files }: Writing,
  url: string,
  findings: Findings,
): Promise<number> => {
  const at = { url }
  const admin = people[0] as Person
  const idsByOwner = new Map<number, Set<number>>()
  for (const key of ledger.values.keys()) {
    const [kind, owner, id] = key.split(' ')
    if (kind !== 'content' && kind !== 'star' && kind !== 'reaction') continue
    const ids = idsByOwner.get(Number(owner)) ?? new Set()
    idsByOwner.set(Number(owner), ids.add(Number(id)))
  }
  const messages = new Map<number, { content: string; flags: string[]; reactions: Row[] }>()
  for (const [owner, ids] of idsByOwner) {
    const account = people.find(({ user_id }) => user_id === owner) as Person
    const all = [...ids]
    for (let i = 0; i < all.length; i += 200) {
      const message_ids = all.slice(i, i + 200)
      const answer = await ok<{ messages: (Row & { id: number })[] }>(
        account,
        'GET',
        '/messages',
        { message_ids, apply_markdown: false },
        at,
      )
      for (const message of answer.messages) messages.set(message.id, message as never)
    }
  }
  const channelRows = await ok<{ streams: Row[] }>(
    admin,
    'GET',
    '/streams',
    { exclude_archived: false, include_all: true },
    at,
  )
  const drafts = new Map<string, string>()
  const fonts = new Map<number, unknown>()
  for (const account of people) {
    const answer = await ok<{ drafts: { id: number; content: string }[] }>(account, 'GET', '/drafts', {}, at)
    for (const { id, content } of answer.drafts) drafts.set(`${account.user_id} ${id}`, content)
    const { user_settings } = await ok<{ user_settings: Row }>(
      account,
      'POST',
      '/register',
      {
        event_types: [],
        fetch_event_types: ['user_settings'],
        client_capabilities: { notification_settings_null: true, user_settings_object: true },
      },
      at,
    )
    fonts.set(account.user_id, user_settings.web_font_size_px)
  }
  const yesNo = (value: boolean) => (value ? 'yes' : 'no')
  const read: Record<string, (a: string, b: string, c: string) => string | undefined> = {
    content: (_, id) => messages.get(Number(id))?.content,
    star: (_, id) => yesNo(messages.get(Number(id))?.flags.includes('starred') ?? false),
    reaction: (owner, id, name) =>
      yesNo(
        messages
          .get(Number(id))
          ?.reactions.some(({ user_id, emoji_name }) => user_id === Number(owner) && emoji_name === name) ?? false,
      ),
    description: (id) => channelRows.streams.find(({ stream_id }) => stream_id === Number(id))?.description as string,
    archived: (id) =>
      yesNo(channelRows.streams.find(({ stream_id }) => stream_id === Number(id))?.is_archived === true),
    draft: (owner, id) => drafts.get(`${owner} ${id}`),
    font: (owner) => String(fonts.get(Number(owner))),
    deleted: () => 'yes',
  }
  const deleted = [...ledger.values.keys()].flatMap((key) => /^deleted (\d+)$/.exec(key)?.[1] ?? []).map(Number)
  if (deleted.length > 0) {
    const answer = await ok<{ messages: { id: number }[] }>(admin, 'GET', '/messages', { message_ids: deleted }, at)
    const found = new Set(answer.messages.map(({ id }) => String(id)))
    read.deleted = (id) => yesNo(!found.has(id))
  }
  for (const key of ledger.values.keys()) {
    const [kind = '', a = '', b = '', c = ''] = key.split(' ')
    const found = read[kind]?.(a, b, c)
    if (!ledger.isPossible(key, found)) {
      findings.lostWrites.push(`${key} is ${found}, not ${ledger.values.get(key)?.acknowledged}`)
    }
  }
  for (const [path, data] of files) {
    const port = Number(new URL(url).port)
    const file = await sendRequest(port, { path, host: admin.host, authorization: basicAuthorization(admin) })
    // Only its owner and the readers of a message with a link to it may read the file.
    if (file.status === 200 && file.text !== data) findings.lostWrites.push(`file ${path}`)
    if (file.status >= 500) findings.lostWrites.push(`file ${path}: ${file.status}`)
  }
  return ledger.values.size + files.size
}

/**
 * Checks that each gateway answers a registration like a fresh one. The fresh gateway is one that has just loaded
 * everything.
 */
export const checkReplicas = async (
  people: readonly Person[],
  urls: readonly string[],
  freshUrl: string,
  findings: Findings,
): Promise<number> => {
  let compared = 0
  for (const account of people) {
    const register = async (url: string) =>
      withoutVolatile((await call(account, 'POST', '/register', registration, { url })).body)
    const fresh = await register(freshUrl)
    for (const url of urls) {
      const old = await register(url)
      compared += 1
      for (const key of new Set([...Object.keys(fresh), ...Object.keys(old)])) {
        if (isDeepStrictEqual(fresh[key], old[key])) continue
        const [here, there] = cutToDifference(JSON.stringify(old[key]) ?? '', JSON.stringify(fresh[key]) ?? '')
        findings.stale.push(`${account.full_name}, ${key}: ${here}\nfresh: ${there}`)
      }
    }
  }
  return compared
}

/** What a client knows after all events equals what a new registration says. */
export const checkClient = async ({ account, name, state, settings }: Watcher, url: string, findings: Findings) => {
  const now = await ok<Row>(account, 'POST', '/register', registration, { url })
  const known = new ClientState(now, true)
  // No event tells the new maximum when the newest message is deleted.
  state.maxMessageId = known.maxMessageId
  const [before, after] = [state.known(), known.known()]
  for (const key of Object.keys(after)) {
    if (isDeepStrictEqual(before[key], after[key])) continue
    findings.stale.push(`${name}, ${key}: ${describeDifference(before[key], after[key])}`)
  }
  if (!isDeepStrictEqual(settings, now.user_settings ?? {})) findings.stale.push(`${name}: user settings`)
}

const describeDifference = (before: unknown, after: unknown): string => {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) {
    return `${JSON.stringify(before)?.slice(0, 300)} is ${JSON.stringify(after)?.slice(0, 300)}`
  }
  const [a, b] = [before as Row, after as Row]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !isDeepStrictEqual(a[key], b[key]))
  return keys
    .slice(0, 3)
    .map((key) => `${key} (${keys.length} differ): ${describeDifference(a[key], b[key])}`)
    .join('; ')
}

/** Without what differs from one registration to the next, and from one process to another. */
const withoutVolatile = (answer: Row): Row => {
  const {
    queue_id: _,
    last_event_id: __,
    server_timestamp: ___,
    presences: ____,
    presence_last_update_id: _____,
    ...rest
  } = answer
  return rest
}

/** The parts of two texts around their first difference. */
const cutToDifference = (a: string, b: string): [string, string] => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const cut = (text: string) => text.slice(Math.max(0, at - 300), at + 300)
  return [cut(a), cut(b)]
}
