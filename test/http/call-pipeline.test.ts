/** The call pipeline: how calls are checked and run on a replica's memory, which may lag behind other replicas. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { Role, type UserRow } from '../../src/domain/log/rows.js'
import { errors } from '../../src/domain/protocol/errors.js'
import { rawMembersOfFragments, rawObject } from '../../src/domain/protocol/raw-json.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { type Definition, endpoint } from '../../src/gateway/call/endpoint.js'
import { bool, int, str } from '../../src/gateway/call/params.js'
import { PendingAnswer } from '../../src/gateway/contract/pending-answer.js'
import type { RateLimit } from '../../src/gateway/fairness/rate-limit.js'
import { StaleStateError } from '../../src/store/log/log.js'
import { credentials, namedUserRow, type TinyRealm, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const ada = namedUserRow(1, 'ada')

/** Applies a change that another replica made and that this replica had not applied yet. */
const changeOnOtherReplica = (realm: TinyRealm, user: UserRow, patch: Partial<UserRow>) => () => {
  const change = composeUpdate('users', user, patch)
  if (change === undefined) return
  realm.state.apply(change)
  realm.structureSeq += 1
}

type Plain = Definition<Record<never, never>, 'account', typeof anything>
const anything = z.looseObject({})

/** Creates a realm with one endpoint, and records the order of the pipeline's steps. */
const createEndpoint = async (definition: Partial<Plain> & Pick<Plain, 'handle'>, rateLimit?: RateLimit) => {
  const realm = tinyRealm(1, 'acme', [ada])
  const steps: string[] = []
  realm.barrier = async () => void steps.push('barrier')
  realm.catchUp = async () => void steps.push('catchUp')
  realm.withStructureLock = (work) => {
    steps.push('turn')
    return work()
  }
  const thing = endpoint({
    method: 'POST',
    path: '/thing',
    summary: 'Does a thing.',
    callers: 'account',
    params: {},
    response: anything,
    ...definition,
    handle(call) {
      steps.push('handle')
      return definition.handle(call)
    },
  })
  const server = await tinyServer({ thing }, { realms: [realm], rateLimit })
  const call = (path = '/api/v1/thing') =>
    sendRequest(server.port, {
      method: thing.method,
      path,
      host: 'acme.parley.test',
      authorization: credentials(realm, ada),
    })
  return { realm, steps, server, call }
}

describe('Reads', () => {
  test('A read waits for the barrier before its handler runs.', async () => {
    const { realm, steps, call } = await createEndpoint({ method: 'GET', handle: () => ({}) })
    realm.barrier = async () => {
      steps.push('barrier')
      changeOnOtherReplica(realm, ada, { full_name: 'Ada L.' })()
    }
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['barrier', 'handle'])
  })

  test('A read is refused if the state after the barrier forbids it.', async () => {
    const { realm, steps, call } = await createEndpoint({ method: 'GET', handle: () => ({}) })
    realm.barrier = async () => changeOnOtherReplica(realm, ada, { is_active: false })()
    expect((await call()).json.msg).toBe('This account is deactivated: ask an administrator of the organization.')
    expect(steps).toEqual([])
  })

  test('A read can be declared without a barrier.', async () => {
    const { steps, call } = await createEndpoint({ method: 'GET', barrier: false, handle: () => ({}) })
    await call()
    expect(steps).toEqual(['handle'])
  })
})

describe('Writes', () => {
  test('A write runs at once on the state in memory.', async () => {
    const { steps, call } = await createEndpoint({ handle: () => ({}) })
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle'])
  })

  test('A write runs again on the newer state if the structure changed while it ran.', async () => {
    let staleAttempts = 2
    const { steps, call } = await createEndpoint({
      handle() {
        if (staleAttempts-- > 0) throw new StaleStateError()
        return {}
      },
    })
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle', 'catchUp', 'handle', 'catchUp', 'handle'])
  })

  test('A write runs with the structure lock after three stale attempts.', async () => {
    let staleAttempts = 3
    const { steps, call } = await createEndpoint({
      handle() {
        if (staleAttempts-- > 0) throw new StaleStateError()
        return {}
      },
    })
    expect((await call()).status).toBe(200)
    expect(steps.slice(-2)).toEqual(['turn', 'handle'])
    expect(steps.filter((step) => step === 'handle')).toHaveLength(4)
  })

  test('Slow work is done before the structure lock is taken, and once, however often the call runs.', async () => {
    let staleAttempts = 4
    const { steps, call } = await createEndpoint({
      async prepare() {
        steps.push('slow work')
        return { found: 7 }
      },
      handle({ prepared }) {
        if (staleAttempts-- > 0) throw new StaleStateError()
        return prepared as { found: number }
      },
    })
    expect((await call()).json.found).toBe(7)
    expect(steps.filter((step) => step === 'slow work')).toHaveLength(1)
    expect(steps.indexOf('slow work')).toBeLessThan(steps.indexOf('turn'))
    staleAttempts = 0
    expect((await call()).json.found).toBe(7)
    expect(steps.filter((step) => step === 'slow work')).toHaveLength(2)
  })

  test('A handler that changes the structure runs under one structure lock, also in an attempt that holds it.', async () => {
    let staleAttempts = 3
    const { steps, call } = await createEndpoint({
      changesStructure: true,
      handle({ write }) {
        if (staleAttempts-- > 0) throw new StaleStateError()
        return write.withStructureLock(async () => ({}))
      },
    })
    expect((await call()).status).toBe(200)
    const attempt = ['turn', 'handle', 'catchUp']
    expect(steps).toEqual([...attempt, ...attempt, ...attempt, 'turn', 'handle'])
  })

  test('A write with a stale state is refused if the newer state forbids it.', async () => {
    const { realm, steps, call } = await createEndpoint({
      callers: 'account',
      handle() {
        throw new StaleStateError()
      },
    })
    realm.catchUp = async () => changeOnOtherReplica(realm, ada, { is_active: false })()
    expect((await call()).json.msg).toBe('This account is deactivated: ask an administrator of the organization.')
    expect(steps).toEqual(['handle', 'barrier'])
  })

  test('A write that is always stale ends with SERVER_NOT_READY after 50 attempts.', async () => {
    const { steps, call } = await createEndpoint({
      handle() {
        throw new StaleStateError()
      },
    })
    const answer = await call()
    expect([answer.status, answer.json.code]).toEqual([500, 'SERVER_NOT_READY'])
    expect(steps.filter((step) => step === 'handle')).toHaveLength(50)
  })

  test('A refusal stands if the barrier brings no newer state.', async () => {
    const { steps, call } = await createEndpoint({
      handle() {
        throw errors.noSuchUser()
      },
    })
    expect((await call()).json.msg).toBe('There is no such user.')
    expect(steps).toEqual(['handle', 'barrier'])
  })

  test('A write is not refused because of memory that lags behind a permission given on another replica.', async () => {
    const { realm, steps, call } = await createEndpoint({
      handle({ caller }) {
        if (caller.user.role !== Role.administrator) throw errors.notAdministrator()
        return {}
      },
    })
    realm.barrier = async () => changeOnOtherReplica(realm, ada, { role: Role.administrator })()
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle', 'handle'])
  })

  test("A write is not refused because of the caller's role before the barrier has confirmed the role.", async () => {
    const realm = tinyRealm(1, 'acme', [ada])
    realm.barrier = async () => changeOnOtherReplica(realm, ada, { role: Role.owner })()
    const thing = endpoint({
      method: 'POST',
      path: '/thing',
      summary: 'Does a thing.',
      callers: 'owner',
      params: {},
      response: z.object({}),
      handle: () => ({}),
    })
    const { port } = await tinyServer({ thing }, { realms: [realm] })
    const authorization = credentials(realm, ada)
    const answer = await sendRequest(port, {
      method: 'POST',
      path: '/api/v1/thing',
      host: 'acme.parley.test',
      authorization,
    })
    expect(answer.status).toBe(200)
  })

  test('A write accepts an account that another replica has just created.', async () => {
    const { realm, call } = await createEndpoint({ handle: () => ({}) })
    realm.state.users.delete(ada.id)
    realm.state.apply({ table: 'users', key: { id: 1 }, before: ada, after: null })
    realm.barrier = async () => {
      realm.state.apply({ table: 'users', key: { id: 1 }, before: null, after: ada })
      realm.structureSeq += 1
    }
    expect((await call()).status).toBe(200)
  })

  test('A write that throws a final error keeps its changes and does not run again.', async () => {
    const { realm, steps, call } = await createEndpoint({
      handle({ realm }) {
        ;(realm as { structureSeq: number }).structureSeq += 1
        throw errors
          .invitationFailed(
            'Some of those addresses are already in use.',
            [['a@b.c', { text: 'An account with this email address already exists.' }, false]],
            { sent_invitations: true, license_limit_reached: false, daily_limit_reached: false },
          )
          .asFinal()
      },
    })
    const answer = await call()
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        result: 'error',
        msg: 'Some of those addresses are already in use.',
        code: 'INVITATION_FAILED',
        errors: [['a@b.c', 'An account with this email address already exists.', false]],
        sent_invitations: true,
        license_limit_reached: false,
        daily_limit_reached: false,
      },
    ])
    expect([steps, realm.structureSeq]).toEqual([['handle'], 1])
  })
})

describe('A handler that waits', () => {
  test('Its answer is sent when it comes, and the call is counted then.', async () => {
    const pending = new PendingAnswer()
    const { server, steps, call } = await createEndpoint({ method: 'GET', barrier: false, handle: () => pending })
    const answer = call()
    await expect.poll(() => steps).toEqual(['handle'])
    await sleep(20)
    expect(server.finished).toEqual([])
    pending.settle(rawObject({ a: 1 }))
    pending.settle(rawObject({ a: 2 }))
    expect((await answer).json).toEqual({ result: 'success', msg: '', a: 1 })
    expect(server.finished).toMatchObject([{ name: 'thing', status: 200, milliseconds: expect.any(Number) }])
    expect(server.finished[0]?.milliseconds).toBeGreaterThan(15)
  })

  test('An answer that came before the handler returned is sent.', async () => {
    const pending = new PendingAnswer()
    pending.settle(rawObject({ a: 1 }))
    const { call } = await createEndpoint({ method: 'GET', handle: () => pending })
    expect((await call()).json).toEqual({ result: 'success', msg: '', a: 1 })
  })

  test('The call runs again, and is refused, when its account lost its rights while it waited.', async () => {
    const pending = new PendingAnswer()
    const { realm, server, steps, call } = await createEndpoint({ method: 'GET', handle: () => pending })
    const answer = call()
    await expect.poll(() => steps).toEqual(['barrier', 'handle'])
    changeOnOtherReplica(realm, ada, { is_active: false })()
    pending.settle(new StaleStateError())
    expect(await answer).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } })
    expect(server.finished.map(({ status }) => status)).toEqual([401])
  })

  test('A call that would run again for ever fails with SERVER_NOT_READY.', async () => {
    const stale = new PendingAnswer()
    stale.settle(new StaleStateError())
    const { server, call } = await createEndpoint({ method: 'GET', barrier: false, handle: () => stale })
    expect(await call()).toMatchObject({ status: 500, json: { code: 'SERVER_NOT_READY' } })
    expect(server.finished.map(({ status }) => status)).toEqual([500])
  })

  test('Its answer is checked like every other one.', async () => {
    const pending = new PendingAnswer()
    const response = z.object({ a: z.int() })
    const { server, call } = await createEndpoint({ method: 'GET', response, handle: () => pending })
    pending.settle(rawObject({ a: 'text' }))
    expect((await call()).status).toBe(500)
    expect(server.finished.map(({ status }) => status)).toEqual([500])
  })
})

test('An unexpected error is answered with 500, and is logged with its cause.', async () => {
  const unexpected = new Error('a bug')
  const { server, call } = await createEndpoint({
    handle() {
      throw unexpected
    },
  })
  const answer = await call()
  expect([answer.status, answer.json]).toEqual([
    500,
    { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
  ])
  expect(server.finished.map(({ name, status, unexpected }) => [name, status, unexpected])).toEqual([
    ['thing', 500, unexpected],
  ])
})

test('The role is checked before the parameters, and the parameters before the handler.', async () => {
  const realm = tinyRealm(1, 'acme', [ada])
  const define = (callers: 'owner' | 'account') =>
    endpoint({
      method: 'POST',
      path: `/${callers}`,
      summary: 'Does a thing.',
      callers,
      params: { n: int() },
      response: z.object({}),
      handle() {
        throw errors.noSuchUser()
      },
    })
  const { port } = await tinyServer({ owner: define('owner'), account: define('account') }, { realms: [realm] })
  const msg = async (path: string, body: string) => {
    const authorization = credentials(realm, ada)
    const answer = await sendRequest(port, {
      method: 'POST',
      path: `/api/v1/${path}`,
      host: 'acme.parley.test',
      authorization,
      body,
    })
    return answer.json.msg
  }
  expect(await msg('owner', 'n=x')).toBe('Only owners of the organization may do this.')
  expect(await msg('account', 'n=x')).toBe('n must be valid JSON.')
  expect(await msg('account', 'n=1')).toBe('There is no such user.')
})

test('A declared permission is checked after the parameters, before the preparation, and again before the handler.', async () => {
  const settings = { can_create_groups: SystemGroup.nobody }
  const open = tinyRealm(1, 'acme', [ada])
  const closed = tinyRealm(2, 'closed', [ada], { settings })
  const ran: string[] = []
  const thing = endpoint({
    method: 'POST',
    path: '/thing',
    summary: 'Does a thing.',
    callers: 'account',
    permission: 'can_create_groups',
    params: { closes: bool() },
    response: z.object({}),
    prepare({ params, state }) {
      ran.push('prepare')
      const change = composeUpdate('realms', state.realm, { settings })
      if (params.closes && change !== undefined) open.state.apply(change)
    },
    handle() {
      ran.push('handle')
      return {}
    },
  })
  const { port } = await tinyServer({ thing }, { realms: [open, closed] })
  const msg = async (realm: TinyRealm, body: string) => {
    const host = `${realm.state.realm.string_id}.parley.test`
    const authorization = credentials(realm, ada)
    const { json } = await sendRequest(port, { method: 'POST', path: '/api/v1/thing', host, authorization, body })
    return json.msg
  }
  const refused = 'Insufficient permission: ask an administrator of the organization.'
  expect(await msg(closed, 'closes=x')).toBe('closes must be valid JSON.')
  expect(await msg(closed, 'closes=false')).toBe(refused)
  expect(ran).toEqual([])
  expect(await msg(open, 'closes=false')).toBe('')
  expect(await msg(open, 'closes=true')).toBe(refused)
  expect(ran).toEqual(['prepare', 'handle', 'prepare'])
})

describe('Answers', () => {
  const answerText = async (handle: Plain['handle'], path?: string) =>
    (await (await createEndpoint({ handle })).call(path)).text

  test('An answer is a JSON envelope in one line.', async () => {
    expect(await answerText(() => ({ id: 5 }))).toBe('{"result":"success","msg":"","id":5}\n')
    expect(await answerText(() => ({}))).toBe('{"result":"success","msg":""}\n')
  })

  test('A handler can return JSON that is already serialized.', async () => {
    expect(await answerText(() => rawObject({ id: 5 }))).toBe('{"result":"success","msg":"","id":5}\n')
    expect(await answerText(() => rawObject({}))).toBe('{"result":"success","msg":""}\n')
  })

  test('An answer in fragments is forgotten as soon as it was sent.', async () => {
    const answer = rawMembersOfFragments([['"id":', '5']])
    expect(await answerText(() => answer)).toBe('{"result":"success","msg":"","id":5}\n')
    expect(answer.piecesInside).toBeUndefined()
  })

  test('An answer lists the unread parameters in order.', async () => {
    expect(await answerText(() => ({ id: 5 }), '/api/v1/thing?b=1&a=2&client=x&b=3')).toBe(
      '{"result":"success","msg":"","ignored_parameters_unsupported":["a","b"],"id":5}\n',
    )
  })
})

describe('Rate limits of a call', () => {
  const allowance = { limit: 200, remaining: 199, reset: 1_700_000_000 }

  test('An answer has the rate limit headers, whether the call succeeds or fails.', async () => {
    let isRefused = false
    const handle = () => {
      if (isRefused) throw errors.noSuchUser()
      return {}
    }
    const { call } = await createEndpoint({ handle }, () => allowance)
    for (isRefused of [false, true]) {
      const { headers } = await call()
      expect(headers['x-ratelimit-limit']).toBe('200')
      expect(headers['x-ratelimit-remaining']).toBe('199')
      expect(headers['x-ratelimit-reset']).toBe('1700000000')
    }
  })

  test('A call over the limit is refused before its handler runs.', async () => {
    const { steps, call } = await createEndpoint({ handle: () => ({}) }, () => ({
      ...allowance,
      remaining: 0,
      retry_after: 1.5,
    }))
    const answer = await call()
    expect([answer.status, answer.json]).toEqual([
      429,
      {
        result: 'error',
        msg: 'Too many calls: wait for the number of seconds in retry-after, then try again.',
        'retry-after': 1.5,
        code: 'RATE_LIMIT_HIT',
      },
    ])
    expect(answer.headers['retry-after']).toBe('1.5')
    expect(answer.headers['x-ratelimit-remaining']).toBe('0')
    expect(steps).toEqual([])
  })

  test('A call is counted once even if it runs several times, by account and class.', async () => {
    const counted: unknown[] = []
    let staleAttempts = 2
    const { call } = await createEndpoint(
      {
        rateLimit: 'things',
        handle() {
          if (staleAttempts-- > 0) throw new StaleStateError()
          return {}
        },
      },
      ({ rateClass, user_id, request }) => {
        counted.push([rateClass, user_id, request.ip])
        return undefined
      },
    )
    await call()
    expect(counted).toEqual([['things', 1, '127.0.0.1']])
  })

  test('An endpoint can be exempt from rate limits.', async () => {
    const counted: unknown[] = []
    const { call } = await createEndpoint({ rateLimit: null, handle: () => ({}) }, (call) => void counted.push(call))
    await call()
    expect(counted).toEqual([])
  })
})

test('For every method, a parameter is read from the body before the query, and the last value counts.', async () => {
  const realm = tinyRealm(1, 'acme', [ada])
  const echo = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE') =>
    endpoint({
      method,
      path: '/echo',
      summary: 'Says it again.',
      callers: 'account',
      params: { a: str().optional(), b: int().optional(), c: bool().default(false) },
      response: z.object({ a: z.string().optional(), b: z.int().optional(), c: z.boolean() }),
      handle: ({ params }) => params,
    })
  const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
  const { port } = await tinyServer(Object.fromEntries(methods.map((each) => [each, echo(each)])), { realms: [realm] })
  const authorization = credentials(realm, ada)
  for (const method of methods) {
    const answer = await sendRequest(port, {
      method,
      path: '/api/v1/echo?a=query&b=1&b=2',
      host: 'acme.parley.test',
      authorization,
      body: 'a=first&a=body&c=true',
    })
    expect(answer.json, method).toEqual({ result: 'success', msg: '', a: 'body', b: 2, c: true })
  }
})

test('An answer with an undeclared field fails in tests, and is sent in production.', async () => {
  for (const NODE_ENV of ['test', 'production']) {
    const realm = tinyRealm(1, 'acme', [ada])
    const thing = endpoint({
      method: 'POST',
      path: '/thing',
      summary: 'Does a thing.',
      callers: 'account',
      params: {},
      response: z.object({ inner: z.object({ a: z.int() }) }),
      handle: () => ({ inner: { a: 1, b: 2 } }),
    })
    const { port, finished } = await tinyServer({ thing }, { realms: [realm], env: { NODE_ENV } })
    const authorization = credentials(realm, ada)
    const answer = await sendRequest(port, {
      method: 'POST',
      path: '/api/v1/thing',
      host: 'acme.parley.test',
      authorization,
    })
    expect(answer.status).toBe(NODE_ENV === 'test' ? 500 : 200)
    if (NODE_ENV === 'test') expect(String(finished[0]?.unexpected)).toContain('not declared: inner.b')
  }
})
