/**
 * What do the steps of a message cost in memory? Baseline: encoding its event as JSON once.
 *
 * The steps that every call or every delivery takes in memory: authentication, parsing the parameters, checking the
 * permission, and encoding the event for each kind of profile. The baseline is JSON.stringify of the same event in the
 * same run. A step that costs several times the baseline deserves attention.
 *
 * Not measured: steps that wait (see send and latency), cache misses except the named one, and garbage collection
 * beyond what happens during the run. A sample is 100 calls, so p99 is the p99 of groups of 100 calls.
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
import { openAuthenticator } from '../src/gateway/auth/basic-auth.js'
import { decodeForm } from '../src/gateway/body/decode-form.js'
import { readParams } from '../src/gateway/call/params.js'
import { encodeEntry } from '../src/store/events/event-json.js'
import type { Realm } from '../src/store/log/realm.js'
import { loadState } from '../src/store/log/row-tables.js'
import { testDeployment } from '../test/setup/realm/deployment.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { median } from './harness/measure.js'
import { content, formatSendRequest } from './load/messages.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const ROUNDS = 3
/** Calls per sample. */
const CALLS = 100
const BASELINE = 'JSON.stringify'
/** A recipient whose event does not differ from those of others. */
const otherRecipient = { user_id: 0, queue_id: '' }

export const microBench: Bench = {
  question: 'What do the steps of a message cost in memory? Baseline: encoding its event as JSON once',
  async run(environment) {
    const [time, warmupTime] = [environment.size(250, { smoke: 2 }), environment.size(50, { smoke: 1 })]
    const realm = await createBenchRealm(environment, 1_000)
    const state = await environment.sql.begin((tx) => loadState(tx, testDeployment(environment.secret), realm.id))
    if (state === undefined) throw new Error('the realm was not loaded')
    const steps = buildSteps(realm, state, environment.secret)

    const rounds = await runRounds(environment, ROUNDS, async () => {
      const bench = new TinyBench({ time, warmupTime })
      for (const [name, step] of Object.entries(steps)) {
        bench.add(name, () => {
          for (let i = 0; i < CALLS; i++) step()
        })
      }
      await bench.run()
      return Object.fromEntries(bench.tasks.map(({ name, result }) => [name, readMicroseconds(result)]))
    })

    const formatMedian = (name: string, key: 'p50' | 'p99') =>
      formatNumber(median(rounds.map((round) => round[name]?.[key] ?? Number.NaN)))
    return Object.keys(steps)
      .filter((name) => name !== BASELINE)
      .map(
        (name): BenchResult => ({
          label: name,
          measured: `p50 ${formatMedian(name, 'p50')}, p99 ${formatMedian(name, 'p99')} µs`,
          baseline: `p50 ${formatMedian(BASELINE, 'p50')}, p99 ${formatMedian(BASELINE, 'p99')} µs (${BASELINE})`,
          ratios: rounds.map((round) => (round[name]?.p50 ?? Number.NaN) / (round[BASELINE]?.p50 ?? Number.NaN)),
        }),
      )
  },
}

/** Reads the microseconds per call from a result whose samples are `CALLS` calls, in milliseconds. */
const readMicroseconds = (result: TinyBench['tasks'][number]['result']): { p50: number; p99: number } => {
  if (result.state === 'errored') throw result.error
  if (result.state !== 'completed') throw new Error(`a step did not run: ${result.state}`)
  const { p50, p99 } = result.latency
  return { p50: (p50 * 1000) / CALLS, p99: (p99 * 1000) / CALLS }
}

/** Builds the measured functions, by the label of their row. */
const buildSteps = (realm: BenchRealm, state: RealmState, secret: string): Record<string, () => unknown> => {
  const sender = state.users.get(realm.user_ids[0] ?? 0)
  const channel = state.channels.get(realm.channel_id)
  if (sender === undefined || channel === undefined) throw new Error('the realm was not loaded')

  const destination = { channel, topic: 'tea' }
  const markdown = buildRenderContext(state, sender, { realm_url: 'http://bench.invalid', isKnown: () => true })
  const compose = () => {
    const rendered = render(content, markdown)
    const mentions = { common: 0, flags: new Map<number, number>(), also: [] }
    const echo = { queue_id: 'q', local_id: '1.1' }
    return composeMessage(state, 0, destination, { sender, content, rendered, mentions, client: 'bench', echo })
  }
  const send = compose()
  const entry: Entry = { seq: 1, kind: 'message', audience: send.audience, data: { ...send.data, id: 1 } }
  const html: Profile = { ...plainProfile, apply_markdown: true, empty_topic_name: true }
  const event = requireKind(entryKinds, entry.kind).project(entry.data, html, state)
  const encodeFor =
    (profile: Profile, recipient = otherRecipient) =>
    () =>
      encodeEntry({ kinds: entryKinds, state }, entry, profile, recipient)
  const narrowed: Profile = { ...html, narrow: [['channel', channel.name] as const, ['topic', 'tea'] as const] }

  // Authentication reads no other fields of a realm.
  const own: Realm['own'] = (key, create) => state.own(key, create)
  const loadedRealm = { id: realm.id, state, own } as Realm
  const authenticate = openAuthenticator(() => [loadedRealm])
  const identity = realm.identify(sender.id)
  const headers = realm.user_ids.map((id) => realm.identify(id).credentials)
  let next = 0
  const [, form = ''] = formatSendRequest(identity, channel.id).split('\r\n\r\n')

  return {
    [BASELINE]: () => JSON.stringify(event),
    'authenticate: a header seen before': () => authenticate(loadedRealm, identity.credentials),
    'authenticate: 1,000 headers in turn': () => authenticate(loadedRealm, headers[next++ % headers.length] ?? ''),
    'derive an API key': () => deriveApiKey(secret, realm.id, sender.id, 1),
    'parse the parameters of POST /messages': () =>
      readParams(sendMessage, { fields: decodeForm(form), encoding: 'text', path: {} }),
    'check the permission to post in a channel': () =>
      requirePostableChannel(state, sender, channel.id, destination.topic),
    'render and compose a message': compose,
    'encode a message event: HTML': encodeFor(html),
    'encode a message event: Markdown': encodeFor(plainProfile),
    'encode a message event: a narrow that matches': encodeFor(narrowed),
    'encode a message event: its sender, with local id': encodeFor(html, { user_id: sender.id, queue_id: 'q' }),
  }
}
