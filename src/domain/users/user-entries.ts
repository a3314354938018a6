/**
 * The `realm_user` events: accounts are created and changed.
 *
 * The fields of an account depend on the viewer, so a change of an account is one entry per group of viewers
 * (user-access.ts). The audiences of these entries are disjoint. Source: protocol/events.md 3.3.
 */
import { z } from 'zod'
import type { Audience } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type ContactSources, groupViewers } from './user-access.js'
import { composeUser, type UserObject, unknownName, unknownUser, userObject } from './users.js'

export interface RealmUserAddData {
  person: UserObject
  viewers: Audience
  /** present when these viewers have no access to the account and receive a placeholder */
  unknown?: true
}

/** An account was created, or became visible to a restricted guest. */
export const realmUserAdd = entry<RealmUserAddData>({
  kind: 'realm_user/add',
  type: 'realm_user',
  description: 'An account became visible to the user: a new one, or one that a restricted guest may see from now on.',
  event: z.object({ type: z.literal('realm_user'), op: z.literal('add'), person: userObject }),
  audience: ({ viewers }) => viewers,
  project: ({ person, unknown }, { user_list_incomplete }) =>
    unknown && user_list_incomplete ? null : { type: 'realm_user', op: 'add', person },
})

/** The data of the entries for a new account, one per group of viewers. */
export const composeUserAddData = (
  state: RealmState,
  user: UserRow,
  sources: ContactSources,
  host: string,
): RealmUserAddData[] =>
  groupViewers(state, user, sources).map(({ visibility, audience }) =>
    visibility === 'unknown'
      ? { person: unknownUser(user.id, host), viewers: audience, unknown: true }
      : { person: composeListedUser(user, visibility === 'address'), viewers: audience },
  )

const composeListedUser = (user: UserRow, address: boolean): UserObject =>
  composeUser(user, { address, client_gravatar: false, profile_data: true })

/** What changed about an account: exactly one of these. */
const personUpdate = z.union([
  z.object({ user_id: z.int(), full_name: z.string() }),
  z.object({
    user_id: z.int(),
    avatar_url: z.string().nullable(),
    avatar_url_medium: z.string().nullable(),
    avatar_source: z.enum(['G', 'U']),
    avatar_version: z.int(),
  }),
  z.object({ user_id: z.int(), timezone: z.string(), email: z.string() }),
  z.object({ user_id: z.int(), bot_owner_id: z.int() }),
  z.object({ user_id: z.int(), role: z.int() }),
  z.object({ user_id: z.int(), delivery_email: z.string().nullable() }),
  z.object({ user_id: z.int(), new_email: z.string() }),
  z.object({ user_id: z.int(), is_active: z.boolean() }),
  z.object({
    user_id: z.int(),
    custom_profile_field: z.object({
      id: z.int(),
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
])

/** A property of an account changed. */
export const realmUserUpdate = entry<{ person: z.infer<typeof personUpdate>; viewers: Audience }>({
  kind: 'realm_user/update',
  type: 'realm_user',
  description: 'Some properties of an account changed; `person` has those. `is_active` tells a deactivation.',
  event: z.object({ type: z.literal('realm_user'), op: z.literal('update'), person: personUpdate }),
  audience: ({ viewers }) => viewers,
  project: ({ person }) => ({ type: 'realm_user', op: 'update', person }),
})

/** The recipients are restricted guests who lost access to the account. */
export const realmUserRemove = entry<{ user_id: number; viewers: Audience }>({
  kind: 'realm_user/remove',
  type: 'realm_user',
  description: 'An account is not visible to the user any more.',
  noExample: 'Only restricted guests receive it.',
  event: z.object({
    type: z.literal('realm_user'),
    op: z.literal('remove'),
    person: z.object({ user_id: z.int(), full_name: z.string() }),
  }),
  audience: ({ viewers }) => viewers,
  project: ({ user_id }) => ({ type: 'realm_user', op: 'remove', person: { user_id, full_name: unknownName } }),
})
