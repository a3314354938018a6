/**
 * Property test: for the personal data of a user (drafts, saved snippets, scheduled messages, navigation views, alert
 * words, muted users, user topics), the snapshot at registration plus the events since equals the current snapshot.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWritten } from '../setup/realm/event-listener.js'
import type { Cursor, WireEvent } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel } from '../setup/realm/messages.js'
import { type Answer, call, newRealm, ok, type Person } from '../setup/realm/realm.js'

const kinds = ['drafts', 'saved_snippets', 'scheduled_messages'] as const
const names = [...kinds, 'navigation_views', 'alert_words', 'muted_users', 'user_topic']
const types = [...kinds, 'navigation_view', 'alert_words', 'muted_users', 'user_topic']

const n = fc.nat({ max: 5 })
const who = fc.nat({ max: 1 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), who, kind: fc.constantFrom(...kinds), n }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), who, kind: fc.constantFrom(...kinds), n }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), who, kind: fc.constantFrom(...kinds), n }) },
  fc.record({ do: fc.constant('view' as const), who, method: fc.constantFrom('POST', 'PATCH', 'DELETE'), n }),
  fc.record({ do: fc.constant('words' as const), who, method: fc.constantFrom('POST', 'DELETE'), n }),
  fc.record({ do: fc.constant('mute' as const), who, method: fc.constantFrom('POST', 'DELETE'), n }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('topic' as const), who, n: fc.nat(2), visibility_policy: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('post' as const), who, n: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), who, n, to: fc.nat(2) }) },
  fc.record({ do: fc.constant('delete topic' as const), who: fc.constant(0), n: fc.nat(2) }),
  fc.record({ do: fc.constant('react' as const), who, n }),
  fc.record({ do: fc.constant('register' as const), who, n }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type Row = Record<string, unknown>

/** The client's copy of the personal data, which applies events as in protocol/events.md 3.3 and 3.4. */
class PersonalData {
  readonly #rows = new Map<string, Map<unknown, Row>>()
  #words: unknown
  #muted: unknown

  constructor(snapshot: Row) {
    const list = (name: string) => snapshot[name] as Row[]
    for (const draft of list('drafts')) this.#put('drafts', draft.id, draft)
    for (const snippet of list('saved_snippets')) this.#put('saved_snippets', snippet.id, snippet)
    for (const later of list('scheduled_messages')) this.#put('scheduled_messages', later.scheduled_message_id, later)
    for (const view of list('navigation_views')) this.#put('navigation_view', view.fragment, view)
    for (const topic of list('user_topics')) this.#topic(topic)
    this.#words = snapshot.alert_words
    this.#muted = snapshot.muted_users
  }

  apply(event: WireEvent & Row): void {
    const { type, op } = event
    const rows = this.#of(type)
    if (type === 'alert_words') this.#words = event.alert_words
    else if (type === 'muted_users') this.#muted = event.muted_users
    else if (type === 'user_topic') this.#topic(event)
    else if (op === 'remove') {
      rows.delete(event.draft_id ?? event.saved_snippet_id ?? event.scheduled_message_id ?? event.fragment)
    } else if (type === 'drafts') {
      for (const draft of op === 'add' ? (event.drafts as Row[]) : [event.draft as Row]) rows.set(draft.id, draft)
    } else if (type === 'saved_snippets') {
      const snippet = event.saved_snippet as Row
      rows.set(snippet.id, snippet)
    } else if (type === 'scheduled_messages') {
      const all = op === 'add' ? (event.scheduled_messages as Row[]) : [event.scheduled_message as Row]
      for (const later of all) rows.set(later.scheduled_message_id, later)
    } else if (op === 'add') {
      const view = event.navigation_view as Row
      rows.set(view.fragment, view)
    } else rows.set(event.fragment, { ...rows.get(event.fragment), ...(event.data as Row) })
  }

  /** The data in a comparable form, without the times of changes. */
  known(): Row {
    const rows = [...this.#rows].map(([type, all]) => {
      const sorted = [...all].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      return [type, Object.fromEntries(sorted)] as const
    })
    const sets = Object.fromEntries(rows.filter(([, all]) => Object.keys(all).length > 0))
    const words = [...(this.#words as string[])].sort()
    const muted = (this.#muted as { id: number }[]).map(({ id }) => id).sort()
    return { ...sets, words, muted }
  }

  #of(type: string): Map<unknown, Row> {
    const rows = this.#rows.get(type) ?? new Map()
    this.#rows.set(type, rows)
    return rows
  }

  #put(type: string, key: unknown, row: Row): void {
    this.#of(type).set(key, row)
  }

  #topic({ stream_id, topic_name, visibility_policy }: Row): void {
    const key = `${stream_id} ${String(topic_name).toLowerCase()}`
    if (visibility_policy === 0) this.#of('user_topic').delete(key)
    else this.#put('user_topic', key, { visibility_policy })
  }
}

const topics = ['one', 'Two', 'three']
const fragments = ['narrow/is/alerted', 'narrow/is/attachment', 'inbox', 'recent', 'narrow/channel/1', 'narrow/dm/2']
const words = ['alpha', 'beta', 'Gamma', 'delta', 'Alpha', 'epsilon']

const run = async (steps: readonly Step[][]): Promise<void> => {
  await using realm = await newRealm()
  const settings = {
    automatically_follow_topics_policy: 1,
    automatically_unmute_topics_in_muted_streams_policy: 4,
    automatically_follow_topics_where_mentioned: true,
  }
  const people = await realm.people({ full_name: 'Ada', role: 100, settings }, { full_name: 'Grace', settings })
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  const others = await realm.people(...[...Array(6).keys()].map((i) => ({ full_name: `Other ${i}` })))
  const made = people.map(() => ({ drafts: [0], saved_snippets: [0], scheduled_messages: [0] }))
  const messages: number[] = []
  const queues: (Cursor & { who: number; client: PersonalData })[] = []
  const register = (who: number) =>
    ok(people[who] as Person, 'POST', '/register', { event_types: types, fetch_event_types: names })

  const bodyOf = (kind: (typeof kinds)[number], text: string) => {
    if (kind === 'drafts') return { type: 'stream', to: [stream_id], topic: 't', content: text }
    if (kind === 'saved_snippets') return { title: text, content: text }
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 100_000
    return { type: 'channel', to: stream_id, topic: 't', content: text, scheduled_delivery_timestamp }
  }

  const runStep = async (step: Step): Promise<Answer | undefined> => {
    const by = people[step.who] as Person
    const own = made[step.who] as (typeof made)[number]
    switch (step.do) {
      case 'add': {
        const body = bodyOf(step.kind, `text ${step.n}`)
        const answer = await call(by, 'POST', `/${step.kind}`, step.kind === 'drafts' ? { drafts: [body] } : body)
        const { ids, saved_snippet_id, scheduled_message_id } = answer.body as Row & { ids?: number[] }
        own[step.kind].push((ids?.[0] ?? saved_snippet_id ?? scheduled_message_id) as number)
        return answer
      }
      case 'change': {
        const id = own[step.kind][step.n % own[step.kind].length]
        const body = bodyOf(step.kind, `other text ${step.n}`)
        return call(by, 'PATCH', `/${step.kind}/${id}`, step.kind === 'drafts' ? { draft: body } : body)
      }
      case 'remove':
        return call(by, 'DELETE', `/${step.kind}/${own[step.kind][step.n % own[step.kind].length]}`)
      case 'view': {
        const fragment = fragments[step.n] as string
        const name = step.n >= 4 ? { name: `View ${step.n}` } : {}
        return step.method === 'POST'
          ? call(by, 'POST', '/navigation_views', { fragment, is_pinned: true, ...name })
          : call(by, step.method, `/navigation_views/${encodeURIComponent(fragment)}`, { is_pinned: false })
      }
      case 'words':
        return call(by, step.method, '/users/me/alert_words', { alert_words: [words[step.n]] })
      case 'mute':
        return call(by, step.method, `/users/me/muted_users/${others[step.n]?.user_id}`)
      case 'topic':
        return call(by, 'POST', '/user_topics', {
          stream_id,
          topic: topics[step.n],
          visibility_policy: step.visibility_policy,
        })
      case 'post': {
        const content = `hello @**${step.n === 0 ? 'Ada' : 'Grace'}**`
        const answer = await call(by, 'POST', '/messages', {
          type: 'stream',
          to: 'design',
          topic: topics[step.n],
          content,
        })
        if (answer.status === 200) messages.push(answer.body.id as number)
        return answer
      }
      case 'move': {
        const id = messages[step.n % Math.max(messages.length, 1)] ?? 0
        return call(by, 'PATCH', `/messages/${id}`, { topic: topics[step.to], propagate_mode: 'change_all' })
      }
      case 'delete topic':
        return call(by, 'POST', `/streams/${stream_id}/delete_topic`, { topic_name: topics[step.n] })
      case 'react':
        return call(by, 'POST', `/messages/${messages[step.n] ?? 0}/reactions`, { emoji_name: 'tada' })
      case 'register': {
        const snapshot = await register(step.who)
        const { queue_id, last_event_id } = snapshot
        queues.push({ who: step.who, queue_id, last_event_id, client: new PersonalData(snapshot) })
        return undefined
      }
    }
  }

  for (const kind of kinds) expect(await runStep({ do: 'add', who: 0, kind, n: 0 })).toMatchObject({ status: 200 })
  for (const who of people.keys()) await runStep({ do: 'register', who, n: 0 })
  for (const some of steps) {
    for (const answer of await Promise.all(some.map(runStep))) {
      expect(answer?.status ?? 200, JSON.stringify(answer?.body)).toBeLessThan(500)
    }
  }
  await waitForJobs(realm, 60_000)
  for (const { who, client, queue_id, last_event_id } of queues) {
    const now = new PersonalData(await register(who))
    const events = await readWritten(people[who] as Person, { queue_id, last_event_id })
    for (const event of events) if (event.type !== 'heartbeat') client.apply(event)
    expect(client.known(), JSON.stringify(events)).toEqual(now.known())
  }
}

test('The snapshot of the personal data of a user plus the events since equals the current snapshot.', {
  timeout: 300_000,
}, async () => {
  const steps = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 15 })
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 8)
  await fc.assert(fc.asyncProperty(steps, run), { numRuns, endOnFailure: true, interruptAfterTimeLimit: 240_000 })
})
