/**
 * Three servers without a database: the gateway's HTTP layer, the same layer with rate limits, and the baseline, in
 * which uWebSockets alone responds with the same bytes.
 *
 * All of them listen in this process, on a port each, and only one of them gets calls at a time. The realm of the HTTP
 * layer is a state in memory whose barrier resolves at once.
 */
import uws, { type HttpResponse } from 'uWebSockets.js'
import { z } from 'zod'
import { endpoint } from '../../src/gateway/call/endpoint.js'
import { str } from '../../src/gateway/call/params.js'
import { openRateLimit } from '../../src/gateway/fairness/rate-limit.js'
import { openRateLimiter } from '../../src/store/limits/rate-limiter.js'
import { fixScope } from '../../src/store/redis-scope.js'
import { credentials, namedUserRow, tinyRealm, tinyServer } from '../../test/setup/processes/tiny-server.js'
import { serveProcedures } from '../harness/child-process.js'
import { listen } from './listen.js'

const ada = namedUserRow(8, 'ada')
const realm = tinyRealm(1, 'calls', [ada])

const registry = {
  read: endpoint({
    method: 'GET',
    path: '/users/me',
    summary: 'Returns fields of the caller from memory.',
    callers: 'account',
    params: {},
    response: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
    handle: ({ caller }) => ({ user_id: caller.id, email: caller.user.email, full_name: caller.user.full_name }),
  }),
  write: endpoint({
    method: 'POST',
    path: '/messages',
    summary: 'Parses the parameters of a message and returns a constant.',
    callers: 'account',
    isFrequent: true,
    params: {
      type: str(),
      to: str(),
      topic: str().optional().alias('subject'),
      content: str(),
      queue_id: str().optional(),
      local_id: str().optional(),
    },
    response: z.object({ id: z.int() }),
    handle: () => ({ id: 12_345 }),
  }),
}

const raw = uws.App()
const bodies = {
  read: '{"result":"success","msg":"","user_id":8,"email":"ada@parley.test","full_name":"ada"}\n',
  write: '{"result":"success","msg":"","id":12345}\n',
}
const respond = (res: HttpResponse, body: string) =>
  res
    .writeHeader('Content-Type', 'application/json')
    .writeHeader('Cache-Control', 'max-age=0, no-cache, no-store, must-revalidate, private')
    .end(body)

raw.get('/api/v1/users/me', (res) => void respond(res, bodies.read))
raw.post('/api/v1/messages', (res) => {
  let body = ''
  res.onAborted(() => {})
  res.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString()
    if (isLast) respond(res, body === '' ? '' : bodies.write)
  })
})

const procedures = {
  async listen({ redis_url }: { redis_url: string }) {
    const options = { realms: [realm], env: { NODE_ENV: 'production' } }
    const unlimited = await tinyServer(registry, options)
    // The benchmark never reaches this limit. The cost of counting a call does not depend on the limit.
    const limiter = openRateLimiter(redis_url, fixScope('parley:bench'), 'api_by_user=100000000/60', console.error)
    const limited = await tinyServer(registry, { ...options, rateLimit: openRateLimit(limiter) })
    // Finished calls are not kept in memory: the benchmark makes millions.
    unlimited.finished.push = () => 0
    limited.finished.push = () => 0
    const baseline = await listen(raw)
    const identity = { host: 'calls.parley.test', credentials: credentials(realm, ada) }
    return { unlimited: unlimited.port, limited: limited.port, baseline, identity }
  },
}

export type CallServerProcedures = typeof procedures
serveProcedures(procedures)
