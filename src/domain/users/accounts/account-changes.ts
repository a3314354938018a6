/**
 * Changes of an account: name, role, email address, time zone, settings. Each is a step (log/steps.ts).
 *
 * A step returns the row changes and the entries. The audience of an entry is the users who have access to the account
 * (domain/users/user-access.ts); for a real address it is also limited by `email_address_visibility`. The effects of a
 * role change on groups, channels and bots are in groups/consequences.ts and role-change-visibility.ts.
 * Source: protocol/events.md 3.3 and 3.4, protocol/permissions.md 14.
 */

import { isOwner } from '#rules/roles.js'
import { type Audience, attachRowChanges, type NewEntry } from '../../log/entry.js'
import { composeUpdate } from '../../log/row-changes.js'
import { Role, type UserRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import { realmExportConsent } from '../../realm/realm-entries.js'
import type { SettingValue } from '../../realm/setting-values.js'
import { languages } from '../../settings/languages.js'
import {
  displaySettings,
  notificationSettings,
  omitDefaultUserSettings,
  type UserSettings,
} from '../../settings/user-settings.js'
import { realmBotAdded, realmBotDeleted, realmBotUpdated } from '../bots/bot-entries.js'
import { botAdministrators, composeSealedBot } from '../bots/bots.js'
import { displaySettingUpdated, notificationSettingUpdated, userSettingUpdated } from '../personal/setting-entries.js'
import { userStatus } from '../presence/status-entries.js'
import { audienceWithAccess, type ContactSources, contactSources, groupAddressViewers } from '../user-access.js'
import { realmUserUpdate } from '../user-entries.js'
import { apiEmail, avatarUrl, isGravatar, maxRoleSeeingAddress } from '../users.js'

/** An account to be changed, with the data that the audiences of its entries need. */
export interface Account {
  id: number
  /** ids of the other users in its direct conversations; empty where no guest is restricted (../user-access.ts) */
  partners: readonly number[]
  /** the organization's host name, for addresses that stand in for hidden ones */
  host: string
}

/** The account's row. Throws BAD_REQUEST. */
export const requireUser = (state: RealmState, user_id: number): UserRow => {
  const user = state.users.get(user_id)
  if (user === undefined) throw errors.noSuchUser()
  return user
}

/** The account's contact sources after the steps so far. Its direct conversations are those of `Account`. */
export const accountContactSources = (state: RealmState, user: UserRow, { partners }: Account): ContactSources =>
  contactSources(state, user, partners)

/**
 * Changes the account's name. If the server draws its picture, that changes with the name. Throws BAD_REQUEST when
 * there is no such account.
 */
export const setFullName =
  (account: Account, full_name: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const renamed = { ...user, full_name }
    const isDrawnAnew = avatarUrl(user, true) !== avatarUrl(renamed, true)
    const present = isDrawnAnew ? { ...renamed, avatar_version: user.avatar_version + 1 } : renamed
    const row = composeUpdate('users', user, { full_name, avatar_version: present.avatar_version })
    if (row === undefined) return []
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    // The address of a drawn picture is the same for all viewers.
    const picture = realmUserUpdate({ person: { user_id: user.id, ...pictureFields(present, true) }, viewers })
    const values = { full_name, ...(isDrawnAnew ? { avatar_url: avatarUrl(present, true) } : {}) }
    return [
      realmUserUpdate({ person: { user_id: user.id, full_name }, viewers }, [row]),
      ...(isDrawnAnew ? [picture] : []),
      ...(user.is_bot ? [composeBotUpdate(state, user, values)] : []),
    ]
  }

/**
 * Changes the account's role. A bot that becomes an owner gets a new API key (account-rights.ts, 3). Throws BAD_REQUEST
 * when there is no such account.
 */
export const setRole =
  (account: Account, role: number): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const isPromotedBot = user.is_bot && isOwner({ role }) && !isOwner(user)
    const row = composeUpdate('users', user, isPromotedBot ? { role, key_version: user.key_version + 1 } : { role })
    if (row === undefined) return []
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    return [
      realmUserUpdate({ person: { user_id: user.id, role }, viewers }, [row]),
      ...(user.is_bot ? composeBotRankEntries(state.withChanges([row]), user) : []),
    ]
  }

/** The entries for the users who administer a bot only before or only after its change from or to the role of owner. */
const composeBotRankEntries = (after: RealmState, previous: UserRow): NewEntry[] => {
  const bot = requireUser(after, previous.id)
  if (isOwner(bot) === isOwner(previous)) return []
  const keeper = bot.bot_owner_id === null ? undefined : after.users.get(bot.bot_owner_id)
  const viewers: Audience = {
    ...botAdministrators(after, bot),
    roles: [Role.administrator, Role.administrator],
    users: keeper === undefined || isOwner(keeper) ? [] : [keeper.id],
  }
  if (!isOwner(bot)) return [realmBotAdded({ viewers, bot: composeSealedBot(after, bot) })]
  const { key_version } = bot
  return [
    realmBotDeleted({ viewers, user_id: bot.id }),
    realmBotUpdated({
      realm_id: after.realm.id,
      user_id: bot.id,
      viewers: botAdministrators(after, bot),
      key_version,
    }),
  ]
}

/**
 * Changes the account's time zone. The time zone is a setting and a property of the user object. Throws BAD_REQUEST
 * when there is no such account.
 */
export const setTimeZone =
  (account: Account, timezone: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const row = composeUpdate('users', user, { timezone })
    if (row === undefined) return []
    const change = { user_id: user.id, property: 'timezone', value: timezone }
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    return [
      userSettingUpdated(change, [row]),
      displaySettingUpdated({ ...change, user: user.email }),
      realmUserUpdate({ person: { user_id: user.id, timezone, email: user.email }, viewers }),
    ]
  }

/** Changes the account's real email address. Throws BAD_REQUEST when there is no such account. */
export const setAddress =
  (account: Account, delivery_email: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const moved = { ...user, delivery_email }
    return composeAddressChange(state, user, { ...moved, email: apiEmail(moved, account.host) }, account, () => [])
  }

/**
 * Changes personal settings. A setting that already has the given value produces no entry. Throws BAD_REQUEST when
 * there is no such account.
 */
export const setSettings =
  (account: Account, input: Partial<UserSettings>): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const previous = state.userSettings(user)
    const names = (Object.keys(input) as (keyof UserSettings)[]).filter((name) => input[name] !== previous[name])
    if (names.length === 0) return []
    const settings = omitDefaultUserSettings({ ...previous, ...input })
    const present = { ...user, settings }
    const isAddress = names.includes('email_address_visibility')
    const row = isAddress ? { ...present, email: apiEmail(present, account.host) } : present
    const composeEntries = (name: keyof UserSettings) =>
      composeSettingEntries(state, row, name, input[name] as SettingValue, account)
    return composeAddressChange(state, user, row, account, () => names.flatMap(composeEntries))
  }

/** The entries for one changed setting. */
const composeSettingEntries = (
  state: RealmState,
  user: UserRow,
  property: keyof UserSettings,
  value: SettingValue,
  account: Account,
): NewEntry[] => {
  const language_name = property === 'default_language' ? languages.get(value as string) : undefined
  const change = { user_id: user.id, property, value, ...(language_name === undefined ? {} : { language_name }) }
  const older = { ...change, user: user.email }
  const entries: NewEntry[] = [userSettingUpdated(change)]
  if (includes(displaySettings, property)) entries.push(displaySettingUpdated(older))
  if (includes(notificationSettings, property)) entries.push(notificationSettingUpdated(older))
  if (property === 'allow_private_data_export') {
    entries.push(realmExportConsent({ user_id: user.id, consented: value === true }))
  }
  if (property === 'presence_enabled') {
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    entries.push(userStatus({ user_id: user.id, viewers, away: value === false }))
  }
  return entries
}

const includes = (names: readonly string[], name: string): boolean => names.includes(name)

/** The entries of `first`, then those for viewers of the account whose view of its addresses changes. */
const composeAddressChange = (
  state: RealmState,
  previous: UserRow,
  present: UserRow,
  account: Account,
  first: () => NewEntry[],
): NewEntry[] => {
  const { settings, email, delivery_email } = present
  const row = composeUpdate('users', previous, { settings, email, delivery_email })
  if (row === undefined) return []
  return attachRowChanges(
    [row],
    [...first(), ...composeAddressEntries(state, previous, present, accountContactSources(state, previous, account))],
  )
}

const composeAddressEntries = (
  state: RealmState,
  previous: UserRow,
  present: UserRow,
  met: ContactSources,
): NewEntry[] => {
  const user_id = present.id
  const entries: NewEntry[] = []
  if (previous.email !== present.email) {
    const viewers = audienceWithAccess(state, present, met)
    entries.push(realmUserUpdate({ person: { user_id, new_email: present.email }, viewers }))
  }
  const parts = groupAddressViewers(state, present, met, maxRoleSeeingAddress(previous), maxRoleSeeingAddress(present))
  for (const { before, after, audience: viewers } of parts) {
    const delivery_email = after ? present.delivery_email : null
    if (delivery_email !== (before ? previous.delivery_email : null)) {
      entries.push(realmUserUpdate({ person: { user_id, delivery_email }, viewers }))
    }
    // A Gravatar URL contains a hash of the address that the viewer sees, so it changes with that address.
    if (isGravatar(present) && avatarUrl(previous, before) !== avatarUrl(present, after)) {
      entries.push(realmUserUpdate({ person: { user_id, ...pictureFields(present, after) }, viewers }))
    }
  }
  return entries
}

/** The avatar fields of an event. `address`: whether the viewer sees the real address. */
export const pictureFields = (user: UserRow, address: boolean) => ({
  avatar_url: avatarUrl(user, address),
  avatar_url_medium: avatarUrl(user, address, true),
  avatar_source: user.avatar_source,
  avatar_version: user.avatar_version,
})

/** The entry with a bot's new values, for the users who administer the bot. */
export const composeBotUpdate = (
  state: RealmState,
  bot: UserRow,
  values: NonNullable<Parameters<typeof realmBotUpdated>[0]['values']>,
): NewEntry =>
  realmBotUpdated({ realm_id: state.realm.id, user_id: bot.id, viewers: botAdministrators(state, bot), values })

/**
 * Invalidates every earlier API key of the account. The administrators of a bot receive its new key. Throws BAD_REQUEST
 * when there is no such account.
 */
export const renewKey =
  (user_id: number): Step =>
  (state) => {
    const user = requireUser(state, user_id)
    const key_version = user.key_version + 1
    const row = composeUpdate('users', user, { key_version })
    if (row === undefined) return []
    if (!user.is_bot) return [composeSilentEntry([row])]
    const viewers = botAdministrators(state, user)
    return [realmBotUpdated({ realm_id: state.realm.id, user_id, viewers, key_version }, [row])]
  }
