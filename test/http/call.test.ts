/** The road of a call: what is believed of memory that may lag behind other replicas. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { updated } from '../../src/domain/log/row-changes.js'
import { Role, type UserRow } from '../../src/domain/log/rows.js'
import { errors } from '../../src/domain/protocol/errors.js'
import { rawObject } from '../../src/domain/protocol/raw-json.js'
import { type Definition, endpoint } from '../../src/gateway/http/endpoint.js'
import { bool, int, str } from '../../src/gateway/http/params.js'
import type { RateLimit } from '../../src/gateway/http/rate-limit.js'
import { StaleStateError } from '../../src/store/log/log.js'
import { ask } from '../setup/ask.js'
import { credentials, type TinyRealm, tinyRealm, tinyServer, userRow } from '../setup/tiny-server.js'

const ada = userRow(1, 'ada')

/** What another replica did, and this one has not heard of yet. */
const elsewhere = (realm: TinyRealm, user: UserRow, patch: Partial<UserRow>) => () => {
  const change = updated('users', user, patch)
  if (change === undefined) return
  realm.state.apply(change)
  realm.structureSeq += 1
}

type Plain = Definition<Record<never, never>, 'account', typeof anything>
const anything = z.looseObject({})

/** A realm with one endpoint, and what was called in what order. */
const scene = async (definition: Partial<Plain> & Pick<Plain, 'handle'>, rateLimit?: RateLimit) => {
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
    who: 'account',
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
    ask(server.port, { method: thing.method, path, host: 'acme.parley.test', authorization: credentials(realm, ada) })
  return { realm, steps, server, call }
}

describe('a read', () => {
  test('waits for the barrier before anything else', async () => {
    const { realm, steps, call } = await scene({ method: 'GET', handle: () => ({}) })
    realm.barrier = async () => {
      steps.push('barrier')
      elsewhere(realm, ada, { full_name: 'Ada L.' })()
    }
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['barrier', 'handle'])
  })

  test('is refused by what is true after the barrier', async () => {
    const { realm, steps, call } = await scene({ method: 'GET', handle: () => ({}) })
    realm.barrier = async () => elsewhere(realm, ada, { is_active: false })()
    expect((await call()).json.msg).toBe('This account is deactivated: ask an administrator of the organization.')
    expect(steps).toEqual([])
  })

  test('may do without', async () => {
    const { steps, call } = await scene({ method: 'GET', barrier: false, handle: () => ({}) })
    await call()
    expect(steps).toEqual(['handle'])
  })
})

describe('a write', () => {
  test('runs at once on memory', async () => {
    const { steps, call } = await scene({ handle: () => ({}) })
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle'])
  })

  test('runs again on the newer state when the structure moved under it', async () => {
    let lost = 2
    const { steps, call } = await scene({
      handle() {
        if (lost-- > 0) throw new StaleStateError()
        return {}
      },
    })
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle', 'catchUp', 'handle', 'catchUp', 'handle'])
  })

  test('that lost three times takes a turn, in which nothing can move', async () => {
    let lost = 3
    const { steps, call } = await scene({
      handle() {
        if (lost-- > 0) throw new StaleStateError()
        return {}
      },
    })
    expect((await call()).status).toBe(200)
    expect(steps.slice(-2)).toEqual(['turn', 'handle'])
    expect(steps.filter((step) => step === 'handle')).toHaveLength(4)
  })

  test('that loses its guard is refused when the newer state forbids it', async () => {
    const { realm, steps, call } = await scene({
      who: 'account',
      handle() {
        throw new StaleStateError()
      },
    })
    realm.catchUp = async () => elsewhere(realm, ada, { is_active: false })()
    expect((await call()).json.msg).toBe('This account is deactivated: ask an administrator of the organization.')
    expect(steps).toEqual(['handle', 'barrier'])
  })

  test('that never gets through ends with an error that says so', async () => {
    const { steps, call } = await scene({
      handle() {
        throw new StaleStateError()
      },
    })
    const told = await call()
    expect([told.status, told.json.code]).toEqual([500, 'SERVER_NOT_READY'])
    expect(steps.filter((step) => step === 'handle')).toHaveLength(50)
  })

  test('is refused for good when nothing moved', async () => {
    const { steps, call } = await scene({
      handle() {
        throw errors.noSuchUser()
      },
    })
    expect((await call()).json.msg).toBe('There is no such user.')
    expect(steps).toEqual(['handle', 'barrier'])
  })

  test('is not refused by memory that lags behind what another replica allowed', async () => {
    const { realm, steps, call } = await scene({
      handle({ caller }) {
        if (caller.user.role !== Role.administrator) throw errors.notAdministrator()
        return {}
      },
    })
    realm.barrier = async () => elsewhere(realm, ada, { role: Role.administrator })()
    expect((await call()).status).toBe(200)
    expect(steps).toEqual(['handle', 'handle'])
  })

  test('is not refused by its role before the barrier has confirmed it', async () => {
    const realm = tinyRealm(1, 'acme', [ada])
    realm.barrier = async () => elsewhere(realm, ada, { role: Role.owner })()
    const thing = endpoint({
      method: 'POST',
      path: '/thing',
      summary: 'Does a thing.',
      who: 'owner',
      params: {},
      response: z.object({}),
      handle: () => ({}),
    })
    const { port } = await tinyServer({ thing }, { realms: [realm] })
    const authorization = credentials(realm, ada)
    const told = await ask(port, { method: 'POST', path: '/api/v1/thing', host: 'acme.parley.test', authorization })
    expect(told.status).toBe(200)
  })

  test('knows an account that another replica has just made', async () => {
    const { realm, call } = await scene({ handle: () => ({}) })
    realm.state.users.delete(ada.id)
    realm.state.apply({ table: 'users', key: { id: 1 }, before: ada, after: null })
    realm.barrier = async () => {
      realm.state.apply({ table: 'users', key: { id: 1 }, before: null, after: ada })
      realm.structureSeq += 1
    }
    expect((await call()).status).toBe(200)
  })

  test('that returns an error has been made, and does not run again', async () => {
    const { realm, steps, call } = await scene({
      handle({ realm }) {
        ;(realm as { structureSeq: number }).structureSeq += 1
        return errors.invitationFailed({
          msg: 'Some of those addresses are already in use.',
          errors: [['a@b.c', 'There is an account with this address already.', false]],
          sent_invitations: true,
          license_limit_reached: false,
          daily_limit_reached: false,
        })
      },
    })
    const told = await call()
    expect([told.status, told.json]).toEqual([
      400,
      {
        result: 'error',
        msg: 'Some of those addresses are already in use.',
        code: 'INVITATION_FAILED',
        errors: [['a@b.c', 'There is an account with this address already.', false]],
        sent_invitations: true,
        license_limit_reached: false,
        daily_limit_reached: false,
      },
    ])
    expect([steps, realm.structureSeq]).toEqual([['handle'], 1])
  })
})

test('a surprise is a 500 without a code, and is told to the log with its cause', async () => {
  const surprise = new Error('a bug')
  const { server, call } = await scene({
    handle() {
      throw surprise
    },
  })
  const told = await call()
  expect([told.status, told.json]).toEqual([500, { result: 'error', msg: 'Internal server error' }])
  expect(server.finished.map(({ name, status, surprise }) => [name, status, surprise])).toEqual([
    ['thing', 500, surprise],
  ])
})

test('roles are looked at before parameters, and parameters before the thing itself', async () => {
  const realm = tinyRealm(1, 'acme', [ada])
  const define = (who: 'owner' | 'account') =>
    endpoint({
      method: 'POST',
      path: `/${who}`,
      summary: 'Does a thing.',
      who,
      params: { n: int() },
      response: z.object({}),
      handle() {
        throw errors.noSuchUser()
      },
    })
  const { port } = await tinyServer({ owner: define('owner'), account: define('account') }, { realms: [realm] })
  const msg = async (path: string, body: string) => {
    const authorization = credentials(realm, ada)
    const told = await ask(port, {
      method: 'POST',
      path: `/api/v1/${path}`,
      host: 'acme.parley.test',
      authorization,
      body,
    })
    return told.json.msg
  }
  expect(await msg('owner', 'n=x')).toBe('Only owners of the organization may do this.')
  expect(await msg('account', 'n=x')).toBe('n must be valid JSON.')
  expect(await msg('account', 'n=1')).toBe('There is no such user.')
})

describe('the answer', () => {
  const answered = async (handle: Plain['handle'], path?: string) => (await (await scene({ handle })).call(path)).text

  test('is an envelope in one line', async () => {
    expect(await answered(() => ({ id: 5 }))).toBe('{"result":"success","msg":"","id":5}\n')
    expect(await answered(() => ({}))).toBe('{"result":"success","msg":""}\n')
  })

  test('may be JSON that was built before', async () => {
    expect(await answered(() => rawObject({ id: 5 }))).toBe('{"result":"success","msg":"","id":5}\n')
    expect(await answered(() => rawObject({}))).toBe('{"result":"success","msg":""}\n')
  })

  test('names the parameters that were not read, in order', async () => {
    expect(await answered(() => ({ id: 5 }), '/api/v1/thing?b=1&a=2&client=x&b=3')).toBe(
      '{"result":"success","msg":"","ignored_parameters_unsupported":["a","b"],"id":5}\n',
    )
  })
})

describe('a call that is counted', () => {
  const allowance = { limit: 200, remaining: 199, reset: 1_700_000_000 }

  test('tells what is left, whether it succeeds or not', async () => {
    let isRefused = false
    const handle = () => {
      if (isRefused) throw errors.noSuchUser()
      return {}
    }
    const { call } = await scene({ handle }, () => allowance)
    for (isRefused of [false, true]) {
      const { headers } = await call()
      expect(headers['x-ratelimit-limit']).toBe('200')
      expect(headers['x-ratelimit-remaining']).toBe('199')
      expect(headers['x-ratelimit-reset']).toBe('1700000000')
    }
  })

  test('over the limit is refused before it is handled', async () => {
    const { steps, call } = await scene({ handle: () => ({}) }, () => ({
      ...allowance,
      remaining: 0,
      retry_after: 1.5,
    }))
    const told = await call()
    expect([told.status, told.json]).toEqual([
      429,
      {
        result: 'error',
        msg: 'Too many calls: wait as many seconds as retry-after says.',
        'retry-after': 1.5,
        code: 'RATE_LIMIT_HIT',
      },
    ])
    expect(told.headers['retry-after']).toBe('1.5')
    expect(told.headers['x-ratelimit-remaining']).toBe('0')
    expect(steps).toEqual([])
  })

  test('is counted once, however often it runs, by account and by class', async () => {
    const counted: unknown[] = []
    let lost = 2
    const { call } = await scene(
      {
        rateLimit: 'things',
        handle() {
          if (lost-- > 0) throw new StaleStateError()
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

  test('may be exempt', async () => {
    const counted: unknown[] = []
    const { call } = await scene({ rateLimit: null, handle: () => ({}) }, (call) => void counted.push(call))
    await call()
    expect(counted).toEqual([])
  })
})

test('parameters come from the body first, then the query, of any method', async () => {
  const realm = tinyRealm(1, 'acme', [ada])
  const echo = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE') =>
    endpoint({
      method,
      path: '/echo',
      summary: 'Says it again.',
      who: 'account',
      params: { a: str().optional(), b: int().optional(), c: bool().default(false) },
      response: z.object({ a: z.string().optional(), b: z.int().optional(), c: z.boolean() }),
      handle: ({ params }) => params,
    })
  const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
  const { port } = await tinyServer(Object.fromEntries(methods.map((each) => [each, echo(each)])), { realms: [realm] })
  const authorization = credentials(realm, ada)
  for (const method of methods) {
    const told = await ask(port, {
      method,
      path: '/api/v1/echo?a=query&b=1&b=2',
      host: 'acme.parley.test',
      authorization,
      body: 'a=first&a=body&c=true',
    })
    expect(told.json, method).toEqual({ result: 'success', msg: '', a: 'body', b: 2, c: true })
  }
})

test('an answer that the endpoint does not declare is a surprise to a test, and to nobody else', async () => {
  for (const NODE_ENV of ['test', 'production']) {
    const realm = tinyRealm(1, 'acme', [ada])
    const thing = endpoint({
      method: 'POST',
      path: '/thing',
      summary: 'Does a thing.',
      who: 'account',
      params: {},
      response: z.object({ inner: z.object({ a: z.int() }) }),
      handle: () => ({ inner: { a: 1, b: 2 } }),
    })
    const { port, finished } = await tinyServer({ thing }, { realms: [realm], env: { NODE_ENV } })
    const authorization = credentials(realm, ada)
    const told = await ask(port, { method: 'POST', path: '/api/v1/thing', host: 'acme.parley.test', authorization })
    expect(told.status).toBe(NODE_ENV === 'test' ? 500 : 200)
    if (NODE_ENV === 'test') expect(String(finished[0]?.surprise)).toContain('not declared: inner.b')
  }
})
