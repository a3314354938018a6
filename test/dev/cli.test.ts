import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { call, type Person } from '../setup/realm.js'

const newName = () => `cli-${randomUUID().slice(0, 8)}`
const owner = ['--owner-email', 'ada@example.com', '--owner-name', 'Ada Lovelace']

describe('The command line', () => {
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
async function cli(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    env: inject('process_env'),
  })
  return JSON.parse(stdout)
}
