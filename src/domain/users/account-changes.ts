/**
 * What changing an account writes, and who is told what: names, roles, addresses, time zones, settings.
 *
 * Each is a step (steps.ts). Who hears of it depends on who may know of the account, and for addresses on who may see
 * them. What follows for groups, channels and others' bots is not here: groups/consequences.ts, role-change-visibility.ts.
 * Source: events.md 3.3 and 3.4, permissions.md section 14.
 */

import { carrying, type NewEntry } from '../log/entry.js'
import { quiet } from '../log/quiet.js'
import { updated } from '../log/row-changes.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { realmExportConsent } from '../realm/realm-entries.js'
import type { SettingValue } from '../realm/setting-values.js'
import { languages } from '../settings/languages.js'
import { displaySettings, kept, notificationSettings, type UserSettings } from '../settings/user-settings.js'
import { realmBotUpdated } from './bot-entries.js'
import { botAdministrators } from './bots.js'
import { displaySettingUpdated, notificationSettingUpdated, userSettingUpdated } from './setting-entries.js'
import { userStatus } from './status-entries.js'
import { audienceWithAccess, type ContactSources, contactSources, groupAddressViewers } from './user-access.js'
import { realmUserUpdate } from './user-entries.js'
import { apiEmail, avatarUrl, isGravatar, maxRoleSeeingAddress } from './users.js'

/** An account to be changed, and what it takes to say who hears of it. */
export interface Account {
  id: number
  /** the others in its direct conversations, as far as that matters (user-access.ts) */
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

export const accountContactSources = (state: RealmState, user: UserRow, { partners }: Account): ContactSources =>
  contactSources(state, user, partners)

/** Gives the account another name. */
export const setFullName =
  (account: Account, full_name: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const row = updated('users', user, { full_name })
    if (row === undefined) return []
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    return [
      realmUserUpdate({ person: { user_id: user.id, full_name }, viewers }, [row]),
      ...(user.is_bot ? [composeBotUpdate(state, user, { full_name })] : []),
    ]
  }

/** Gives the account another role. */
export const setRole =
  (account: Account, role: number): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const row = updated('users', user, { role })
    if (row === undefined) return []
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    return [realmUserUpdate({ person: { user_id: user.id, role }, viewers }, [row])]
  }

export const setTimeZone =
  (account: Account, timezone: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const row = updated('users', user, { timezone })
    if (row === undefined) return []
    const change = { user_id: user.id, property: 'timezone', value: timezone }
    const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
    return [
      userSettingUpdated(change, [row]),
      displaySettingUpdated({ ...change, user: user.email }),
      realmUserUpdate({ person: { user_id: user.id, timezone, email: user.email }, viewers }),
    ]
  }

/** Gives the account another real address. */
export const setAddress =
  (account: Account, delivery_email: string): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const moved = { ...user, delivery_email }
    return composeAddressChange(state, user, { ...moved, email: apiEmail(moved, account.host) }, account, () => [])
  }

/** Sets personal settings. Those that have the value already are told to nobody. */
export const setSettings =
  (account: Account, given: Partial<UserSettings>): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const former = state.settingsOf(user)
    const names = (Object.keys(given) as (keyof UserSettings)[]).filter((name) => given[name] !== former[name])
    if (names.length === 0) return []
    const settings = kept({ ...former, ...given })
    const present = { ...user, settings }
    const isAddress = names.includes('email_address_visibility')
    const row = isAddress ? { ...present, email: apiEmail(present, account.host) } : present
    const composeEntries = (name: keyof UserSettings) =>
      composeSettingEntries(state, row, name, given[name] as SettingValue, account)
    return composeAddressChange(state, user, row, account, () => names.flatMap(composeEntries))
  }

/** What one setting with another value is told as. */
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

/** The entries of `first`, then what the account's viewers are told when its addresses change with them. */
const composeAddressChange = (
  state: RealmState,
  former: UserRow,
  present: UserRow,
  account: Account,
  first: () => NewEntry[],
): NewEntry[] => {
  const { settings, email, delivery_email } = present
  const row = updated('users', former, { settings, email, delivery_email })
  if (row === undefined) return []
  return carrying(
    [row],
    [...first(), ...composeAddressEntries(state, former, present, accountContactSources(state, former, account))],
  )
}

const composeAddressEntries = (
  state: RealmState,
  former: UserRow,
  present: UserRow,
  met: ContactSources,
): NewEntry[] => {
  const user_id = present.id
  const entries: NewEntry[] = []
  if (former.email !== present.email) {
    const viewers = audienceWithAccess(state, present, met)
    entries.push(realmUserUpdate({ person: { user_id, new_email: present.email }, viewers }))
  }
  const parts = groupAddressViewers(state, present, met, maxRoleSeeingAddress(former), maxRoleSeeingAddress(present))
  for (const { before, after, audience: viewers } of parts) {
    const delivery_email = after ? present.delivery_email : null
    if (delivery_email !== (before ? former.delivery_email : null)) {
      entries.push(realmUserUpdate({ person: { user_id, delivery_email }, viewers }))
    }
    // A picture that is computed from an address is another one for whoever sees another address.
    if (isGravatar(present) && avatarUrl(former, before) !== avatarUrl(present, after)) {
      entries.push(realmUserUpdate({ person: { user_id, ...pictureFields(present, after) }, viewers }))
    }
  }
  return entries
}

/** The account's picture, as an event tells of it. */
export const pictureFields = (user: UserRow, address: boolean) => ({
  avatar_url: avatarUrl(user, address),
  avatar_url_medium: avatarUrl(user, address, true),
  avatar_source: user.avatar_source,
  avatar_version: user.avatar_version,
})

/** The entry that tells a bot's administrators of new values. */
export const composeBotUpdate = (
  state: RealmState,
  bot: UserRow,
  values: NonNullable<Parameters<typeof realmBotUpdated>[0]['values']>,
): NewEntry =>
  realmBotUpdated({ realm_id: state.realm.id, user_id: bot.id, viewers: botAdministrators(state, bot), values })

/** Makes every earlier API key of the account worthless. Of a bot, those who administer it are told the new one. */
export const renewKey =
  (user_id: number): Step =>
  (state) => {
    const user = requireUser(state, user_id)
    const key_version = user.key_version + 1
    const row = updated('users', user, { key_version })
    if (row === undefined) return []
    if (!user.is_bot) return [quiet([row])]
    const viewers = botAdministrators(state, user)
    return [realmBotUpdated({ realm_id: state.realm.id, user_id, viewers, key_version }, [row])]
  }
