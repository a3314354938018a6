import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { portOf } from '../setup/gateway-of-one-test.js'
import { sendRequest } from '../setup/raw-request.js'
import { anyGateway, call, type Person } from '../setup/realm.js'

const newName = () => `cli-${randomUUID().slice(0, 8)}`
const owner = ['--owner-email', 'ada@example.com', '--owner-name', 'Ada Lovelace']

// Each command is a process, and a test runs up to seven of them: 4 s alone, and more than 20 s beside the drills.
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
    const { stderr } = await runCli('create-realm', realm, '--name', 'Engines', ...owner)
    expect(stderr).toContain(`node dist/cli.js reset-password ${realm} ada@example.com`)
    const other = newName()
    const given = ['--owner-password', password]
    expect((await runCli('create-realm', other, '--name', 'Engines', ...owner, ...given)).stderr).toBe('')
  })

  test('An organization is not created when the password or the address of its owner is refused.', async () => {
    const realm = newName()
    const create = ['create-realm', realm, '--name', 'Engines', '--owner-name', 'Ada Lovelace']
    const weak = ['--owner-email', 'ada@example.com', '--owner-password', 'secret']
    await expect(cli(...create, ...weak)).rejects.toThrow('too easy to guess')
    await expect(cli(...create, '--owner-email', 'nobody')).rejects.toThrow('not an email address')
    await expect(cli('api-key', realm, 'ada@example.com')).rejects.toThrow('no organization named')
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
  ])('A command with %s fails and says why.', async (_what, args, reason) => {
    await expect(cli(...args)).rejects.toThrow(reason)
  })

  test('The option --help lists the commands.', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), '--help'], { env: {} })
    for (const command of ['migrate', 'create-realm', 'create-user', 'api-key']) expect(stdout).toContain(command)
  })
})

/** Runs one command in the environment of the test fleet. Rejects with its standard error. */
const runCli = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...args], { env: inject('process_env') })

/** Runs one command, and returns what it printed. */
async function cli(...args: string[]): Promise<unknown> {
  return JSON.parse((await runCli(...args)).stdout)
}
