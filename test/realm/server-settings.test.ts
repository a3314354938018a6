/** Server settings for clients without credentials, and the endpoints of a gateway for operators. */
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { findDatabaseProblem, migrate } from '../../src/store/migrations.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { startGateway, startRedis } from '../setup/processes/processes.js'
import { anyGateway, call, gateways, newRealm, ok } from '../setup/realm/realm.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

const settingsAt = (host: string) => ok(undefined, 'GET', '/server_settings', {}, { host })

const portOf = (url: string) => Number(new URL(url).port)

describe('Server settings', () => {
  test('The settings describe the organization of the host to a caller without credentials.', async () => {
    await using realm = await newRealm()
    const settings = await settingsAt(realm.host)
    expect(settings).toMatchObject({
      api_feature_level: 398,
      zulip_feature_level: 398,
      realm_name: realm.realm.state.realm.name,
      realm_description: '',
      external_authentication_methods: [{ name: 'browser', login_url: '/accounts/login/app' }],
      authentication_methods: { password: true, dev: false, email: true, ldap: false },
      is_incompatible: false,
    })
    expect(settings.realm_url).toBe(settings.realm_uri)
    expect(settings.realm_url).toContain(realm.host)
  })

  test('The settings do not depend on credentials, and a socket call returns the same.', async () => {
    await using realm = await newRealm()
    const [ada] = await realm.people({ full_name: 'Ada' })
    if (ada === undefined) return
    await using socket = await openSocket(ada)
    const { body: settings } = await socket.call('GET', '/server_settings')
    expect(await ok(ada, 'GET', '/server_settings')).toEqual(settings)
    const wrong = { ...ada, api_key: 'nonsense' }
    expect(await ok(wrong, 'GET', '/server_settings')).toEqual(settings)
  })

  test('The settings contain the description as HTML.', async () => {
    await using realm = await newRealm()
    const { state } = realm.realm
    await commitRowChanges(realm, [composeUpdate('realms', state.realm, { description: 'We <3 **chat** & tea' })])
    const { realm_description } = await settingsAt(realm.host)
    expect(realm_description).toBe('<p>We &lt;3 <strong>chat</strong> &amp; tea</p>')
  })

  test('The version and the feature level are those of one release, in a form that existing clients can parse.', async () => {
    await using realm = await newRealm()
    const { zulip_version, zulip_merge_base, zulip_feature_level } = await settingsAt(realm.host)
    // The form that the former mobile app reads; it compares the two numbers.
    const [, major, minor, suffix] = /^(\d+)\.(\d+)(-dev|-rc\d+)?(?:-\d+-g[0-9a-f]+)?$/.exec(zulip_version) ?? []
    // Level 371 is that of the release 10.0, and 421 that of 11.0.
    expect(zulip_feature_level > 371 && zulip_feature_level < 421).toBe(true)
    expect([major, minor, suffix, zulip_merge_base]).toEqual(['11', '0', '-dev', zulip_version])
  })

  test('The server refuses a host without an organization.', async () => {
    const answer = await call(undefined, 'GET', '/server_settings', {}, { host: 'nobody.parley.test' })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining('There is no organization at this address.') },
    })
  })

  test('A root host without an organization returns only the settings of the server.', async () => {
    const settings = await settingsAt('parley.test')
    expect(settings.zulip_version).toBe('11.0-dev')
    expect(Object.keys(settings).filter((key) => key.startsWith('realm_'))).toEqual([])
    expect(settings).not.toHaveProperty('external_authentication_methods')
  })

  test('The settings tell the client ZulipInvalid that it is incompatible.', async () => {
    await using realm = await newRealm()
    const headers = { 'User-Agent': 'ZulipInvalid/1.0' }
    const { json } = await sendRequest(portOf(anyGateway()), {
      path: '/api/v1/server_settings',
      host: realm.host,
      headers,
    })
    expect(json.is_incompatible).toBe(true)
  })

  test('The settings name ignored parameters, and HEAD requests are answered.', async () => {
    await using realm = await newRealm()
    const port = portOf(anyGateway())
    const answer = await sendRequest(port, { path: '/api/v1/server_settings?a=1', host: realm.host })
    expect(answer.json.ignored_parameters_unsupported).toEqual(['a'])
    expect(
      (await sendRequest(port, { method: 'HEAD', path: '/api/v1/server_settings', host: realm.host })).status,
    ).toBe(200)
  })
})

describe('Endpoints for operators', () => {
  test('A running gateway is alive and ready.', async () => {
    for (const url of gateways()) {
      expect((await sendRequest(portOf(url), { path: '/health/live' })).text).toBe('alive\n')
      expect((await sendRequest(portOf(url), { path: '/health/ready' })).text).toBe('ready\n')
    }
  })

  test('A gateway is not ready on a database without migrations, and tells operators what to run.', async () => {
    const { DATABASE_URL = '' } = inject('process_env')
    const admin = openSql(DATABASE_URL, 1)
    const name = `unmigrated_${process.pid}`
    await admin`create database ${admin(name)}`
    const url = new URL(DATABASE_URL)
    url.pathname = `/${name}`
    const own = openSql(url.href, 1)
    try {
      // Once migrated, the database is another deployment, which may not use the Redis of the fleet.
      const redis = await startRedis()
      onTestFinished(() => redis.kill())
      await using gateway = await startGateway({ DATABASE_URL: url.href, REDIS_URL: redis.url })
      const ready = async () => {
        const pages = [gateway.url, gateway.operations_url].map((at) =>
          sendRequest(portOf(at), { path: '/health/ready' }),
        )
        const [open, operators] = await Promise.all(pages)
        return [open?.status, open?.text, operators?.status, operators?.json.postgres]
      }
      const answering = { answers: true, milliseconds: expect.any(Number) }
      const problem = expect.stringMatching(/^The database lacks \d+ migrations, from 0001_\w+\.sql on: run migrate\.$/)
      expect(await ready()).toEqual([503, 'not ready\n', 503, { ...answering, problem }])
      await migrate(own)
      await expect.poll(ready).toEqual([200, 'ready\n', 200, answering])
    } finally {
      await own.end()
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
    }
  })

  test('An older version of Postgres is refused by its name, before anything is migrated.', async () => {
    // No older Postgres is on the machines that run the tests: this answers like one.
    const old = (async () => [{ number: 150_014, name: '15.14' }]) as unknown as Sql
    await expect(migrate(old)).rejects.toThrow('This is Postgres 15.14, and Parley needs version 16 or newer.')
    expect(await findDatabaseProblem(old)).toContain('needs version 16')
  })

  test('A gateway is alive but not ready while Postgres does not answer, and tells only operators why.', async () => {
    await using gateway = await startGateway({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect((await sendRequest(portOf(gateway.url), { path: '/health/live' })).status).toBe(200)
    const { status, text } = await sendRequest(portOf(gateway.url), { path: '/health/ready' })
    expect([status, text]).toEqual([503, 'not ready\n'])
    const report = await sendRequest(portOf(gateway.operations_url), { path: '/health/ready' })
    expect([report.status, report.json]).toEqual([
      503,
      {
        isReady: false,
        isDraining: false,
        postgres: { answers: false, milliseconds: expect.any(Number), problem: expect.stringContaining('127.0.0.1:1') },
        redis: { answers: true },
        warnings: [],
      },
    ])
  })

  test('A gateway serves its API reference as OpenAPI and as a page.', async () => {
    const port = portOf(anyGateway())
    const { json } = await sendRequest(port, { path: '/api/v1/openapi.json' })
    expect(json.openapi).toBe('3.1.0')
    const page = await sendRequest(port, { path: '/api/docs' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/<script type="module"[^>]* src="\/api\/docs\/assets\/[^"]+\.js"/)
  })
})
