/** Users who write without a pause: every kind of change and job, through any gateway. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../setup/random.js'
import type { Person } from '../setup/realm/realm.js'
import { multipart } from '../setup/requests/files.js'
import type { Attempts } from './attempts.js'
import type { Ledger } from './ledger.js'
import { SECRET } from './watcher.js'

/** The channels of a run, by name. */
export interface Channels {
  general: number
  other: number
  secret: number
  scratch: number
}

/** What all writers share. */
export interface Writing {
  attempts: Attempts
  ledger: Ledger
  channels: Channels
  /** everyone who takes part */
  people: readonly Person[]
  /** who is added to the private channel and removed from it */
  wanderer: Person
  /** the texts of sends that nothing deletes, with the ids of those that were acknowledged */
  sent: Map<string, { id: number | undefined }>
  /** the texts of scheduled messages, and whether scheduling them was acknowledged */
  scheduled: Map<string, boolean>
  /** the addresses of files whose upload was acknowledged, with their content */
  files: Map<string, string>
  /** how often each operation was done */
  counts: Map<string, number>
}

interface Writer {
  account: Person
  random: Random
  name: string
  isAdministrator: boolean
  next: number
  /** ids of own messages that nothing deletes */
  kept: number[]
  /** those of `kept` that outsiders may never see; moved to a public channel, they would be public */
  secret: Set<number>
  /** ids of own messages that may be deleted */
  scratch: number[]
  drafts: number[]
  channels: { id: number; name: string }[]
}

type Operation = (writer: Writer, writing: Writing) => Promise<unknown>

const topics = ['one', 'two', 'three', 'four']
const emoji = ['tada', 'heart', 'octopus']

const newText = (writer: Writer, kind: string) => `${kind} ${writer.name}-${++writer.next}.`

/** Sends a message that is kept until the end. @returns its id; undefined: the send was not acknowledged */
const sendKept = async (writer: Writer, { attempts, sent }: Writing, fields: Record<string, unknown>, more = '') => {
  const text = newText(writer, 'keep')
  const entry: { id: number | undefined } = { id: undefined }
  sent.set(text, entry)
  const content = `${text} ${more}`
  const { outcome, body } = await attempts.send(writer.account, 'POST', '/messages', { ...fields, content })
  if (outcome === 'done') {
    entry.id = body.id as number
    writer.kept.push(entry.id)
    if (writer.kept.length > 40) writer.kept.shift()
  }
  if (outcome === 'refused') sent.delete(text)
  return entry.id
}

const operations: Readonly<Record<string, { weight: number; run: Operation }>> = {
  'send to a channel': {
    weight: 30,
    run: (writer, writing) => {
      const to = writer.random.pick([writing.channels.general, writing.channels.other])
      return sendKept(writer, writing, { type: 'channel', to, topic: writer.random.pick(topics) }, '@**all** hello')
    },
  },
  'send directly': {
    weight: 8,
    run: (writer, writing) => {
      const to = [writer.random.pick(writing.people).user_id, writer.random.pick(writing.people).user_id]
      return sendKept(writer, writing, { type: 'direct', to: [...new Set(to)] })
    },
  },
  'send to a private channel': {
    weight: 6,
    async run(writer, writing) {
      const id = await sendKept(writer, writing, { type: 'channel', to: writing.channels.secret, topic: 's' }, SECRET)
      if (id !== undefined) writer.secret.add(id)
    },
  },
  'send for deletion': {
    weight: 8,
    async run(writer, { attempts, channels }) {
      const fields = { type: 'channel', to: channels.scratch, topic: writer.random.pick(topics) }
      const content = newText(writer, 'scratch')
      const { body, outcome } = await attempts.send(writer.account, 'POST', '/messages', { ...fields, content })
      if (outcome === 'done') writer.scratch.push(body.id as number)
    },
  },
  delete: {
    weight: 4,
    async run(writer, { attempts, ledger }) {
      const id = writer.scratch.shift()
      if (id === undefined) return
      await ledger.write(`deleted ${id}`, 'yes', attempts.send(writer.account, 'DELETE', `/messages/${id}`))
    },
  },
  'delete a topic': {
    weight: 0.5,
    async run(writer, { attempts, channels }) {
      if (!writer.isAdministrator) return
      const path = `/streams/${channels.scratch}/delete_topic`
      await attempts.send(writer.account, 'POST', path, { topic_name: writer.random.pick(topics) })
    },
  },
  edit: {
    weight: 6,
    async run(writer, { attempts, ledger }) {
      if (writer.kept.length === 0) return
      const id = writer.random.pick(writer.kept)
      const content = newText(writer, `edited ${id}`)
      const attempt = attempts.send(writer.account, 'PATCH', `/messages/${id}`, { content })
      await ledger.write(`content ${writer.account.user_id} ${id}`, content, attempt)
    },
  },
  move: {
    weight: 2,
    async run(writer, { attempts, channels }) {
      const movable = writer.kept.filter((id) => !writer.secret.has(id))
      if (movable.length === 0) return
      const fields = {
        topic: writer.random.pick(topics),
        propagate_mode: writer.random.pick(['change_one', 'change_later', 'change_all']),
        ...(writer.random.next() < 0.5 && writer.isAdministrator
          ? { stream_id: writer.random.pick([channels.general, channels.other, channels.secret]) }
          : {}),
      }
      await attempts.send(writer.account, 'PATCH', `/messages/${writer.random.pick(movable)}`, fields)
    },
  },
  react: {
    weight: 6,
    async run(writer, { attempts, ledger }) {
      if (writer.kept.length === 0) return
      const id = writer.random.pick(writer.kept)
      const emoji_name = writer.random.pick(emoji)
      const [method, value] = writer.random.pick([['POST', 'yes'] as const, ['DELETE', 'no'] as const])
      const attempt = attempts.send(writer.account, method, `/messages/${id}/reactions`, { emoji_name })
      await ledger.write(`reaction ${writer.account.user_id} ${id} ${emoji_name}`, value, attempt)
    },
  },
  flag: {
    weight: 6,
    async run(writer, { attempts, ledger }) {
      if (writer.kept.length === 0) return
      const id = writer.random.pick(writer.kept)
      const [op, value] = writer.random.pick([['add', 'yes'] as const, ['remove', 'no'] as const])
      const attempt = attempts.send(writer.account, 'POST', '/messages/flags', { messages: [id], op, flag: 'starred' })
      await ledger.write(`star ${writer.account.user_id} ${id}`, value, attempt)
    },
  },
  read: {
    weight: 2,
    run: (writer, { attempts, channels }) =>
      writer.random.next() < 0.2
        ? attempts.send(writer.account, 'POST', '/mark_all_as_read')
        : attempts.send(writer.account, 'POST', '/mark_stream_as_read', { stream_id: channels.general }),
  },
  subscribe: {
    weight: 4,
    async run(writer, { attempts, wanderer }) {
      if (!writer.isAdministrator) return
      const principals = [wanderer.user_id]
      await attempts.send(writer.account, 'POST', '/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        principals,
      })
      await sleep(writer.random.integer(0, 100))
      await attempts.send(writer.account, 'DELETE', '/users/me/subscriptions', {
        subscriptions: ['secret'],
        principals,
      })
    },
  },
  'create a channel': {
    weight: 0.6,
    async run(writer, { attempts, people }) {
      const name = newText(writer, 'channel')
      const { outcome, body } = await attempts.send(writer.account, 'POST', '/channels/create', {
        name,
        subscribers: people.map(({ user_id }) => user_id),
        invite_only: writer.random.next() < 0.5,
      })
      if (outcome === 'done') writer.channels.push({ id: body.id as number, name })
    },
  },
  'describe a channel': {
    weight: 2,
    async run(writer, { attempts, ledger }) {
      const channel = writer.channels.at(-1)
      if (channel === undefined) return
      const description = newText(writer, 'about')
      const attempt = attempts.send(writer.account, 'PATCH', `/streams/${channel.id}`, { description })
      await ledger.write(`description ${channel.id}`, description, attempt)
    },
  },
  'archive a channel': {
    weight: 0.4,
    async run(writer, { attempts, ledger }) {
      const channel = writer.channels.shift()
      if (channel === undefined) return
      const attempt = attempts.send(writer.account, 'DELETE', `/streams/${channel.id}`)
      await ledger.write(`archived ${channel.id}`, 'yes', attempt)
    },
  },
  'change a setting': {
    weight: 2,
    async run(writer, { attempts, ledger }) {
      const value = String(writer.random.integer(12, 24))
      const attempt = attempts.send(writer.account, 'PATCH', '/settings', { web_font_size_px: value })
      await ledger.write(`font ${writer.account.user_id}`, value, attempt)
    },
  },
  'write a draft': {
    weight: 3,
    async run(writer, { attempts, ledger, channels }) {
      const content = newText(writer, 'draft')
      const draft = { type: 'stream', to: [channels.general], topic: 't', content }
      const id = writer.drafts.at(-1)
      if (id === undefined || writer.random.next() < 0.1) {
        const { outcome, body } = await attempts.send(writer.account, 'POST', '/drafts', { drafts: [draft] })
        if (outcome === 'done') writer.drafts.push((body.ids as number[])[0] as number)
        return
      }
      const attempt = attempts.send(writer.account, 'PATCH', `/drafts/${id}`, { draft })
      await ledger.write(`draft ${writer.account.user_id} ${id}`, content, attempt)
    },
  },
  schedule: {
    weight: 3,
    async run(writer, { attempts, channels, scheduled }) {
      const content = newText(writer, 'later')
      scheduled.set(content, false)
      const { outcome } = await attempts.send(writer.account, 'POST', '/scheduled_messages', {
        type: 'channel',
        to: channels.general,
        topic: writer.random.pick(topics),
        content,
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + writer.random.integer(2, 5),
      })
      if (outcome === 'done') scheduled.set(content, true)
      if (outcome === 'refused') scheduled.delete(content)
    },
  },
  upload: {
    weight: 1.5,
    async run(writer, { attempts, files }) {
      const data = newText(writer, 'file')
      const content = multipart([{ filename: 'file.txt', type: 'text/plain', data }])
      const { outcome, body } = await attempts.send(writer.account, 'POST', '/user_uploads', {}, content)
      if (outcome === 'done') files.set(body.url as string, data)
    },
  },
  'follow a topic': {
    weight: 1.5,
    run: (writer, { attempts, channels }) =>
      attempts.send(writer.account, 'POST', '/user_topics', {
        stream_id: channels.general,
        topic: writer.random.pick(topics),
        // A muted topic is none of them: the mentions of a registration are without those of all users in muted topics.
        visibility_policy: writer.random.pick([0, 2, 3]),
      }),
  },
  'create a group': {
    weight: 0.5,
    run: (writer, { attempts, people }) =>
      attempts.send(writer.account, 'POST', '/user_groups/create', {
        name: newText(writer, 'group'),
        description: '',
        members: people.slice(0, 3).map(({ user_id }) => user_id),
      }),
  },
  type: {
    weight: 2,
    run: (writer, { attempts, channels }) =>
      attempts.send(writer.account, 'POST', '/typing', {
        type: 'stream',
        op: 'start',
        stream_id: channels.general,
        topic: writer.random.pick(topics),
      }),
  },
  'register and leave': {
    weight: 1,
    async run(writer, { attempts }) {
      const { outcome, body } = await attempts.send(writer.account, 'POST', '/register', {
        fetch_event_types: ['message'],
        event_types: ['message'],
      })
      if (outcome !== 'done') return
      await attempts.send(writer.account, 'DELETE', '/events', { queue_id: body.queue_id })
    },
  },
  fetch: {
    weight: 3,
    run: (writer, { attempts }) =>
      attempts.send(writer.account, 'GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 }),
  },
}

const table = Object.entries(operations).map(([name, { weight, run }]) => ({ name, weight, run }))

/** Starts a writer. @returns ends it, after its current operation */
export const startWriter = (
  account: Person,
  random: Random,
  writing: Writing,
  { pause_ms, isAdministrator }: { pause_ms: number; isAdministrator: boolean },
): (() => Promise<void>) => {
  const name = account.full_name.toLowerCase()
  const own = { next: 0, kept: [], secret: new Set<number>(), scratch: [], drafts: [], channels: [] }
  const writer: Writer = { account, random, name, isAdministrator, ...own }
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      const operation = random.weighted(table)
      writing.counts.set(operation.name, (writing.counts.get(operation.name) ?? 0) + 1)
      await operation.run(writer, writing)
      await sleep(pause_ms)
    }
  }
  const running = run()
  return async () => {
    isStopped = true
    await running
  }
}
