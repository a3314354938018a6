/** Commands for the accounts of an organization. */
import type { Administration } from '../administration/administration.js'
import { OperatorError } from '../administration/operator-error.js'
import { requireStrongPassword } from '../administration/strong-password.js'
import { Role } from '../domain/log/rows.js'
import { accountRights } from '../domain/users/accounts/account-rights.js'
import { validateEmail, validateFullName } from '../domain/users/name-and-email-rules.js'
import type { NewUser } from '../store/users/users.js'
import { command, UsageError } from './command.js'
import { findAccount, findRealm, findUser } from './lookup.js'

const newUser = (roleName: string, email: string, full_name: string, password: string | undefined): NewUser => {
  const role = Role[roleName as keyof typeof Role]
  if (role === undefined)
    throw new UsageError(`There is no role ${roleName}; there are ${Object.keys(Role).join(', ')}.`)
  return { email, full_name, role, ...(password === undefined ? {} : { password }) }
}

const createAccount = async (administration: Administration, string_id: string, user: NewUser) => {
  if (user.password !== undefined) await requireStrongPassword(user.password, [user.email, user.full_name])
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

/** The commands for accounts, in the order of the help. */
export const accountCommands = [
  command({
    name: 'create-user',
    takes: ['realm'],
    options: {
      email: { value: 'EMAIL', required: true },
      name: { value: 'NAME', required: true },
      role: { value: 'ROLE' },
      password: { value: 'PASSWORD' },
    },
    about:
      'Creates an account. ROLE is owner, administrator, moderator, member (the default) or guest. Prints its API key.',
    async run(context, { realm, options }) {
      const user = newUser(options.role ?? 'member', options.email, options.name, options.password)
      return createAccount(await context.open(), realm, user)
    },
  }),

  command({
    name: 'list-users',
    takes: ['realm'],
    about: 'Lists the accounts of an organization, bots and deactivated accounts included.',
    async run(context, input) {
      const { state } = await findRealm(await context.open(), input.realm)
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
  }),

  command({
    name: 'deactivate-user',
    takes: ['realm', 'email'],
    about: 'Deactivates an account and its bots, as an administrator can.',
    async run(context, input) {
      const administration = await context.open()
      const { realm, user } = await findAccount(administration, input.realm, input.email)
      await administration.deactivateUser(realm, user)
      return { user_id: user.id, is_active: false }
    },
  }),

  command({
    name: 'reactivate-user',
    takes: ['realm', 'email'],
    about: 'Reactivates an account. A human user then needs a new API key.',
    async run(context, input) {
      const administration = await context.open()
      const { realm, user } = await findAccount(administration, input.realm, input.email)
      const owner = user.bot_owner_id === null ? undefined : realm.state.users.get(user.bot_owner_id)
      if (owner?.is_active === false)
        throw new OperatorError(`The owner of this bot is deactivated: reactivate ${owner.delivery_email} first.`)
      await administration.reactivateUser(realm, user)
      return { user_id: user.id, is_active: true }
    },
  }),

  command({
    name: 'reset-password',
    takes: ['realm', 'email'],
    options: { password: { value: 'PASSWORD' } },
    about:
      'Sets a password and revokes the API key. Without PASSWORD, which other users of this machine could see, it\n' +
      'prints the address of a page on which the user chooses one, once and within a day.',
    async run(context, input) {
      const administration = await context.open()
      const { realm, user } = await findAccount(administration, input.realm, input.email)
      if (user.is_bot) throw new OperatorError('A bot has no password.')
      if (!user.is_active) throw new OperatorError('This account is deactivated: reactivate it first.')
      const { password } = input.options
      if (password === undefined) return { user_id: user.id, link: await administration.passwordLink(realm, user) }
      await administration.setPassword(realm, user, password)
      return { user_id: user.id, email: user.delivery_email }
    },
  }),

  command({
    name: 'end-second-factor',
    takes: ['realm', 'email'],
    about:
      'Ends the second factor of an account whose user has lost it, all its sessions and its API key. The user is\n' +
      'mailed, and logs in with the password.',
    async run(context, input) {
      const administration = await context.open()
      const { realm, user } = await findAccount(administration, input.realm, input.email)
      if (user.is_bot) throw new OperatorError('A bot has no second factor.')
      await administration.endSecondFactor(realm, user)
      return { user_id: user.id, email: user.delivery_email }
    },
  }),

  command({
    name: 'api-key',
    takes: ['realm', 'email'],
    about: 'Prints the API key of an account.',
    async run(context, input) {
      const administration = await context.open()
      const realm = await findRealm(administration, input.realm)
      const user = findUser(realm, input.email)
      return { user_id: user.id, email: user.delivery_email, api_key: administration.apiKey(realm, user) }
    },
  }),

  command({
    name: 'account-right',
    takes: ['realm', 'email', 'RIGHT', 'on|off'],
    about:
      'Grants a right to an administrator, or revokes it. By default, administrators have all rights. RIGHT is\n' +
      'can_create_users or can_change_user_emails.',
    async run(context, { realm: string_id, email, RIGHT: name, 'on|off': value }) {
      const right = accountRights.find((right) => right === name)
      if (right === undefined) throw new UsageError(`There is no right ${name}; there are ${accountRights.join(', ')}.`)
      if (value !== 'on' && value !== 'off') throw new UsageError(`${value} is neither on nor off.`)
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      const user = findUser(realm, email)
      await administration.setAccountRight(realm, user, right, value === 'on')
      return { user_id: user.id, [right]: value === 'on' }
    },
  }),
]
