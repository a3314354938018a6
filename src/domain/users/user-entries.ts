/**
 * Accounts come and change: the `realm_user` events.
 *
 * What a viewer may know of an account depends on the viewer, so one fact about an account is one entry per kind of
 * viewer (user-access.ts); their audiences have nobody in common. Source: events.md 3.3.
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
  /** present when these viewers may not know the account and get a placeholder */
  unknown?: true
}

/** An account was created, or a guest now may know it. */
export const realmUserAdd = entry<RealmUserAddData>({
  kind: 'realm_user/add',
  type: 'realm_user',
  event: z.object({ type: z.literal('realm_user'), op: z.literal('add'), person: userObject }),
  audience: ({ viewers }) => viewers,
  project: ({ person, unknown }, { user_list_incomplete }) =>
    unknown && user_list_incomplete ? null : { type: 'realm_user', op: 'add', person },
})

/** The data of the entries that introduce an account, one per kind of viewer. */
export const composeUserAddData = (
  state: RealmState,
  user: UserRow,
  meetings: ContactSources,
  host: string,
): RealmUserAddData[] =>
  groupViewers(state, user, meetings).map(({ visibility, audience }) =>
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

/** Something about an account is different now. */
export const realmUserUpdate = entry<{ person: z.infer<typeof personUpdate>; viewers: Audience }>({
  kind: 'realm_user/update',
  type: 'realm_user',
  event: z.object({ type: z.literal('realm_user'), op: z.literal('update'), person: personUpdate }),
  audience: ({ viewers }) => viewers,
  project: ({ person }) => ({ type: 'realm_user', op: 'update', person }),
})

/** The receivers, guests who are kept apart, may no longer know an account. */
export const realmUserRemove = entry<{ user_id: number; viewers: Audience }>({
  kind: 'realm_user/remove',
  type: 'realm_user',
  event: z.object({
    type: z.literal('realm_user'),
    op: z.literal('remove'),
    person: z.object({ user_id: z.int(), full_name: z.string() }),
  }),
  audience: ({ viewers }) => viewers,
  project: ({ user_id }) => ({ type: 'realm_user', op: 'remove', person: { user_id, full_name: unknownName } }),
})
