/**
 * Accounts: creating them.
 *
 * A new account is one guarded change. Its entries are in the order in which clients need them: the account, its system
 * groups, then its channels (protocol/events.md 4.10). The account has no event queue yet, so it receives none of them
 * itself.
 */

import { chooseLanguage, sourceLanguage } from '#rules/languages.js'
import { isGuest } from '#rules/roles.js'
import { secondsNow } from '#rules/time.js'
import { groupMembersAdded } from '../../domain/groups/group-entries.js'
import { directSystemGroups } from '../../domain/groups/user-groups.js'
import type { NewEntry } from '../../domain/log/entry.js'
import { composeInsert, composeUpdate, type RowChange } from '../../domain/log/row-changes.js'
import { type BotRow, type ChannelRow, Role, type UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import { composeConsentEntry } from '../../domain/realm/realm-entries.js'
import type { UserSettings } from '../../domain/settings/user-settings.js'
import { realmBotAdded } from '../../domain/users/bots/bot-entries.js'
import { botAdministrators, composeSealedBot, defaultBotRow } from '../../domain/users/bots/bots.js'
import { composeUserAddData, realmUserAdd } from '../../domain/users/user-entries.js'
import { apiEmail } from '../../domain/users/users.js'
import { subscribeChanges } from '../channels/subscriptions.js'
import type { JobSpec } from '../jobs/job-table.js'
import { type Change, combineChanges, commit, entriesChange } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { hashPassword, storePassword } from './passwords.js'

/** An account to create. Missing properties have the values of a person who just joined. */
export interface NewUser {
  email: string
  full_name: string
  role?: number
  password?: string
  /** the result of hashPassword, for callers that hash before they take the structure lock */
  password_hash?: string
  timezone?: string
  /** override the organization's defaults for new accounts */
  settings?: Partial<UserSettings>
  /** present for bots */
  bot?: { type: number; owner_id: number | null; details?: Partial<Omit<BotRow, 'user_id'>> }
  /** `U` if an uploaded picture is stored already as the account's first version */
  avatar_source?: UserRow['avatar_source']
  /** UNIX seconds */
  date_joined?: number
  /** used instead of the organization's default channels; archived ones are skipped */
  channel_ids?: readonly number[]
  /** groups of which the account becomes a member; deactivated ones are skipped */
  group_ids?: readonly number[]
}

/** Composes the job that mails a welcome to the next account. There is none if the organization sends no such mails. */
export const composeWelcomeJobs = (state: RealmState, realm_url: string): JobSpec[] =>
  state.settings.send_welcome_emails
    ? [{ kind: 'welcome_mail', payload: { user_id: state.nextId('users'), realm_url } }]
    : []

/**
 * Creates accounts in one change: tens of thousands are possible.
 * @param host the organization's host name, for addresses that stand in for hidden ones
 * @param besides another change in the same transaction; its entries follow those of the accounts
 * @returns their rows, in order. Throws BAD_REQUEST when an address is taken or given twice, and StaleStateError.
 */
export const createUsers = async (
  context: WriteContext,
  host: string,
  users: readonly NewUser[],
  besides: Change = entriesChange([]),
): Promise<readonly UserRow[]> => {
  const { realm } = context
  const { state } = realm
  checkAddresses(state, users)
  const first = state.nextId('users')
  const now = secondsNow()
  const rows = users.map((user, i) => composeUserRow(state, first + i, host, user, now))
  const bots = new Map(
    users.flatMap(({ bot }, i) => (bot === undefined ? [] : [composeBotEntry(first + i, bot.details)])),
  )
  // Hashing takes time. If the structure changes meanwhile, the guard of the change refuses the rows composed above.
  const passwords = await hashPasswords(users, first)

  const channels = assignChannels(state, users, rows)
  const joins = groupByChannels(channels).map(([places, newcomers]) =>
    subscribeChanges(state, newcomers, places, { newcomers: true }),
  )
  const accounts: Change = async (tx) => ({
    entries: [
      ...composeAccountEntries(state, rows, bots, channels, host),
      ...composeMembershipEntries(state, users, rows),
    ],
    // After the head, because the rows of the accounts are inserted before it.
    underHeadLock: () => passwords.map(({ user_id, hash }) => storePassword(tx, realm.id, user_id, hash)),
  })
  const announcement = entriesChange([], composeSignupJobs(state, rows))
  const all = combineChanges([accounts, ...joins, besides, announcement])
  return commit(context, async (tx) => ({ ...(await all(tx)), result: rows }))
}

/** The job that announces new users in the organization's signup channel. */
const composeSignupJobs = ({ channels, settings }: RealmState, rows: readonly UserRow[]): JobSpec[] => {
  const humans = rows.filter(({ is_bot }) => !is_bot)
  if (humans.length === 0 || !channels.has(settings.signup_announcements_stream_id)) return []
  return [{ kind: 'signup_notice', payload: { user_ids: humans.map(({ id }) => id) } }]
}

const checkAddresses = (state: RealmState, users: readonly NewUser[]): void => {
  const given = new Set<string>()
  for (const { email } of users) {
    const address = email.toLowerCase()
    if (given.has(address) || state.userByEmail(address) !== undefined) {
      throw errors.badRequest('An account with this email address already exists.')
    }
    given.add(address)
  }
}

/** The row of a new account. @param now UNIX seconds */
export const composeUserRow = (state: RealmState, id: number, host: string, user: NewUser, now: number): UserRow => {
  const row = {
    id,
    delivery_email: user.email,
    full_name: user.full_name,
    role: user.role ?? Role.member,
    is_active: true,
    is_bot: user.bot !== undefined,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.owner_id ?? null,
    is_system_bot: false,
    date_joined: user.date_joined ?? now,
    timezone: user.timezone ?? '',
    avatar_source: user.avatar_source ?? 'G',
    uses_gravatar: state.settings.default_avatar_source === 'G',
    avatar_version: 1,
    key_version: 1,
    can_create_users: true,
    can_change_user_emails: true,
    settings: {
      ...(user.bot === undefined ? { ...state.realm.user_settings_defaults, ...organizationLanguage(state) } : {}),
      ...user.settings,
    },
    profile_data: {},
  }
  return { ...row, email: apiEmail(row, host) }
}

/** The language of the organization. A new account has it until its user chooses another one. */
const organizationLanguage = ({ settings }: RealmState): Partial<UserSettings> => {
  const default_language = chooseLanguage([settings.default_language])
  return default_language === sourceLanguage ? {} : { default_language }
}

const hashPasswords = (users: readonly NewUser[], first: number): Promise<{ user_id: number; hash: string }[]> =>
  Promise.all(
    users.flatMap(({ password, password_hash }, i) => {
      const hash = password_hash ?? (password === undefined ? undefined : hashPassword(password))
      return hash === undefined ? [] : [Promise.resolve(hash).then((hash) => ({ user_id: first + i, hash }))]
    }),
  )

const composeBotEntry = (user_id: number, details: Partial<BotRow> = {}): [number, BotRow] => [
  user_id,
  { ...defaultBotRow(user_id), ...details },
]

type Channels = ReadonlyMap<UserRow, readonly ChannelRow[]>

/** The channels to which each new account is subscribed. Accounts with the defaults share one list object. */
const assignChannels = (state: RealmState, users: readonly NewUser[], rows: readonly UserRow[]): Channels => {
  const defaults = collectOpenChannels(state, state.defaultChannels)
  const none: ChannelRow[] = []
  return new Map(
    rows.map((row, i) => {
      const given = users[i]?.channel_ids
      if (given !== undefined) return [row, collectOpenChannels(state, given)]
      return [row, row.is_bot || isGuest(row) ? none : defaults]
    }),
  )
}

const collectOpenChannels = (state: RealmState, ids: Iterable<number>): ChannelRow[] =>
  [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => state.channels.get(id) ?? [])
    .filter((channel) => !channel.is_archived)

/** The accounts grouped by their list of channels. */
const groupByChannels = (channels: Channels): [places: readonly ChannelRow[], newcomers: UserRow[]][] => {
  const found = new Map<readonly ChannelRow[], UserRow[]>()
  for (const [row, places] of channels) {
    const others = found.get(places)
    if (others === undefined) found.set(places, [row])
    else others.push(row)
  }
  return [...found]
}

/** The entries that add new accounts to the groups given for them. */
const composeMembershipEntries = (state: RealmState, users: readonly NewUser[], rows: readonly UserRow[]): NewEntry[] =>
  rows.flatMap(({ id: user_id }, i) =>
    (users[i]?.group_ids ?? []).flatMap((group_id) => {
      const group = state.groups.get(group_id)
      if (group === undefined || group.deactivated) return []
      const row = composeInsert('group_members', { group_id, user_id })
      return [groupMembersAdded({ group_id, deactivated: false, ids: [user_id] }, [row])]
    }),
  )

/** The entries for the new accounts. The first entry of each account carries its rows. */
const composeAccountEntries = (
  state: RealmState,
  rows: readonly UserRow[],
  bots: ReadonlyMap<number, BotRow>,
  channels: Channels,
  host: string,
) => {
  const entries: NewEntry[] = []
  const members = new Map<number, number[]>()
  const consents: NewEntry[] = []
  const administered: NewEntry[] = []
  for (const [i, row] of rows.entries()) {
    const meetings = { channels: (channels.get(row) ?? []).map(({ id }) => id), partners: [] }
    const bot = bots.get(row.id)
    const changes: RowChange[] = [
      composeInsert('users', row),
      ...(bot === undefined ? [] : [composeInsert('bots', bot)]),
      ...(i === 0 ? composeCounterChanges(state, rows.length) : []),
    ]
    for (const [n, data] of composeUserAddData(state, row, meetings, host).entries()) {
      entries.push(realmUserAdd(data, n === 0 ? changes : []))
    }
    for (const group_id of directSystemGroups(state, row)) {
      const ids = members.get(group_id)
      if (ids === undefined) members.set(group_id, [row.id])
      else ids.push(row.id)
    }
    if (!row.is_bot) consents.push(composeConsentEntry(row))
    if (bot !== undefined) {
      administered.push(
        realmBotAdded({ viewers: botAdministrators(state, row), bot: composeSealedBot(state, row, bot) }),
      )
    }
  }
  const joined = [...members].map(([group_id, ids]) => groupMembersAdded({ group_id, deactivated: false, ids }))
  return [...entries, ...joined, ...administered, ...consents]
}

const composeCounterChanges = (state: RealmState, count: number): RowChange[] => {
  const value = state.counters.get('users') ?? 0
  const change = composeUpdate('counters', { name: 'users', value }, { value: value + count })
  return change === undefined ? [] : [change]
}
