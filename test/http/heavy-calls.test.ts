/** Heavy calls take turns by account: one account cannot fill a gateway, whatever number of connections it opens. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openHeavyCalls } from '../../src/gateway/fairness/heavy-calls.js'
import { fairQueues } from '../../src/store/fairness/fair-queues.js'
import { type GatewayOfOneTest, portOf, startOwnGateway, waitForGauge } from '../setup/processes/gateway-of-one-test.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const { waiting: MAX_WAITING = 0 } = fairQueues.heavy_calls
/** More than that, also when the gateway answers some while this process still sends. */
const TOO_MANY = 400
const MANY = 80
const LONG = 'A long line of a text. '.repeat(400)

/** Sends calls at once. @returns their statuses in the order of the answers, as each comes */
const sendAll = (
  { gateway }: GatewayOfOneTest,
  person: Person,
  count: number,
  request: { method: string; path: string; form?: Record<string, string> },
): { statuses: number[]; done: Promise<unknown> } => {
  const statuses: number[] = []
  const sendOne = async () => {
    const { status } = await sendRequest(portOf(gateway.url), {
      method: request.method,
      path: `/api/v1${request.path}`,
      host: person.host,
      authorization: basicAuthorization(person),
      ...(request.form === undefined ? {} : { body: new URLSearchParams(request.form).toString() }),
    })
    statuses.push(status)
  }
  return { statuses, done: Promise.all(Array.from({ length: count }, sendOne)) }
}

const search = encodeURIComponent('[["search","tea"]]')
const limited = { RATE_LIMITS: 'on', RATES: 'api_by_user=10000/60' }
const render = { method: 'POST', path: '/messages/render', form: { content: LONG } }

describe('Heavy calls of one account', () => {
  let own: GatewayOfOneTest
  beforeAll(async () => {
    own = await startOwnGateway(limited)
  })
  afterAll(() => own?.[Symbol.asyncDispose]())
  // The rest after the last call of the test before would be a wait of this one.
  beforeEach(() => waitForGauge(own.gateway, 'parley_heavy_calls', { running: 0, waiting: 0 }))

  test.each([
    ['long texts', render],
    ['large pages', { method: 'GET', path: '/messages?anchor=newest&num_before=5000&num_after=0' }],
    ['searches', { method: 'GET', path: `/messages?anchor=newest&num_before=1&num_after=0&narrow=${search}` }],
    ['registrations', { method: 'POST', path: '/register', form: {} }],
  ])('With %s, another account is answered before all of its calls are.', async (_, request) => {
    const many = sendAll(own, own.ada, MANY, request)
    await sendAll(own, own.grace, 1, request).done
    expect(many.statuses.length).toBeLessThan(MANY / 2)
    await many.done
    expect(new Set(many.statuses)).toEqual(new Set([200]))
  })

  test('Short calls of the account do not wait.', async () => {
    const many = sendAll(own, own.ada, MANY, render)
    await sendAll(own, own.ada, 1, { method: 'GET', path: '/users/me' }).done
    expect(many.statuses.length).toBeLessThan(MANY / 2)
    await many.done
  })

  test('A poll that waits holds no turn, however long its fields are.', async () => {
    const url = own.gateway.url
    const registered = await call(own.ada, 'POST', '/register', { event_types: ['message'] }, { url })
    const { queue_id, last_event_id } = registered.body as Record<string, string>
    const waiting = { method: 'GET', queue_id, last_event_id, unknown: LONG }
    const poll = call(own.ada, 'POST', '/events', waiting, { url })
    await waitForGauge(own.gateway, 'parley_connections', { polls: 1 })
    expect((await call(own.ada, 'POST', '/register', {}, { url })).status).toBe(200)
    await waitForGauge(own.gateway, 'parley_connections', { polls: 1 })
    await call(own.ada, 'DELETE', '/events', { queue_id }, { url })
    expect((await poll).body.events).toEqual([])
  })

  test('Too many waiting calls are refused.', async () => {
    const { statuses, done } = sendAll(own, own.ada, TOO_MANY, render)
    await done
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(MAX_WAITING)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})

test('The turns of an owner come one after the other, and others do not wait.', async () => {
  const calls = openHeavyCalls()
  const endFirst = await calls.begin('account 1:1')
  let isSecondRunning = false
  const second = calls.begin('account 1:1').then((end) => {
    isSecondRunning = true
    return end
  })
  const endOther = await calls.begin('account 1:2')
  expect(isSecondRunning).toBe(false)
  expect(calls.counts()).toEqual({ running: 2, waiting: 1 })
  endFirst()
  const endSecond = await second
  endSecond()
  endOther()
  await expect.poll(() => calls.counts()).toEqual({ running: 0, waiting: 0 })
})
