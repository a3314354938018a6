/**
 * Calls without the database: what the gateway's HTTP layer answers, and uWebSockets alone answering the same bytes.
 *
 * Both listen in this process, on ports of their own, and only one is asked at a time. The layer's realm is a state in
 * memory whose barrier passes at once.
 */
import uws, { type HttpResponse } from 'uWebSockets.js'
import { z } from 'zod'
import { endpoint } from '../../src/gateway/http/endpoint.js'
import { str } from '../../src/gateway/http/params.js'
import { openRateLimit } from '../../src/gateway/http/rate-limit.js'
import { openRateLimiter } from '../../src/store/limits/rate-limiter.js'
import { credentials, namedUserRow, tinyRealm, tinyServer } from '../../test/setup/tiny-server.js'
import { serve } from '../part.js'

const ada = namedUserRow(8, 'ada')
const realm = tinyRealm(1, 'calls', [ada])

const registry = {
  read: endpoint({
    method: 'GET',
    path: '/users/me',
    summary: 'Answers at once, out of memory.',
    access: 'account',
    params: {},
    response: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
    handle: ({ caller }) => ({ user_id: caller.id, email: caller.user.email, full_name: caller.user.full_name }),
  }),
  write: endpoint({
    method: 'POST',
    path: '/messages',
    summary: 'Reads the parameters of a message, and answers at once.',
    access: 'account',
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
const answer = (res: HttpResponse, body: string) =>
  res
    .writeHeader('Content-Type', 'application/json')
    .writeHeader('Cache-Control', 'max-age=0, no-cache, no-store, must-revalidate, private')
    .end(body)

raw.get('/api/v1/users/me', (res) => void answer(res, bodies.read))
raw.post('/api/v1/messages', (res) => {
  let body = ''
  res.onAborted(() => {})
  res.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString()
    if (isLast) answer(res, body === '' ? '' : bodies.write)
  })
})

const jobs = {
  async listen({ redis_url }: { redis_url: string }) {
    const options = { realms: [realm], env: { NODE_ENV: 'production' } }
    const layer = await tinyServer(registry, options)
    // No bench gets as far as this limit; how calls are counted does not depend on it.
    const allowances = openRateLimiter(redis_url, 'api_by_user=100000000/60', console.error)
    const counting = await tinyServer(registry, { ...options, rateLimit: openRateLimit(allowances) })
    // What became of the calls is not kept: a bench makes millions.
    layer.finished.push = () => 0
    counting.finished.push = () => 0
    const baseline = await new Promise<number>((resolve, reject) =>
      raw.listen('127.0.0.1', 0, (listening) => {
        if (listening) resolve(uws.us_socket_local_port(listening))
        else reject(new Error('uWebSockets does not listen'))
      }),
    )
    const who = { host: 'calls.parley.test', credentials: credentials(realm, ada) }
    return { layer: layer.port, counting: counting.port, baseline, who }
  },
}

export type RawCallsJobs = typeof jobs
serve(jobs)
