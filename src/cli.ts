/** Entry point of the command line: `node dist/cli.js <command>`, configured by the environment like every process. */
import { parseArgs } from 'node:util'
import { type Administration, openAdministration } from './administration/administration.js'
import { loadConfig } from './config/config.js'
import { Role, type UserRow } from './domain/log/rows.js'
import { ApiError } from './domain/protocol/errors.js'
import { accountRights } from './domain/users/account-rights.js'
import { validateEmail, validateFullName } from './domain/users/name-and-email-rules.js'
import type { Realm } from './store/log/realm.js'
import type { NewUser } from './store/users/users.js'

const HELP = `node dist/cli.js <command>

  migrate
      Migrates the database. Safe to run at any time, and by several processes at once.

  create-realm <string_id> --name NAME --owner-email EMAIL --owner-name NAME [--owner-password PASSWORD]
      Creates an organization, reached as <string_id>.BASE_DOMAIN, and its owner. Prints the owner's API key.

  create-user <realm> --email EMAIL --name NAME [--role ROLE] [--password PASSWORD]
      Creates an account. ROLE is owner, administrator, moderator, member (the default) or guest. Prints its API key.

  api-key <realm> <email>
      Prints the API key of an account.

  account-right <realm> <email> <RIGHT> <on|off>
      Grants a right to an administrator, or revokes it. By default, administrators have all rights. RIGHT is
      can_create_users or can_change_user_emails.

  upload-quota <realm> <MIB>
      Limits the total size of the organization's uploaded files. MIB is a number, or none.

  reactivate-realm <realm>
      Reactivates a deactivated organization. Data that was deleted since then stays deleted.

<realm> is an organization's string_id. DATABASE_URL, REDIS_URL and SECRET_KEY must be set, and BASE_DOMAIN, ROOT_REALM
and PUBLIC_URL must have the same values as for the gateways. Each command prints its result as one line of JSON.`

const commands: Record<string, (administration: Administration, args: string[]) => Promise<object>> = {
  async migrate(administration) {
    return { applied: await administration.migrate() }
  },

  async 'create-realm'(administration, args) {
    const { positional, option } = parse(args)
    const string_id = positional('string_id')
    if (!isHostLabel(string_id))
      throw new UsageError(`${string_id} cannot be part of a host name: use a-z, 0-9 and hyphens.`)
    if (await administration.realm(string_id))
      throw new UsageError(`There is an organization named ${string_id} already.`)
    const name = option('name')
    const owner = newUser('owner', option('owner-email'), option('owner-name'), option('owner-password', ''))
    const realm_id = await administration.createRealm({ string_id, name })
    return { realm: string_id, realm_id, owner: await createAccount(administration, string_id, owner) }
  },

  async 'create-user'(administration, args) {
    const { positional, option } = parse(args)
    const user = newUser(option('role', 'member'), option('email'), option('name'), option('password', ''))
    return createAccount(administration, positional('realm'), user)
  },

  async 'api-key'(administration, args) {
    const { positional } = parse(args)
    const [string_id, email] = [positional('realm'), positional('email')]
    const realm = await findRealm(administration, string_id)
    const user = findUser(realm, email)
    return { user_id: user.id, email: user.delivery_email, api_key: administration.apiKey(realm, user) }
  },

  async 'account-right'(administration, args) {
    const { positional } = parse(args)
    const [string_id, email, name, value] = [
      positional('realm'),
      positional('email'),
      positional('RIGHT'),
      positional('on|off'),
    ]
    const right = accountRights.find((right) => right === name)
    if (right === undefined) throw new UsageError(`There is no right ${name}; there are ${accountRights.join(', ')}.`)
    if (value !== 'on' && value !== 'off') throw new UsageError(`${value} is neither on nor off.`)
    const realm = await findRealm(administration, string_id)
    const user = findUser(realm, email)
    await administration.setAccountRight(realm, user, right, value === 'on')
    return { user_id: user.id, [right]: value === 'on' }
  },

  async 'reactivate-realm'(administration, args) {
    const { positional } = parse(args)
    const string_id = positional('realm')
    await administration.reactivate(await findRealm(administration, string_id))
    return { realm: string_id, is_active: true }
  },

  async 'upload-quota'(administration, args) {
    const { positional } = parse(args)
    const [string_id, mib] = [positional('realm'), positional('MIB')]
    if (mib !== 'none' && !/^\d{1,9}$/.test(mib)) throw new UsageError(`${mib} is not a number of MiB.`)
    const upload_quota_mib = mib === 'none' ? null : Number(mib)
    await administration.setUploadQuota(await findRealm(administration, string_id), upload_quota_mib)
    return { realm: string_id, upload_quota_mib }
  },
}

/** A command with wrong arguments. Its message is printed without a stack trace. */
class UsageError extends Error {}

const newUser = (roleName: string, email: string, full_name: string, password: string): NewUser => {
  const role = Role[roleName as keyof typeof Role]
  if (role === undefined)
    throw new UsageError(`There is no role ${roleName}; there are ${Object.keys(Role).join(', ')}.`)
  return { email, full_name, role, ...(password === '' ? {} : { password }) }
}

const createAccount = async (administration: Administration, string_id: string, user: NewUser) => {
  const realm = await findRealm(administration, string_id)
  const checked = {
    ...user,
    email: validateEmail(realm.state, user.email),
    full_name: validateFullName(realm.state, user.full_name),
  }
  const [row] = await administration.createUsers(realm, [checked])
  if (row === undefined) throw new Error('The account was created, but the replica does not have it.')
  return { user_id: row.id, email: row.delivery_email, api_key: administration.apiKey(realm, row) }
}

const findUser = ({ state }: Realm, email: string): UserRow => {
  const user = state.userByEmail(email)
  if (user === undefined)
    throw new UsageError(`There is no account with the address ${email} in ${state.realm.string_id}.`)
  return user
}

const findRealm = async (administration: Administration, string_id: string): Promise<Realm> => {
  const realm = await administration.realm(string_id)
  if (realm === undefined) throw new UsageError(`There is no organization named ${string_id}.`)
  return realm
}

/** Parses the arguments after the command. The returned functions throw UsageError if an argument is missing. */
const parse = (args: string[]) => {
  const { values, positionals } = parseArgs({ args, options: allOptions, allowPositionals: true })
  return {
    positional(name: string): string {
      const value = positionals.shift()
      if (value === undefined) throw new UsageError(`<${name}> is missing.`)
      return value
    },
    option(name: keyof typeof allOptions, otherwise?: string): string {
      const value = values[name] ?? otherwise
      if (value === undefined) throw new UsageError(`--${name} is missing.`)
      return value
    },
  }
}

const text = { type: 'string' } as const
const allOptions = {
  name: text,
  email: text,
  role: text,
  password: text,
  'owner-email': text,
  'owner-name': text,
  'owner-password': text,
}

const isHostLabel = (text: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)

const main = async ([name = '--help', ...args]: string[]): Promise<void> => {
  const command = commands[name]
  if (command === undefined || args.includes('--help')) {
    console.log(HELP)
    process.exitCode = command === undefined && name !== '--help' && name !== 'help' ? 1 : 0
    return
  }
  await using administration = openAdministration(loadConfig())
  console.log(JSON.stringify(await command(administration, args)))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isAnswer =
    error instanceof UsageError ||
    error instanceof ApiError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isAnswer ? `${(error as Error).message}\nSee: node dist/cli.js --help` : error)
  process.exitCode = 1
})
