/** The backup of operations.md, carried out: another Postgres, restored from it, serves the same organization. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { runCli } from '../setup/processes/cli.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { findPostgresPrograms } from '../setup/processes/postgres-programs.js'
import { startGateway, startPostgres, startRedis } from '../setup/processes/processes.js'
import { basicAuthorization, readEvents } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { multipart } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openGuideRun } from './run-guide.js'

test('A gateway on a restored backup has the messages and files, and clients register again.', {
  timeout: 180_000,
}, async ({ skip }) => {
  const programs = findPostgresPrograms()
  if ('missing' in programs) return skip(programs.missing)
  using run = openGuideRun()
  const UPLOADS_DIR = join(run.folder, 'uploads')
  mkdirSync(UPLOADS_DIR)
  await using fleet = await startOwnFleet({ UPLOADS_DIR })
  const [ada] = (await fleet.realm.people({ full_name: 'Ada', role: 100 })) as [Person]
  const before = { url: fleet.gateway.url }
  const uploaded = await sendRequest(portOf(fleet.gateway.url), {
    method: 'POST',
    path: '/api/v1/user_uploads',
    host: ada.host,
    authorization: basicAuthorization(ada),
    ...multipart([{ filename: 'plan.txt', type: 'text/plain', data: 'Seats: 12' }]),
  })
  const { url } = JSON.parse(uploaded.text) as { url: string }
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }, before)
  const sent = { type: 'channel', to: 'design', topic: 'logo', content: `[plan](${url})` }
  const { id } = await ok(ada, 'POST', '/messages', sent, before)
  const queue = await ok<{ queue_id: string; last_event_id: number }>(ada, 'POST', '/register', {}, before)

  const own = { DATABASE_URL: fleet.database_url, REDIS_URL: fleet.redis.url, UPLOADS_DIR }
  const bare = { ...inject('process_env'), ...own, PATH: '/nowhere' }
  const lacking = await runCli(['backup', join(run.folder, 'none')], bare)
  expect(lacking.stderr).toContain('There is no pg_dump: install the programs of Postgres')

  const postgres = await startPostgres()
  // The original still runs, so the restored one needs another Redis.
  const redis = await startRedis()
  const restored = { DATABASE_URL: postgres.url, UPLOADS_DIR: join(run.folder, 'restored') }
  await run.run('operations.md', {
    ...inject('process_env'),
    PATH: `${programs.bin}:${process.env.PATH}`,
    DATABASE_URL: fleet.database_url,
    UPLOADS_DIR,
    NEW_DATABASE_URL: restored.DATABASE_URL,
    NEW_UPLOADS_DIR: restored.UPLOADS_DIR,
    REDIS_URL: redis.url,
  })
  // The database is in use now, and the secret of the backup is needed.
  const again = {
    ...bare,
    DATABASE_URL: restored.DATABASE_URL,
    UPLOADS_DIR: restored.UPLOADS_DIR,
    REDIS_URL: redis.url,
  }
  const made = join(run.folder, 'parley-backup')
  expect((await runCli(['restore', made], again)).stderr).toContain('the database has tables already')
  const other = { ...again, SECRET_KEY: randomBytes(32).toString('hex') }
  expect((await runCli(['restore', made], other)).stderr).toContain('SECRET_KEY is not that of the backup')
  expect((await runCli(['restore', UPLOADS_DIR], again)).stderr).toContain('has no whole backup')
  // A later backup into the same folder copies no file again.
  const env = { ...bare, PATH: `${programs.bin}:${process.env.PATH}` }
  const { stdout, stderr } = await runCli(['backup', made], env)
  expect(JSON.parse(stdout)).toEqual({ folder: made, copied: 0, bytes: 0, present: 1 })
  expect(stderr).toContain('Keep SECRET_KEY')
  // The restored organization has later events than the clients of the backup know.
  await ok(ada, 'POST', '/messages', { ...sent, content: 'After the backup' }, before)

  await using gateway = await startGateway({ ...restored, REDIS_URL: redis.url })
  const after = { url: gateway.url }
  const page = { anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false }
  const { messages } = await ok(ada, 'GET', '/messages', page, after)
  expect(messages.at(-1)).toMatchObject({ id, content: sent.content })
  const file = await sendRequest(portOf(gateway.url), {
    path: url,
    host: ada.host,
    authorization: basicAuthorization(ada),
  })
  expect([file.status, file.text]).toEqual([200, 'Seats: 12'])

  const { queue_id, last_event_id } = queue
  const lost = await call(ada, 'GET', '/events', { queue_id, last_event_id, dont_block: true }, after)
  expect(lost.body).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID' })
  const anew = await ok<{ queue_id: string; last_event_id: number }>(
    ada,
    'POST',
    '/register',
    { event_types: ['message'] },
    after,
  )
  await ok(ada, 'POST', '/messages', { ...sent, content: 'After the restore' }, after)
  const events = await readEvents('poll', gateway.url, ada, anew)
  expect(events.map(({ message }) => message)).toMatchObject([{ content: 'After the restore' }])
  await gateway.stop()
  await postgres.kill()
  await redis.kill()
})
