/**
 * Deactivating and reactivating accounts.
 *
 * 1. A deactivated account keeps the rows of its subscriptions and memberships; they have no effect until it is
 *    reactivated.
 * 2. On deactivation, clients with access to the account remove it from groups and group settings by themselves when
 *    they receive `is_active: false`; restricted guests without access receive an event for each group and setting. On
 *    reactivation, every client receives an event for each.
 * 3. Deactivating an owner deactivates the owner's bots. Reactivating the owner does not reactivate them.
 * 4. A reactivated account has the API key and the password of before; its sessions of browsers have ended.
 *    Deactivating and reactivating can also end all credentials: the API key, and with it the mailed links, and the
 *    password (store/users/account-deactivation.ts).
 *
 * Source: protocol/events.md 4.7, protocol/permissions.md 10.2 and 10.3.
 */

import { realmGroupRules, userGroupRules } from '#rules/group-settings.js'
import { channelUpdated } from '../../channels/channel-entries.js'
import { channelGroupSettings } from '../../channels/channels.js'
import { groupPeers, type MembershipChanges } from '../../channels/membership.js'
import { peersAdded, peersRemoved } from '../../channels/subscription-entries.js'
import { groupMembersAdded, groupMembersRemoved, groupUpdated } from '../../groups/group-entries.js'
import { directSystemGroups } from '../../groups/user-groups.js'
import { AllUsers, type Audience, attachRowChanges, type NewEntry } from '../../log/entry.js'
import { composeUpdate } from '../../log/row-changes.js'
import { Role, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { metadataAudience } from '../../permissions/channel-access.js'
import { wireValue } from '../../permissions/group-setting-rules.js'
import { composeConsentEntry, realmUpdatedTogether } from '../../realm/realm-entries.js'
import type { GroupSettingValue } from '../../settings/group-setting-values.js'
import { composeIntroduction, composeStatusEntries } from '../guest-visibility.js'
import { audienceWithAccess, hasRestrictedGuests } from '../user-access.js'
import { realmUserRemove, realmUserUpdate } from '../user-entries.js'
import { type Account, accountContactSources, composeBotUpdate, requireUser } from './account-changes.js'
import { composeSessionEnds } from './sessions.js'

/** The steps that deactivate the account's bots and then the account. @param endsKeys their API keys end, too (4) */
export const deactivateAccount = (state: RealmState, account: Account, endsKeys: boolean): Step[] => {
  const bots = sortById(state.users).filter((bot) => bot.is_bot && bot.is_active && bot.bot_owner_id === account.id)
  return [
    ...bots.map(({ id }) => deactivateOne({ ...account, id, partners: [] }, endsKeys)),
    deactivateOne(account, endsKeys),
  ]
}

const deactivateOne =
  (account: Account, endsKeys: boolean): Step =>
  (state) => {
    const user = requireUser(state, account.id)
    const key_version = user.key_version + (endsKeys ? 1 : 0)
    const row = composeUpdate('users', user, { is_active: false, key_version })
    if (row === undefined) return []
    const after = state.withChanges([row])
    const viewers = audienceWithAccess(after, user, accountContactSources(after, requireUser(after, user.id), account))
    const lost = subtractGuests(viewers, audienceWithAccess(state, user, accountContactSources(state, user, account)))
    return attachRowChanges(
      [row, ...composeSessionEnds(state, user.id)],
      [
        ...groupPeers(after, collectChannels(state, user)).map((group) => peersRemoved(group)),
        realmUserUpdate({ person: { user_id: user.id, is_active: false }, viewers }),
        ...(lost.length > 0 ? [realmUserRemove({ user_id: user.id, viewers: { users: lost } })] : []),
        ...limitToGuestsWithoutAccess(state, viewers, [
          ...collectDirectGroups(state, user).map((data) => groupMembersRemoved(data)),
          ...composeSettingUpdates(after, user),
        ]),
        ...(user.is_bot ? [composeBotUpdate(after, user, { is_active: false })] : []),
      ],
    )
  }

/**
 * Reactivates a deactivated account. Throws BAD_REQUEST when there is no such account.
 * @param bot_owner_id the owner from now on, if the account is a bot
 * @param endsKey the API key of before ends (4)
 */
export const reactivateAccount =
  (account: Account, bot_owner_id: number | null, endsKey = false): Step =>
  (state) => {
    const previous = requireUser(state, account.id)
    if (previous.is_active) return []
    const key_version = previous.key_version + (endsKey ? 1 : 0)
    const row = composeUpdate('users', previous, { is_active: true, bot_owner_id, key_version })
    if (row === undefined) return []
    const after = state.withChanges([row])
    const user = requireUser(after, account.id)
    const [knew, knows] = [previous, user].map((row) =>
      audienceWithAccess(after, row, accountContactSources(after, row, account)),
    ) as [Audience, Audience]
    const gained = subtractGuests(knew, knows)
    return attachRowChanges(
      // The previous release kept the sessions of a deactivated account.
      [row, ...composeSessionEnds(state, user.id)],
      [
        realmUserUpdate({ person: { user_id: user.id, is_active: true }, viewers: knew }),
        ...gained.flatMap((id) => composeIntroduction(after, requireUser(after, id), user)),
        ...(user.is_bot ? composeBotReactivation(after, previous, user) : []),
        ...collectDirectGroups(after, user).map((data) => groupMembersAdded(data)),
        ...composeSettingUpdates(after, user),
        ...groupPeers(after, collectChannels(after, user)).map((group) => peersAdded(group)),
        ...composeStatusEntries(after, user, knew),
        ...(user.is_bot ? [] : [composeConsentEntry(user)]),
      ],
    )
  }

/** The entries for a reactivated bot. A bot whose owner is deactivated gets a new owner. */
const composeBotReactivation = (after: RealmState, previous: UserRow, user: UserRow): NewEntry[] => {
  const owner_id = user.bot_owner_id
  if (owner_id === null || owner_id === previous.bot_owner_id)
    return [composeBotUpdate(after, user, { is_active: true })]
  return [
    realmUserUpdate({ person: { user_id: user.id, bot_owner_id: owner_id }, viewers: AllUsers }),
    composeBotUpdate(after, user, { is_active: true, owner_id }),
  ]
}

/**
 * The account's subscriptions by channel id. They include archived channels, which the existing server leaves out: a
 * client that lists archived channels counts their subscribers by peer_add and peer_remove too.
 */
const collectChannels = (state: RealmState, user: UserRow): MembershipChanges =>
  [...state.userSubscriptions(user.id)]
    .sort(([a], [b]) => a - b)
    .flatMap(([channel_id, { active }]) => {
      const channel = state.channels.get(channel_id)
      return active && channel !== undefined ? [{ channel, users: [user] }] : []
    })

/** The data of membership entries for the groups in which the account is a direct member. */
const collectDirectGroups = (state: RealmState, user: UserRow) =>
  sortById(state.groups)
    .filter(({ id }) => state.directMembers(id).has(user.id) || directSystemGroups(state, user).includes(id))
    .map(({ id, deactivated }) => ({ group_id: id, deactivated, ids: [user.id] }))

/** The entries with the present value of each group setting that lists the account as a direct member. */
const composeSettingUpdates = (state: RealmState, user: UserRow): NewEntry[] => {
  const lists = (value: GroupSettingValue) => typeof value !== 'number' && value.direct_members.includes(user.id)
  const named = <S extends string>(names: readonly S[], holder: Readonly<Record<NoInfer<S>, GroupSettingValue>>) =>
    names.filter((name) => lists(holder[name])).map((name) => ({ name, value: wireValue(state, holder[name]) }))

  const groups = sortById(state.groups).flatMap((group) =>
    named(listKeys(userGroupRules), group).map(({ name, value }) =>
      groupUpdated({ group_id: group.id, deactivated: group.deactivated, data: { [name]: value } }),
    ),
  )
  const organization = named(listKeys(realmGroupRules), state.settings).map(({ name, value }) =>
    realmUpdatedTogether({ data: { [name]: value } }),
  )
  const channels = sortById(state.channels).flatMap((channel) =>
    named(channelGroupSettings, channel).map(({ name: property, value }) =>
      channelUpdated({
        to: metadataAudience(state, channel),
        stream_id: channel.id,
        name: channel.name,
        is_archived: channel.is_archived,
        property,
        value,
      }),
    ),
  )
  return [...groups, ...organization, ...channels]
}

const sortById = <T extends { id: number }>(rows: ReadonlyMap<number, T>): T[] =>
  [...rows.values()].sort((a, b) => a.id - b.id)

const listKeys = <S extends string>(rules: Readonly<Record<S, unknown>>): S[] => Object.keys(rules) as S[]

/** The entries, limited to those of their recipients who are restricted guests without access to the account. */
const limitToGuestsWithoutAccess = (state: RealmState, knowers: Audience, entries: readonly NewEntry[]): NewEntry[] => {
  if (!hasRestrictedGuests(state) || knowers === AllUsers) return []
  const known = new Set(knowers.users)
  const strangers = [...state.users.values()]
    .filter((user) => user.role === Role.guest && user.is_active && !known.has(user.id))
    .map(({ id }) => id)
  return entries.flatMap((entry) => {
    const { roles, channel } = entry.audience
    const users =
      roles !== undefined && roles[1] >= Role.guest
        ? strangers
        : strangers.filter((id) => channel !== undefined && state.isSubscribed(id, channel))
    return users.length === 0 ? [] : [{ ...entry, audience: { users } }]
  })
}

/** Ids in the wider audience that the narrower one lacks; both differ in guests only. */
const subtractGuests = (narrower: Audience, wider: Audience): number[] =>
  (wider.users ?? []).filter((id) => narrower.users?.includes(id) !== true)
