import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
// @ts-expect-error A script, without types.
import { readCommit } from '../../scripts/clone/commit.mjs'
import { root } from '../../src/dev/root.js'
import { openSql } from '../../src/store/sql.js'
import { cli, runCli } from '../setup/processes/cli.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { anyGateway, call, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const newName = () => `cli-${randomUUID().slice(0, 8)}`
const owner = ['--owner-email', 'ada@example.com', '--owner-name', 'Ada Lovelace']

describe('The command line', { timeout: 60_000 }, () => {
  const taken = newName()
  let first: { owner: Person }
  beforeAll(async () => {
    first = (await cli('create-realm', taken, '--name', 'Engines', ...owner)) as { owner: Person }
  })

  test('A second migration applies nothing.', async () => {
    await cli('migrate')
    expect(await cli('migrate')).toEqual({ applied: [] })
  })

  test('An operator can create an organization with its owner.', async () => {
    const realm = newName()
    expect(await cli('create-realm', realm, '--name', 'Engines', ...owner)).toEqual({
      realm,
      realm_id: expect.any(Number),
      owner: { user_id: expect.any(Number), email: 'ada@example.com', api_key: expect.stringMatching(/^\w{32}$/) },
    })
  })

  test('An operator can create a user and look up their API key.', async () => {
    const realm = newName()
    await cli('create-realm', realm, '--name', 'Engines', ...owner)
    const account = await cli(
      'create-user',
      realm,
      '--email',
      'grace@example.com',
      '--name',
      'Grace',
      '--role',
      'guest',
    )
    expect(await cli('api-key', realm, 'grace@example.com')).toEqual(account)
  })

  const password = 'correct horse battery staple'
  const hostOf = (realm: string) => `${realm}.${inject('base_domain')}`
  const logIn = async (realm: string, username: string) =>
    (await call(undefined, 'POST', '/fetch_api_key', { username, password }, { host: hostOf(realm) })).body

  test('An operator can deactivate and reactivate a user, and sees it in the list of users.', async () => {
    const realm = newName()
    const { owner: ada } = (await cli('create-realm', realm, '--name', 'Engines', ...owner)) as { owner: Person }
    await cli('create-user', realm, '--email', 'grace@example.com', '--name', 'Grace', '--password', password)
    expect((await logIn(realm, 'grace@example.com')).result).toBe('success')
    const listed = async () => ((await cli('list-users', realm)) as { users: Record<string, unknown>[] }).users
    const grace = { full_name: 'Grace', email: 'grace@example.com', role: 'member', is_bot: false }

    await cli('deactivate-user', realm, 'grace@example.com')
    expect(await listed()).toContainEqual(expect.objectContaining({ ...grace, is_active: false }))
    expect(await logIn(realm, 'grace@example.com')).toMatchObject({ code: 'USER_DEACTIVATED' })
    await cli('reactivate-user', realm, 'grace@example.com')
    expect(await listed()).toContainEqual(expect.objectContaining({ ...grace, is_active: true }))
    expect((await logIn(realm, 'grace@example.com')).result).toBe('success')

    await expect(cli('deactivate-user', realm, ada.email)).rejects.toThrow('the only organization owner left')
  })

  test('An operator can deactivate and reactivate an organization, and sees it in the list of organizations.', async () => {
    const realm = newName()
    const { owner: ada } = (await cli('create-realm', realm, '--name', 'Engines', ...owner)) as { owner: Person }
    const statusNow = async () => (await call({ ...ada, host: hostOf(realm) }, 'GET', '/users/me')).status
    const listed = async () => ((await cli('list-realms')) as { realms: Record<string, unknown>[] }).realms
    const row = { string_id: realm, name: 'Engines', users: 1 }

    await cli('deactivate-realm', realm)
    expect(await statusNow()).toBe(401)
    expect(await listed()).toContainEqual({ ...row, is_active: false })
    await cli('reactivate-realm', realm)
    expect(await statusNow()).toBe(200)
    expect(await listed()).toContainEqual({ ...row, is_active: true })
  })

  test('An operator can reset a password, which revokes the API key.', async () => {
    const realm = newName()
    const { owner: ada } = (await cli('create-realm', realm, '--name', 'Engines', ...owner)) as { owner: Person }
    await cli('reset-password', realm, ada.email, '--password', password)
    expect((await call({ ...ada, host: hostOf(realm) }, 'GET', '/users/me')).status).toBe(401)
    expect((await logIn(realm, ada.email)).result).toBe('success')
  })

  test('An operator can give a user the address of a page that sets a password once.', async () => {
    const realm = newName()
    await cli('create-realm', realm, '--name', 'Engines', ...owner)
    const { link } = (await cli('reset-password', realm, 'ada@example.com')) as { link: string }
    const choose = async () => {
      const body = new URLSearchParams({ password }).toString()
      const { pathname } = new URL(link)
      return sendRequest(portOf(anyGateway()), { method: 'POST', path: pathname, host: hostOf(realm), body })
    }
    expect((await choose()).text).toContain('Your password was changed')
    expect((await logIn(realm, 'ada@example.com')).result).toBe('success')
    expect((await choose()).text).toContain('no longer valid')
  })

  test('The owner of a new organization without a password is pointed out, with the command that helps.', async () => {
    const realm = newName()
    const { stderr } = await runCli(['create-realm', realm, '--name', 'Engines', ...owner])
    expect(stderr).toContain(`node dist/cli.js reset-password ${realm} ada@example.com`)
    const other = newName()
    const given = ['--owner-password', password]
    expect((await runCli(['create-realm', other, '--name', 'Engines', ...owner, ...given])).stderr).toBe('')
  })

  test('An organization is not created when anything of it or of its owner is refused.', async () => {
    const realm = newName()
    const create = (given: Record<string, string>) => {
      const options = { name: 'Engines', 'owner-email': 'ada@example.com', 'owner-name': 'Ada', ...given }
      return cli('create-realm', realm, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]))
    }
    await expect(create({ 'owner-password': 'secret' })).rejects.toThrow('too easy to guess')
    await expect(create({ 'owner-email': 'nobody' })).rejects.toThrow('not an email address')
    await expect(create({ 'owner-email': 'x@mailinator.com' })).rejects.toThrow('disposable')
    await expect(create({ 'owner-email': 'notification-bot@parley.invalid' })).rejects.toThrow('bot of the server')
    await expect(create({ 'owner-name': 'A' })).rejects.toThrow('at least 2 characters')
    await expect(create({ 'owner-name': 'A*d*a' })).rejects.toThrow('not allowed in names')
    await expect(create({ 'owner-name': ' ' })).rejects.toThrow('at least 2 characters')
    await expect(create({ name: ' ' })).rejects.toThrow('1 to 40 characters')
    await expect(create({ name: 'x'.repeat(41) })).rejects.toThrow('1 to 40 characters')
    await expect(cli('api-key', realm, 'ada@example.com')).rejects.toThrow('no organization named')
    // Of two commands at the same time, one creates it.
    const both = await Promise.allSettled([create({}), create({})])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining(`organization named ${realm} already`) },
    })
  })

  test('The owner of a new organization is like an account that was created later.', async () => {
    const realm = newName()
    const { owner: ada } = (await cli('create-realm', realm, '--name', 'Engines', ...owner)) as { owner: Person }
    const account = ['--email', 'grace@example.com', '--name', 'Grace', '--role', 'owner']
    const grace = (await cli('create-user', realm, ...account)) as Person
    const host = hostOf(realm)
    const read = async (person: Person) => {
      const { body } = await call({ ...person, host }, 'GET', `/users/${ada.user_id}`)
      const other = await call({ ...person, host }, 'GET', `/users/${grace.user_id}`)
      return [body.user, other.body.user] as Record<string, unknown>[]
    }
    const [first, second] = await read(grace)
    expect(ada.user_id + 1).toBe(grace.user_id)
    const own = ['user_id', 'email', 'delivery_email', 'full_name', 'date_joined', 'avatar_url', 'avatar_version']
    const omit = (user = {}) => Object.fromEntries(Object.entries(user).filter(([name]) => !own.includes(name)))
    expect(omit(first)).toEqual(omit(second))
    const { body } = await call({ ...ada, host }, 'GET', '/realm/audit_log')
    expect((body.acts as { changes: unknown[] }[]).map(({ changes }) => changes[0])).toMatchObject([
      { table: 'users', key: { id: grace.user_id } },
      { table: 'users', key: { id: ada.user_id } },
    ])
  })

  test('An operator can withdraw a right from an administrator.', async () => {
    expect(await cli('account-right', taken, 'ada@example.com', 'can_create_users', 'off')).toEqual({
      user_id: first.owner.user_id,
      can_create_users: false,
    })
    const ada = { ...first.owner, host: `${taken}.${inject('base_domain')}` }
    const wanted = { email: 'mary@example.com', full_name: 'Mary', password: 'correct horse battery staple' }
    const { body } = await call(ada, 'POST', '/users', wanted)
    expect(body.msg).toBe('The operator of this server has withdrawn this right from your account.')
  })

  test.each([
    [
      'the name of an existing organization',
      ['create-realm', taken, '--name', 'Again', ...owner],
      `organization named ${taken} already`,
    ],
    [
      'a name that is not a valid host name',
      ['create-realm', 'not_a_host', '--name', 'X', ...owner],
      'cannot be part of a host name',
    ],
    [
      'the email address of an existing user',
      ['create-user', taken, '--email', 'ada@example.com', '--name', 'Ada'],
      'An account with this email address already exists',
    ],
    ['an unknown role', ['create-user', taken, '--email', 'x@y.org', '--name', 'Xy', '--role', 'king'], 'no role king'],
    ['an unknown organization', ['api-key', 'nowhere', 'ada@example.com'], 'no organization named nowhere'],
    ['an unknown name', ['create-relm', taken], 'There is no command create-relm'],
    ['the name of a property of objects', ['constructor'], 'There is no command constructor'],
    [
      'a weak password',
      ['create-user', taken, '--email', 'x@y.org', '--name', 'Xy', '--password', 'secret'],
      'too easy to guess',
    ],
    ['a weak new password', ['reset-password', taken, 'ada@example.com', '--password', 'ada'], 'too easy to guess'],
    ['an unknown right', ['account-right', taken, 'ada@example.com', 'can_fly', 'on'], 'no right can_fly'],
    ['a missing option', ['create-user', taken, '--name', 'Ada'], '--email is missing'],
    ['an unknown option', ['create-user', taken, '--mail', 'x@y.org'], '--mail'],
    ['an unknown short option', ['list-realms', '-v'], '-v'],
    ['an argument too many', ['list-realms', 'acme'], 'The argument acme is one too many.'],
    ['the value of an option in the place of an argument', ['api-key', taken, 'a@b.org', 'c'], 'one too many'],
    ['the option of another command', ['list-users', taken, '--email', 'a@b.org'], '--email'],
    [
      'an option that is given twice',
      ['create-user', taken, '--email', 'a@b.org', '--email', 'c@d.org'],
      'given twice',
    ],
    ['an option without its value', ['create-user', taken, '--email'], '--email'],
    ['an empty option', ['create-user', taken, '--email', '', '--name', 'Ada'], '--email is empty'],
    ['an empty argument', ['deactivate-realm', ''], 'An argument is empty'],
    ['a misspelt name', ['list-realm'], 'Did you mean list-realms?'],
  ])('A command with %s fails and says why.', async (_what, args, reason) => {
    await expect(cli(...args)).rejects.toThrow(reason)
  })

  test('The option --help lists the commands, and that of a command says what it takes.', async () => {
    const help = (await runCli(['--help'], {})).stdout
    for (const command of ['migrate', 'create-realm', 'create-user', 'api-key']) expect(help).toContain(command)
    const own = (await runCli(['create-user', '--help'], {})).stdout
    expect(own).toContain('create-user <realm> --email EMAIL --name NAME [--role ROLE] [--password PASSWORD]')
    expect(own).not.toContain('create-realm')
    expect((await runCli(['help', 'create-user'], {})).stdout).toBe(own)
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js')], { env: {} })
    expect(stdout.trimEnd()).toBe(help)
  })

  test('The arguments are checked before the variables, and these before anything is connected.', async () => {
    expect((await runCli(['create-user', 'acme', 'x'], {})).stderr).toContain('x is one too many')
    expect((await runCli(['list-realms'], {})).stderr).toContain('DATABASE_URL')
  })

  test('The option --version names the version, the build and the commit, without any variable.', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), '--version'], {
      env: {},
    })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const build = readFileSync(join(root, 'dist/.stamp'), 'utf8').slice(0, 7)
    const commit = readCommit()
    expect(JSON.parse(stdout)).toEqual({
      ...{ version, build, node: process.versions.node },
      // Files can be changed while the tests run.
      ...(commit && { commit: expect.stringMatching(`^${commit.slice(0, 40)}(-dirty)?$`) }),
    })
  })
})

describe('A database that cannot be used', () => {
  const withDatabase = (change: (url: URL) => void) => {
    const url = new URL(inject('database_url'))
    change(url)
    return { ...inject('process_env'), DATABASE_URL: url.href }
  }
  const commands = [['migrate'], ['list-realms'], ['create-realm', 'acme', '--name', 'Acme', ...owner]]

  test.each(commands)('The command %s says that the database is missing.', async (...args) => {
    const { code, stderr } = await runCli(
      args,
      withDatabase((url) => (url.pathname = '/nowhere')),
    )
    expect([code, stderr.split('\n').length]).toEqual([1, 1])
    expect(stderr).toMatch(/^DATABASE_URL: .* has no database named nowhere\..* create database "nowhere"/)
  })

  test('A command says that Postgres does not answer, or that the database lacks migrations.', async () => {
    const away = await runCli(
      ['api-key', 'acme', 'a@b.org'],
      withDatabase((url) => (url.port = '1')),
    )
    expect(away.stderr).toMatch(/^DATABASE_URL: Postgres at .*:1 cannot be used now: .*ECONNREFUSED/)
    const name = `empty_${randomUUID().slice(0, 8)}`
    const sql = openSql(inject('database_url'), 1)
    await sql`create database ${sql(name)}`
    await sql.end()
    const empty = await runCli(
      ['api-key', 'acme', 'a@b.org'],
      withDatabase((url) => (url.pathname = `/${name}`)),
    )
    expect(empty.stderr).toMatch(/^DATABASE_URL: The database lacks \d+ migrations, from 0001/)
  })

  test('An organization is not moved to its own database, to none, or to one that is not prepared.', async () => {
    const realm = newName()
    await cli('create-realm', realm, '--name', 'Engines', ...owner)
    const move = (database: string, redis = inject('redis_url')) =>
      cli('move-realm', realm, '--to-database', database, '--to-redis', redis)
    const change = (edit: (url: URL) => void) => {
      const url = new URL(inject('database_url'))
      edit(url)
      return url.href
    }
    const own = inject('database_url')
    await expect(move(own)).rejects.toThrow('--to-database is the database of this cell')
    await expect(move(change((url) => (url.hostname = 'localhost')))).rejects.toThrow('is the database of this cell')
    await expect(move(change((url) => (url.pathname = '/nowhere')))).rejects.toThrow('no database named nowhere')
    await expect(move(change((url) => (url.pathname = '/postgres')))).rejects.toThrow('lacks')
    await expect(move('mysql://x')).rejects.toThrow('--to-database must be')
    await expect(move(own, 'http://x')).rejects.toThrow('--to-redis')
    expect((await cli('list-users', realm)) as object).toHaveProperty('users')
  })
})
