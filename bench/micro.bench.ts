/**
 * What do the steps of a message cost, against encoding its event as JSON once?
 *
 * The steps that every call or every delivery takes in memory: telling who calls, reading the parameters, judging the
 * permission, and building an event's text for each kind of profile. The unit is JSON.stringify of that same event,
 * timed in the same run: a step that costs several of those is worth a look.
 *
 * Not measured: anything that waits (see send and latency), caches that miss in other ways than the one named, and
 * garbage collection beyond what falls into the run. Each sample is 100 calls, so p99 is that of hundreds of calls.
 */

import { Bench as TinyBench } from 'tinybench'
import { deriveApiKey } from '../src/domain/deployment/api-key.js'
import { entryKinds } from '../src/domain/entry-kinds.js'
import type { Entry } from '../src/domain/log/entry.js'
import { requireKind } from '../src/domain/log/entry-kind.js'
import { type Profile, plainProfile } from '../src/domain/log/profile.js'
import type { RealmState } from '../src/domain/log/state.js'
import { render } from '../src/domain/markdown/render.js'
import { composeMessage } from '../src/domain/messages/sending/composing.js'
import { requirePostableChannel } from '../src/domain/messages/sending/posting.js'
import { buildRenderContext } from '../src/domain/rendering/message-render-context.js'
import { sendMessage } from '../src/gateway/api/messages/messages.js'
import { encodeEntry } from '../src/gateway/events/event-json.js'
import { openAuthenticator } from '../src/gateway/http/basic-auth.js'
import { decodeForm } from '../src/gateway/http/decode-form.js'
import { readParams } from '../src/gateway/http/params.js'
import type { Realm } from '../src/store/log/realm.js'
import { loadState } from '../src/store/log/rows.js'
import { testDeployment } from '../test/setup/deployment.js'
import { type Answer, type Bench, figure, rounds } from './bench.js'
import { content, httpSend } from './load/messages.js'
import { median } from './measure.js'
import { type BenchRealm, benchRealm } from './realm.js'

const ROUNDS = 3
const CALLS = 100
const ENCODE = 'JSON.stringify'
const nobody = { user_id: 0, queue_id: '' }

export const micro: Bench = {
  question: 'What do the steps of a message cost, against encoding its event as JSON once?',
  async run(setting) {
    const people = await benchRealm(setting, 1_000)
    const state = await setting.sql.begin((tx) => loadState(tx, testDeployment(), people.id))
    if (state === undefined) throw new Error('the realm of the bench is gone')
    const steps = stepsOf(people, state, setting.secret)

    const turns = await rounds(ROUNDS, async () => {
      const bench = new TinyBench({ time: 250, warmupTime: 50 })
      for (const [name, step] of Object.entries(steps)) {
        bench.add(name, () => {
          for (let i = 0; i < CALLS; i++) step()
        })
      }
      await bench.run()
      return Object.fromEntries(bench.tasks.map(({ name, result }) => [name, timesOf(result)]))
    })

    const microseconds = (name: string, share: 'p50' | 'p99') =>
      figure(median(turns.map((turn) => turn[name]?.[share] ?? Number.NaN)))
    return Object.keys(steps)
      .filter((name) => name !== ENCODE)
      .map(
        (name): Answer => ({
          what: name,
          ours: `p50 ${microseconds(name, 'p50')}, p99 ${microseconds(name, 'p99')} µs`,
          baseline: `p50 ${microseconds(ENCODE, 'p50')}, p99 ${microseconds(ENCODE, 'p99')} µs (${ENCODE})`,
          ratios: turns.map((turn) => (turn[name]?.p50 ?? Number.NaN) / (turn[ENCODE]?.p50 ?? Number.NaN)),
        }),
      )
  },
}

/** Microseconds per call out of a result whose samples are `CALLS` calls in milliseconds. */
const timesOf = (result: TinyBench['tasks'][number]['result']): { p50: number; p99: number } => {
  if (result.state !== 'completed') throw new Error(`a step did not run: ${result.state}`)
  const { p50, p99 } = result.latency
  return { p50: (p50 * 1000) / CALLS, p99: (p99 * 1000) / CALLS }
}

const stepsOf = (people: BenchRealm, state: RealmState, secret: string): Record<string, () => unknown> => {
  const sender = state.users.get(people.user_ids[0] ?? 0)
  const channel = state.channels.get(people.channel_id)
  if (sender === undefined || channel === undefined) throw new Error('the realm of the bench is empty')

  const place = { channel, topic: 'tea' }
  const markdown = buildRenderContext(state, sender, { realm_url: 'http://bench.invalid', isKnown: () => true })
  const compose = () => {
    const rendered = render(content, markdown)
    const mentions = { everyone: 0, flags: new Map<number, number>(), also: [] }
    const echo = { queue_id: 'q', local_id: '1.1' }
    return composeMessage(state, 0, place, { sender, content, rendered, mentions, client: 'bench', echo })
  }
  const send = compose()
  const entry: Entry = { seq: 1, kind: 'message', audience: send.audience, data: { ...send.data, id: 1 } }
  const html: Profile = { ...plainProfile, apply_markdown: true, empty_topic_name: true }
  const event = requireKind(entryKinds, entry.kind).project(entry.data, html, state)
  const textFor =
    (profile: Profile, recipient = nobody) =>
    () =>
      encodeEntry({ kinds: entryKinds, state }, entry, profile, recipient)
  const narrowed: Profile = { ...html, narrow: [['channel', channel.name] as const, ['topic', 'tea'] as const] }

  // Of a realm, authentication looks at no more than this.
  const realm = { id: people.id, state } as Realm
  const authenticate = openAuthenticator(secret, () => [realm])
  const who = people.who(sender.id)
  const headers = people.user_ids.map((id) => people.who(id).credentials)
  let next = 0
  const [, form = ''] = httpSend(who, channel.id).split('\r\n\r\n')

  return {
    [ENCODE]: () => JSON.stringify(event),
    'who calls: a header seen before': () => authenticate(realm, who.credentials),
    'who calls: 1,000 headers in turn': () => authenticate(realm, headers[next++ % headers.length] ?? ''),
    'who calls: deriving a key': () => deriveApiKey(secret, people.id, sender.id, 1),
    'parameters of POST /messages': () => readParams(sendMessage, { fields: decodeForm(form), form: 'text', path: {} }),
    'may she post in the channel': () => requirePostableChannel(state, sender, channel.id, place.topic),
    'rendering and composing a message': compose,
    'text of a message event: HTML': textFor(html),
    'text of a message event: Markdown': textFor(plainProfile),
    'text of a message event: a narrow that matches': textFor(narrowed),
    'text of a message event: its sender, with local id': textFor(html, { user_id: sender.id, queue_id: 'q' }),
  }
}
