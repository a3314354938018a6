/** Entry point of the command line: `node dist/cli.js <command>`, configured by the environment like every process. */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Administration, openAdministration, requireStrongPassword } from './administration/administration.js'
import { openTraceMap } from './administration/map-traces.js'
import { type Config, findConfigWarnings, loadConfig } from './config/config.js'
import { Role, type UserRow } from './domain/log/rows.js'
import { ApiError } from './domain/protocol/errors.js'
import { isStringId } from './domain/realm/string-id.js'
import { accountRights } from './domain/users/account-rights.js'
import { isEmailAddress, validateEmail, validateFullName } from './domain/users/name-and-email-rules.js'
import { findConnectionProblem } from './store/connection-check.js'
import { AdoptionError } from './store/deployment/adopt.js'
import type { Realm } from './store/log/realm.js'
import type { NewUser } from './store/users/users.js'

const HELP = `node dist/cli.js <command>

  migrate
      Migrates the database. Safe to run at any time, and by several processes at once.

  adopt [--as-new]
      Makes a restored copy of the database work: until then its processes send nothing. The original, if it still
      exists, must not run any more. With --as-new both go on: the copy becomes a deployment of its own, which needs
      another Redis and other files. Restart all processes afterwards. docs/operations.md has the steps of a restore.

  create-realm <string_id> --name NAME --owner-email EMAIL --owner-name NAME [--owner-password PASSWORD]
      Creates an organization, reached as <string_id>.BASE_DOMAIN, and its owner. Prints the owner's API key.

  create-user <realm> --email EMAIL --name NAME [--role ROLE] [--password PASSWORD]
      Creates an account. ROLE is owner, administrator, moderator, member (the default) or guest. Prints its API key.

  map-traces
      Reads log lines from standard input and writes them with the sources in place of the compiled files: in the
      folder of the release that wrote them. It needs no variables.

  list-realms
      Lists the organizations.

  list-users <realm>
      Lists the accounts of an organization, bots and deactivated accounts included.

  deactivate-realm <realm>
      Deactivates an organization: its accounts cannot make calls any more. Its data is kept.

  reactivate-realm <realm>
      Reactivates a deactivated organization. Data that was deleted since then stays deleted.

  move-realm <realm> --to-database URL --to-redis URL
      Moves an organization to another cell, whose gateways have the same SECRET_KEY and files. Its calls are refused
      with 503 while the last rows are copied, and afterwards in this cell: then lead its host name to the other cell.
      A move that was interrupted is continued by the same command. docs/operations.md has all steps.

  delete-moved-realm <realm>
      Deletes the rows that move-realm left in this cell. Files stay: the other cell uses them.

  deactivate-user <realm> <email>
      Deactivates an account and its bots, as an administrator can.

  reactivate-user <realm> <email>
      Reactivates an account. A human user then needs a new API key.

  reset-password <realm> <email> [--password PASSWORD]
      Sets a password and revokes the API key. Without PASSWORD, which other users of this machine could see, it
      prints the address of a page on which the user chooses one, once and within a day.

  api-key <realm> <email>
      Prints the API key of an account.

  account-right <realm> <email> <RIGHT> <on|off>
      Grants a right to an administrator, or revokes it. By default, administrators have all rights. RIGHT is
      can_create_users or can_change_user_emails.

  upload-quota <realm> <MIB>
      Limits the total size of the organization's uploaded files. MIB is a number, or none.

<realm> is an organization's string_id. DATABASE_URL, REDIS_URL and SECRET_KEY must be set, and BASE_DOMAIN, ROOT_REALM
and PUBLIC_URL must have the same values as for the gateways. Each command prints its result as one line of JSON.`

type Command = (administration: Administration, args: string[], config: Config) => Promise<object>

const commands: Readonly<Record<string, Command>> = {
  async migrate(administration) {
    return { applied: await administration.migrate() }
  },

  async adopt(administration, args, config) {
    const { values } = parseArgs({ args, options: { 'as-new': { type: 'boolean', default: false } } })
    return administration.adopt(config, values['as-new'])
  },

  async 'create-realm'(administration, args) {
    const { positional, option } = parse(args)
    const string_id = positional('string_id')
    if (!isStringId(string_id))
      throw new UsageError(`${string_id} cannot be part of a host name: use a-z, 0-9 and hyphens.`)
    if (await administration.realm(string_id))
      throw new UsageError(`There is an organization named ${string_id} already.`)
    const name = option('name')
    const owner = newUser('owner', option('owner-email'), option('owner-name'), option('owner-password', ''))
    // Before the organization exists, so that none is left behind without an owner.
    await checkPassword(owner)
    if (!isEmailAddress(owner.email)) throw new UsageError(`${owner.email} is not an email address.`)
    const realm_id = await administration.createRealm({ string_id, name })
    const created = { realm: string_id, realm_id, owner: await createAccount(administration, string_id, owner) }
    if (owner.password === undefined) {
      console.error(
        `${owner.email} has no password, and apps ask for one. Let the owner choose one:\n` +
          `node dist/cli.js reset-password ${string_id} ${owner.email}`,
      )
    }
    return created
  },

  async 'create-user'(administration, args) {
    const { positional, option } = parse(args)
    const user = newUser(option('role', 'member'), option('email'), option('name'), option('password', ''))
    return createAccount(administration, positional('realm'), user)
  },

  async 'list-realms'(administration) {
    return { realms: await administration.listRealms() }
  },

  async 'list-users'(administration, args) {
    const { state } = await findRealm(administration, parse(args).positional('realm'))
    const users = [...state.users.values()].sort((a, b) => a.id - b.id)
    const names = new Map(Object.entries(Role).map(([name, role]) => [role as number, name]))
    return {
      users: users.map(({ id, delivery_email, full_name, role, is_active, is_bot }) => ({
        user_id: id,
        email: delivery_email,
        full_name,
        role: names.get(role),
        is_active,
        is_bot,
      })),
    }
  },

  async 'deactivate-realm'(administration, args) {
    const string_id = parse(args).positional('realm')
    await administration.deactivate(await findRealm(administration, string_id))
    return { realm: string_id, is_active: false }
  },

  async 'move-realm'(administration, args) {
    const { positional, option } = parse(args)
    const realm = await findRealm(administration, positional('realm'))
    const target = { DATABASE_URL: option('to-database'), REDIS_URL: option('to-redis') }
    return { realm: realm.state.realm.string_id, ...(await administration.moveRealm(realm, target)) }
  },

  async 'delete-moved-realm'(administration, args) {
    const realm = await findRealm(administration, parse(args).positional('realm'))
    const { string_id } = realm.state.realm
    await administration.deleteMovedRealm(realm)
    return { realm: string_id, is_deleted: true }
  },

  async 'deactivate-user'(administration, args) {
    const { realm, user } = await findAccount(administration, args)
    await administration.deactivateUser(realm, user)
    return { user_id: user.id, is_active: false }
  },

  async 'reactivate-user'(administration, args) {
    const { realm, user } = await findAccount(administration, args)
    const owner = user.bot_owner_id === null ? undefined : realm.state.users.get(user.bot_owner_id)
    if (owner?.is_active === false)
      throw new UsageError(`The owner of this bot is deactivated: reactivate ${owner.delivery_email} first.`)
    await administration.reactivateUser(realm, user)
    return { user_id: user.id, is_active: true }
  },

  async 'reset-password'(administration, args) {
    const { realm, user, option } = await findAccount(administration, args)
    if (user.is_bot) throw new UsageError('A bot has no password.')
    if (!user.is_active) throw new UsageError('This account is deactivated: reactivate it first.')
    const password = option('password', '')
    if (password === '') return { user_id: user.id, link: await administration.passwordLink(realm, user) }
    await administration.setPassword(realm, user, password)
    return { user_id: user.id, email: user.delivery_email }
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

const checkPassword = async ({ password, email, full_name }: NewUser): Promise<void> => {
  if (password !== undefined) await requireStrongPassword(password, [email, full_name])
}

const createAccount = async (administration: Administration, string_id: string, user: NewUser) => {
  await checkPassword(user)
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

/** The account of the arguments `<realm> <email>`. System bots are no accounts. */
const findAccount = async (administration: Administration, args: string[]) => {
  const { positional, option } = parse(args)
  const [string_id, email] = [positional('realm'), positional('email')]
  const realm = await findRealm(administration, string_id)
  const user = findUser(realm, email)
  if (user.is_system_bot) throw new UsageError(`${email} is a bot of the server.`)
  return { realm, user, option }
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
  'to-database': text,
  'to-redis': text,
}

/** Writes standard input with the sources in its stack traces. */
const mapTraces = async (): Promise<void> => {
  const map = openTraceMap(fileURLToPath(new URL('.', import.meta.url)))
  for await (const line of createInterface({ input: process.stdin })) console.log(map(line))
}

const main = async ([name = '--help', ...args]: string[]): Promise<void> => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (name === '--help' || name === 'help' || args.includes('--help')) return console.log(HELP)
  if (name === 'map-traces') return mapTraces()
  if (command === undefined) throw new UsageError(`There is no command ${name}.`)
  const config = loadConfig()
  for (const warning of findConfigWarnings(config)) console.error(warning)
  // A database that cannot be reached is the error of the command.
  const problem = await findConnectionProblem('DATABASE_URL', config.DATABASE_URL).catch(() => undefined)
  if (problem !== undefined) throw new UsageError(problem)
  await using administration = openAdministration(config)
  if (name !== 'migrate' && name !== 'adopt') {
    const foreign = await administration.findForeignRedis()
    if (foreign !== undefined) throw new UsageError(foreign)
  }
  console.log(JSON.stringify(await command(administration, args, config)))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isAnswer =
    error instanceof UsageError ||
    error instanceof ApiError ||
    error instanceof AdoptionError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isAnswer ? `${(error as Error).message}\nSee: node dist/cli.js --help` : error)
  process.exitCode = 1
})
