/** Log-in with the passwords of a directory: who gets in, and what an attacker and a broken directory cannot do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { escapeFilterValue, parseDirectories } from '../../src/domain/log-in/directories.js'
import {
  BASE,
  dnOf,
  fileHas,
  findSlapd,
  PEOPLE,
  READER,
  READER_PASSWORD,
  type RunningSlapd,
  startSlapd,
} from '../setup/log-in/slapd.js'
import { makeCertificates } from '../setup/processes/certificates.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'
import { password as ownPassword, setPassword } from '../setup/web/browser-session.js'

const slapd = findSlapd()

interface Stage extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  gateway: TestProcess
  /** asks for an API key, as existing apps do */
  fetchKey(username: string, password: string): Promise<RawResponse>
  /** logs a browser in */
  logIn(username: string, password: string): Promise<RawResponse>
  acts(): Promise<Record<string, unknown>[]>
}

const describeDirectory = slapd === undefined ? describe.skip : describe
const name =
  slapd === undefined ? 'Directories (skipped: there is no slapd and no apt-get to unpack it)' : 'Directories'

describeDirectory(name, () => {
  let directory: RunningSlapd
  beforeAll(async () => {
    if (slapd === undefined) return
    directory = await startSlapd(slapd)
    await directory.addPeople([
      { uid: 'ada', name: 'Ada Lovelace' },
      { uid: 'grace', name: 'Grace Hopper' },
      { uid: 'jürgen', name: 'Jürgen', mail: 'juergen@example.org' },
      { uid: 'nomail', mail: null },
      { uid: 'twin1', mail: 'twin@example.org' },
      { uid: 'twin2', mail: 'twin@example.org', password: 'twin1' },
    ])
  })
  afterAll(() => directory?.[Symbol.asyncDispose]())

  const basic = () => ({
    key: 'company',
    name: 'Company directory',
    url: directory.url,
    ca_file: directory.ca_file,
    bind_dn: READER,
    bind_password: READER_PASSWORD,
    base_dn: PEOPLE,
  })

  /** An organization with an owner, and a gateway with directories. */
  const stage = async (
    directories: readonly object[],
    settings: Record<string, unknown> = {},
    env: Record<string, string> = {},
  ): Promise<Stage> => {
    const realm = await newRealm()
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const gateway = await startGateway({ LDAP_DIRECTORIES: JSON.stringify(directories), ...env })
    if (Object.keys(settings).length > 0) await ok(owner, 'PATCH', '/realm', settings, { url: gateway.url })
    const post = (path: string, username: string, password: string) =>
      sendRequest(portOf(gateway.url), {
        method: 'POST',
        path,
        host: realm.host,
        headers: { 'User-Agent': 'ZulipMobile/27.0' },
        body: new URLSearchParams({ username, password }).toString(),
      })
    return {
      realm,
      owner,
      gateway,
      fetchKey: (username, password) => post('/api/v1/fetch_api_key', username, password),
      logIn: (username, password) => post('/api/v1/sessions', username, password),
      async acts() {
        const { acts } = await ok<{ acts: { changes: { table: string; after: Record<string, unknown> }[] }[] }>(
          owner,
          'GET',
          '/realm/audit_log',
          { subject: 'log_ins' },
        )
        return acts.flatMap(({ changes }) =>
          changes.filter(({ table }) => table === 'log_ins').map(({ after }) => after),
        )
      },
      async [Symbol.asyncDispose]() {
        await gateway.stop()
        await realm[Symbol.asyncDispose]()
      },
    }
  }

  describe('Accounts', () => {
    test('The first log-in makes an account, and both the name and the address lead to it from then on.', async () => {
      await using s = await stage([basic()])
      const first = await s.fetchKey('ada', 'ada')
      expect(first.json).toMatchObject({ result: 'success', email: 'ada@example.org' })
      const second = await s.logIn('ADA@example.org', 'ada')
      expect(second.json).toMatchObject({ result: 'success', user_id: first.json.user_id })
      const me = await sendRequest(portOf(s.gateway.url), {
        path: '/api/v1/users/me',
        host: s.realm.host,
        authorization: `Basic ${Buffer.from(`ada@example.org:${first.json.api_key}`).toString('base64')}`,
      })
      expect(me.json).toMatchObject({ full_name: 'Ada Lovelace' })
      expect(await s.acts()).toMatchObject([
        { result: 'entered', provider: 'Company directory', address: 'ada@example.org' },
        { result: 'created' },
      ])
    })

    test('The account stays that of the person whose address, name and place change in the directory.', async () => {
      await using s = await stage([basic()])
      await directory.addPeople([{ uid: 'moving' }])
      const { user_id } = (await s.fetchKey('moving', 'moving')).json
      await directory.change((client) => client.modifyDN(dnOf('moving'), 'uid=moved'))
      expect((await s.fetchKey('moved', 'moving')).json).toMatchObject({ user_id, email: 'moving@example.org' })
      expect((await s.fetchKey('moving', 'moving')).json.code).toBe('AUTHENTICATION_FAILED')
    })

    test('A person with the address of an account gets this account, and its password does not work any more.', async () => {
      await using s = await stage([basic()])
      const [grace] = (await s.realm.people({ full_name: 'Grace', email: 'grace@example.org' })) as [Person]
      await setPassword(s.realm, grace)
      expect((await s.fetchKey('grace@example.org', ownPassword)).json.user_id).toBe(grace.user_id)
      expect((await s.fetchKey('grace', 'grace')).json.user_id).toBe(grace.user_id)
      expect((await s.fetchKey('grace@example.org', ownPassword)).json.code).toBe('AUTHENTICATION_FAILED')
    })

    test('It works on where the operator says so.', async () => {
      await using s = await stage([{ ...basic(), replaces_passwords: false }])
      const [grace] = (await s.realm.people({ full_name: 'Grace', email: 'grace@example.org' })) as [Person]
      await setPassword(s.realm, grace)
      expect((await s.fetchKey('grace', 'grace')).json.user_id).toBe(grace.user_id)
      expect((await s.fetchKey('grace@example.org', ownPassword)).json.user_id).toBe(grace.user_id)
    })

    test('No account is made where the rules do not allow it, and the audit log says why.', async () => {
      await using s = await stage([{ ...basic(), creates_accounts: 'nobody' }])
      expect((await s.fetchKey('ada', 'ada')).json.msg).toBe(
        'There is no account for ada@example.org here. Ask for an invitation to this address.',
      )
      await using other = await stage([{ ...basic(), domains: ['other.example'] }])
      expect((await other.fetchKey('ada', 'ada')).status).toBe(400)
      expect(await s.acts()).toMatchObject([{ result: 'refused', address: 'ada@example.org' }])
      await using third = await stage([basic()])
      expect((await third.fetchKey('nomail', 'nomail')).json.msg).toBe(
        'Company directory does not tell your address, which is needed here.',
      )
    })

    test('A deactivated account stays out, and other organizations do not have the directory.', async () => {
      await using other = await stage([{ ...basic(), organizations: ['someone-else'] }])
      const refused = await other.fetchKey('ada', 'ada')
      expect(refused.json.msg).toBe('This is not an email address.')
      await using s = await stage([basic()])
      const { user_id } = (await s.fetchKey('ada', 'ada')).json
      await ok(s.owner, 'DELETE', `/users/${user_id}`)
      await expect.poll(async () => (await s.fetchKey('ada', 'ada')).json.code).toBe('USER_DEACTIVATED')
    })

    test('A user cannot unlink the account that a directory holds.', async () => {
      await using s = await stage([basic()])
      const { api_key } = (await s.fetchKey('ada', 'ada')).json
      const authorization = `Basic ${Buffer.from(`ada@example.org:${api_key}`).toString('base64')}`
      const of = (method: string, path: string) =>
        sendRequest(portOf(s.gateway.url), {
          method,
          path: `/api/v1/users/me/identities${path}`,
          host: s.realm.host,
          authorization,
        })
      expect((await of('GET', '')).json.identities).toMatchObject([
        { name: 'Company directory', method: 'ldap:company' },
      ])
      expect((await of('DELETE', '/ldap%3Acompany')).json.msg).toBe(
        'Company directory manages your account: it cannot be unlinked.',
      )
    })

    test('Clients learn that there are names without an address, and passwords can be turned off.', async () => {
      await using s = await stage([basic()])
      const settings = async () =>
        (await sendRequest(portOf(s.gateway.url), { path: '/api/v1/server_settings', host: s.realm.host })).json
      expect(await settings()).toMatchObject({
        require_email_format_usernames: false,
        authentication_methods: { ldap: true, password: true, email: true },
      })
      await ok(s.owner, 'PATCH', '/realm', { authentication_methods: { Email: false } }, { url: s.gateway.url })
      expect(await settings()).toMatchObject({
        email_auth_enabled: false,
        authentication_methods: { ldap: true, password: true, email: false },
      })
      expect((await s.fetchKey('ada', 'ada')).status).toBe(200)
      await setPassword(s.realm, s.owner)
      expect((await s.fetchKey(s.owner.email, ownPassword)).json.code).toBe('AUTHENTICATION_FAILED')
    })
  })

  describe('Attacks', () => {
    test('A name is one value of the filter, whatever it contains.', async () => {
      await using s = await stage([basic()])
      const names = ['*', 'ada*', 'a*', 'ada)(uid=*', '*)(uid=ada', 'ada))(|(uid=*', '*)(|(objectClass=*']
      for (const username of [...names, 'ad\\61', '\\2a', dnOf('ada'), 'x'.repeat(5_000), '\ud800', '(', ')', '&']) {
        const { json } = await s.fetchKey(username, 'ada')
        expect([username, json.result, json.code]).toEqual([username, 'error', 'AUTHENTICATION_FAILED'])
      }
      // The protocol has no texts with NUL.
      expect((await s.fetchKey('ada\0', 'ada')).json.code).toBe('BAD_REQUEST')
      expect(await s.realm.sql`select from users where realm_id = ${s.realm.realm_id} and not is_bot`).toHaveLength(1)
    })

    test('A name with letters outside of ASCII is found as it is written.', async () => {
      await using s = await stage([basic()])
      expect((await s.fetchKey('jürgen', 'jürgen')).json.email).toBe('juergen@example.org')
    })

    test('An empty password is refused, although the directory takes it for an anonymous log-in.', async () => {
      await using s = await stage([basic()])
      for (const password of ['', '\0', ' ']) {
        const answer = await s.fetchKey('ada', password)
        expect(answer.json.result).toBe('error')
      }
    })

    test('A name that two people have lets none of them in.', async () => {
      await using s = await stage([basic()])
      expect((await s.fetchKey('twin@example.org', 'twin1')).json.code).toBe('AUTHENTICATION_FAILED')
    })

    test('Guesses are limited, also by further names of a person.', async () => {
      await using s = await stage([basic()], {}, { RATE_LIMITS: 'on', RATES: 'authenticate_by_username=3/1800' })
      expect((await s.fetchKey('ada', 'ada')).status).toBe(200)
      for (const username of ['ada', 'ada@example.org', 'Ada']) {
        expect((await s.fetchKey(username, 'wrong')).json.code).toBe('AUTHENTICATION_FAILED')
      }
      expect((await s.fetchKey('ADA@example.org', 'wrong')).json.code).toBe('RATE_LIMIT_HIT')
      expect((await s.fetchKey('ada', 'ada')).json.code).toBe('RATE_LIMIT_HIT')
    })

    test('A referral leads no password to another server.', async () => {
      const seen: Socket[] = []
      const other = createServer((socket) => void seen.push(socket))
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as { port: number }
      await directory.change(async (client) => {
        await client.add(`ou=abroad,${BASE}`, { objectClass: 'organizationalUnit', ou: 'abroad' })
        await client.add(`cn=branch,ou=abroad,${BASE}`, {
          objectClass: ['referral', 'extensibleObject'],
          cn: 'branch',
          ref: `ldap://127.0.0.1:${port}/ou=people,dc=branch`,
        })
      })
      await using s = await stage([{ ...basic(), base_dn: `ou=abroad,${BASE}` }])
      expect((await s.fetchKey('ada', 'ada')).json.code).toBe('AUTHENTICATION_FAILED')
      // A base that is itself elsewhere is a fault of the set-up.
      await using t = await stage([{ ...basic(), base_dn: `cn=branch,ou=abroad,${BASE}` }])
      expect((await t.fetchKey('ada', 'ada')).json.msg).toContain('cannot be reached now')
      expect(seen).toEqual([])
      other.close()
    })

    test('No password is in a log.', async () => {
      await using s = await stage([basic()], {}, { LOG_LEVEL: 'debug', ACCESS_LOG: 'on' })
      await s.fetchKey('ada', 'a-secret-guess')
      await s.fetchKey('ada', 'ada')
      expect(fileHas(s.gateway.logFile, 'a-secret-guess')).toBe(false)
      expect(fileHas(s.gateway.logFile, READER_PASSWORD)).toBe(false)
    })
  })

  describe('Connections', () => {
    test('The password of the server is read from a file, and each time anew.', async () => {
      const file = join(inject('log_folder'), `bind-password-${process.pid}`)
      writeFileSync(file, 'wrong\n')
      const { bind_password: _, ...rest } = basic()
      await using s = await stage([{ ...rest, url: directory.secure_url, bind_password_file: file }])
      expect((await s.fetchKey('ada', 'ada')).json.msg).toBe(
        'Company directory cannot be reached now. Try again later.',
      )
      writeFileSync(file, `${READER_PASSWORD}\n`)
      expect((await s.fetchKey('ada', 'ada')).status).toBe(200)
      writeFileSync(file, '\n')
      expect((await s.fetchKey('ada', 'ada')).json.result).toBe('error')
    })

    test.each(['StartTLS', 'ldaps'])('A certificate of another authority is refused, with %s.', async (how) => {
      const { ca } = makeCertificates()
      const url = how === 'ldaps' ? directory.secure_url : directory.url
      await using s = await stage([{ ...basic(), url, ca_file: ca }])
      expect((await s.fetchKey('ada', 'ada')).json.msg).toBe(
        'Company directory cannot be reached now. Try again later.',
      )
      const { ca_file: _, ...without } = basic()
      await using t = await stage([{ ...without, url }])
      expect((await t.fetchKey('ada', 'ada')).json.result).toBe('error')
    })

    test('A certificate for another host is refused.', async () => {
      for (const base of [directory.url, directory.secure_url]) {
        const url = base.replace('127.0.0.1', '127.0.0.2').replace(/\/$/, '')
        // slapd listens at 127.0.0.1 only: a relay stands for the host with the wrong name.
        const relay = createServer((socket) => {
          const upstream = new (socket.constructor as typeof Socket)()
          upstream.connect(portOf(base.replace(/^ldaps?/, 'http')), '127.0.0.1')
          socket.pipe(upstream).pipe(socket)
          for (const one of [socket, upstream]) one.on('error', () => {})
        })
        await new Promise<void>((resolve) => relay.listen(0, '127.0.0.2', resolve))
        const { port } = relay.address() as { port: number }
        await using s = await stage([{ ...basic(), url: url.replace(/:\d+$/, `:${port}`) }])
        expect((await s.fetchKey('ada', 'ada')).json.msg).toContain('cannot be reached now')
        relay.close()
      }
    })

    test('Without TLS only where the operator says so, and then it works.', async () => {
      await using s = await stage([{ ...basic(), security: 'plain' }])
      expect((await s.fetchKey('ada', 'ada')).status).toBe(200)
    })

    test('A directory that refuses StartTLS gets no password.', async () => {
      const received: Buffer[] = []
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.on('data', (piece: Buffer) => {
          received.push(piece)
          // An extended response: protocolError.
          const id = piece[4] ?? 1
          socket.write(Buffer.from([0x30, 0x0c, 0x02, 0x01, id, 0x78, 0x07, 0x0a, 0x01, 0x02, 0x04, 0x00, 0x04, 0x00]))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      await using s = await stage([{ ...basic(), url: `ldap://127.0.0.1:${port}` }])
      expect((await s.fetchKey('ada', 'a-guess')).json.msg).toContain('cannot be reached now')
      const text = Buffer.concat(received).toString('latin1')
      expect(text).not.toContain(READER_PASSWORD)
      expect(text).not.toContain('a-guess')
      server.close()
    })

    test('A directory that hangs is an error in time, and neither passwords nor other directories wait for it.', async () => {
      const sockets: Socket[] = []
      const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const { port } = silent.address() as { port: number }
      const hanging = { ...basic(), key: 'hanging', name: 'Hanging', url: `ldap://127.0.0.1:${port}` }
      await using s = await stage([hanging, basic()])
      await setPassword(s.realm, s.owner)
      expect((await s.fetchKey(s.owner.email, ownPassword)).json.user_id).toBe(s.owner.user_id)
      expect(sockets).toHaveLength(0)
      expect((await s.fetchKey('nobody', 'x')).json.msg).toBe('Hanging cannot be reached now. Try again later.')
      const asked = sockets.length
      // From now on it is asked last.
      expect((await s.fetchKey('ada', 'ada')).status).toBe(200)
      expect(sockets).toHaveLength(asked)
      for (const socket of sockets) socket.destroy()
      silent.close()
    })

    test('A directory that is away lets its own people wait, and nobody else.', async () => {
      await using s = await stage([{ ...basic(), url: 'ldap://127.0.0.1:1' }])
      await setPassword(s.realm, s.owner)
      expect((await s.fetchKey(s.owner.email, ownPassword)).status).toBe(200)
      expect((await s.fetchKey('ada', 'ada')).json.msg).toBe(
        'Company directory cannot be reached now. Try again later.',
      )
    })
  })
})

test('The examples of the guide are accepted.', () => {
  const guide = readFileSync(join(root, 'docs/directories.md'), 'utf8')
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => parseDirectories(text))
  expect(examples).toMatchObject([[{ key: 'ldap:company', security: 'tls' }], [{ attributes: { id: 'objectGUID' } }]])
})

test.each([
  ['ada', 'ada'],
  ['a*(b)\\c\0', 'a\\2a\\28b\\29\\5cc\\00'],
  ['a b&|!=<>~', 'a\\20b\\26\\7c\\21\\3d\\3c\\3e\\7e'],
  ['jürgen', 'jürgen'],
])('The value %j stands in a filter as %j.', (value, escaped) => {
  expect(escapeFilterValue(value)).toBe(escaped)
})
