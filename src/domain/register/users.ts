/**
 * Fetch names `realm_user` and `realm_bot`: the users that the viewer may know, and the viewer.
 * Source: protocol/register.md 5.2.
 */
import { z } from 'zod'
import { mayCreateChannel } from '#rules/channel-access.js'
import { mayInRealm } from '#rules/permissions.js'
import { Role, type UserRow } from '../log/rows.js'
import { RawJson, rawArray, SecretText } from '../protocol/raw-json.js'
import { hasWebAccess } from '../realm/web-access.js'
import { administeredBots, botObject, composeSealedBot, unsealBot } from '../users/bots/bots.js'
import { composeListForSpectator, composeListForUser } from '../users/shared-user-lists.js'
import { collectContacts, contactSources, isRestrictedGuest } from '../users/user-access.js'
import { listUsers } from '../users/user-lists.js'
import {
  avatarUrl,
  canSeeAddress,
  composeUser,
  joiningDay,
  listedUser,
  omitActivity,
  roleFlags,
  unknownAvatarUrl,
  unknownUser,
  userJson,
  userObject,
} from '../users/users.js'
import { type DatabaseField, declareDatabaseField, field, type SnapshotRequest } from './snapshot-request.js'

/** An account in the registration. A spectator gets accounts without time zones. */
export const registeredUser = listedUser.partial({ timezone: true })

export const userSection = {
  realm_users: field(z.array(registeredUser), (request) => composeUsers(request, true)),
  realm_non_active_users: field(z.array(registeredUser), (request) => composeUsers(request, false)),
  cross_realm_bots: field(z.array(userObject.extend({ is_system_bot: z.literal(true) })), systemBots),

  user_id: field(z.int(), ({ viewer }) => viewer?.id ?? 0),
  email: field(z.string(), ({ viewer }) => viewer?.email ?? ''),
  delivery_email: field(z.string(), ({ viewer }) => viewer?.delivery_email ?? ''),
  full_name: field(z.string(), ({ viewer }) => viewer?.full_name ?? ''),
  avatar_source: field(z.enum(['G', 'U']), ({ viewer }) => viewer?.avatar_source ?? 'G'),
  avatar_url: field(z.string(), ({ viewer }) => (viewer === null ? unknownAvatarUrl : avatarUrl(viewer, true))),
  avatar_url_medium: field(z.string(), ({ viewer }) =>
    viewer === null ? unknownAvatarUrl : avatarUrl(viewer, true, true),
  ),
  is_owner: field(z.boolean(), (request) => roleFlags(getRole(request)).is_owner),
  is_admin: field(z.boolean(), (request) => roleFlags(getRole(request)).is_admin),
  is_moderator: field(z.boolean(), (request) => getRole(request).role <= Role.moderator),
  is_guest: field(z.boolean(), (request) => roleFlags(getRole(request)).is_guest),
  can_create_streams: field(z.boolean(), (request) => mayCreate(request, 'public') || mayCreate(request, 'private')),
  can_create_public_streams: field(z.boolean(), (request) => mayCreate(request, 'public')),
  can_create_private_streams: field(z.boolean(), (request) => mayCreate(request, 'private')),
  can_create_web_public_streams: field(
    z.boolean(),
    (request) => hasWebAccess(request.state) && mayCreate(request, 'web-public'),
  ),
  can_invite_others_to_realm: field(
    z.boolean(),
    ({ state, viewer }) => viewer !== null && mayInRealm(state, viewer, 'can_invite_users_group'),
  ),
}

export const botSection = {
  realm_bots: field(z.array(botObject), ({ state, viewer }) => {
    const bots = viewer === null ? [] : administeredBots(state, viewer)
    if (bots.length === 0) return []
    const { keys } = state.deployment
    const texts = bots.map((bot) => JSON.stringify(unsealBot(keys, composeSealedBot(state, bot))))
    return new RawJson('[]', [new SecretText(texts.join())])
  }),
}

const getRole = ({ viewer }: SnapshotRequest): Pick<UserRow, 'role'> => viewer ?? { role: Role.guest }

const mayCreate = ({ state, viewer }: SnapshotRequest, kind: 'public' | 'private' | 'web-public'): boolean =>
  viewer !== null && mayCreateChannel(state, viewer, kind)

/** The organization's own accounts, active or not, by id. A restricted guest gets placeholders or nothing. */
const composeUsers = (request: SnapshotRequest, active: boolean): RawJson | DatabaseField<RawJson> => {
  const { state, viewer, profile, server } = request
  const lists = listUsers(state)
  const list = active
    ? { state, name: 'active', rows: lists.active }
    : { state, name: 'deactivated', rows: lists.deactivated }
  if (viewer === null) return composeListForSpectator(list, server.host)

  const { client_gravatar, user_list_incomplete } = profile
  const view = { client_gravatar, profile_data: true, listed: true }
  if (!isRestrictedGuest(state, viewer)) return composeListForUser(list, viewer, view)

  const text = (user: UserRow) => userJson(user, { address: canSeeAddress(viewer, user), ...view }, true)
  const met = collectContacts(state, contactSources(state, viewer, []))
  return declareDatabaseField(['partners'], ({ partners }) => {
    const known = new Set([viewer.id, ...met, ...partners])
    const isKnown = (user: UserRow) => user.is_bot || known.has(user.id)
    const placeholder = (user: UserRow) => JSON.stringify(omitActivity(unknownUser(user.id, server.host)))
    // An unknown user must not show whether they are active.
    const shown = lists.own.filter((user) =>
      isKnown(user) ? user.is_active === active : active && !user_list_incomplete,
    )
    return rawArray(shown.map((user) => (isKnown(user) ? text(user) : placeholder(user))))
  })
}

function systemBots({ state, profile, viewer }: SnapshotRequest): RawJson {
  const bots = listUsers(state).systemBots
  const view = { address: true, client_gravatar: profile.client_gravatar, profile_data: false }
  // A spectator learns only the day, as of all accounts.
  const bot = (user: UserRow) => JSON.stringify({ ...composeUser(user, view), date_joined: joiningDay(user) })
  return rawArray(bots.map((user) => (viewer === null ? bot(user) : userJson(user, view, false))))
}
