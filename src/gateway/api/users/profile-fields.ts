/**
 * The profile fields of the organization, and the caller's own values.
 *
 * Source: the API document, endpoint 11; protocol/endpoints.md 1.11, 3.7 and 3.11; protocol/permissions.md 13.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { Step } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Account } from '../../../domain/users/accounts/account-changes.js'
import { profileFieldObject } from '../../../domain/users/profiles/profile-field-entries.js'
import {
  changeProfileField,
  createProfileField,
  deleteProfileField,
  findUsersLosingValues,
  orderProfileFields,
  profileFieldsOnWire,
} from '../../../domain/users/profiles/profile-fields.js'
import {
  clearProfileValues,
  type ProfileWriter,
  setProfileValues,
} from '../../../domain/users/profiles/profile-values.js'
import { commitSteps } from '../../../store/log/change.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, int, json, str } from '../../call/params.js'

const fieldData = json(z.record(z.string(), z.unknown())).describe(
  'of type 3 the choices: by key, `text` and `order`; of type 7 `subtype`, with `custom` also `url_pattern`',
)

export const getProfileFields = endpoint({
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'Lists the profile fields in their order.',
  callers: 'account',
  params: {},
  response: z.object({ custom_fields: z.array(profileFieldObject) }),
  handle: ({ state }) => ({ custom_fields: profileFieldsOnWire(state) }),
})

export const createField = endpoint({
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Creates a profile field.',
  callers: 'administrator',
  params: {
    name: str().optional(),
    hint: str().default(''),
    field_data: fieldData.default({}),
    field_type: int().describe(
      '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns',
    ),
    display_in_profile_summary: bool().default(false),
    required: bool().default(false),
    editable_by_user: bool().default(true),
  },
  example: { name: 'Pronouns', hint: 'As others should use them', field_type: 1 },
  response: z.object({ id: z.int() }),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    const id = call.state.nextId('profile_fields')
    const { field_type, ...properties } = call.params
    return call.write.answering(
      () => ({ id }),
      (keyed) => commitSteps(keyed, [createProfileField(field_type, properties)]),
    )
  },
})

export const reorderProfileFields = endpoint({
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Changes the order of the profile fields.',
  callers: 'administrator',
  params: { order: json(z.array(z.int())).describe('ids of all fields') },
  example: { order: '{profile_field_order}' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [orderProfileFields(call.params.order)])
    return {}
  },
})

export const updateProfileField = endpoint({
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Changes a profile field. Choices that are left out are removed from all profiles.',
  callers: 'administrator',
  params: {
    field_id: idInPath(),
    name: str().optional(),
    hint: str().optional(),
    field_data: fieldData.optional(),
    display_in_profile_summary: bool().optional(),
    required: bool().optional(),
    editable_by_user: bool().optional(),
  },
  example: { hint: 'How others should call you' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    const { field_id, ...all } = call.params
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const accountsLosingValues: Account[] = []
    for (const user of findUsersLosingValues(call.state, field_id, given))
      accountsLosingValues.push(await loadFullAccount(call, user))
    await commitSteps(call.write, [changeProfileField(field_id, given, accountsLosingValues)])
    return {}
  },
})

export const removeProfileField = endpoint({
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Deletes a profile field and all its values.',
  callers: 'administrator',
  params: { field_id: idInPath() },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [deleteProfileField(call.params.field_id)])
    return {}
  },
})

/** A new value of a field. */
export const profileValue = z.object({
  id: z.int(),
  value: z.union([z.string(), z.array(z.int()), z.null()]).describe('a list of user ids for a field of users'),
})

export const updateOwnProfileData = endpoint({
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: "Sets fields of the caller's own profile.",
  callers: 'human',
  keyScope: 'write',
  condition: 'Only administrators set fields that users may not edit.',
  params: { data: json(z.array(profileValue)) },
  example: { data: [{ id: '{field_id}', value: 'he/him' }] },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => changeOwnProfile(call, (account, writer) => setProfileValues(account, call.params.data, writer)),
})

export const deleteOwnProfileData = endpoint({
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: "Clears fields of the caller's own profile.",
  callers: 'human',
  keyScope: 'write',
  condition: 'Only administrators set fields that users may not edit.',
  params: { data: json(z.array(z.int())).describe('ids of fields') },
  example: { data: ['{field_id}'] },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => changeOwnProfile(call, (account, writer) => clearProfileValues(account, call.params.data, writer)),
})

type AnyCall = Pick<Call, 'app' | 'caller' | 'realm' | 'state' | 'write'>

const changeOwnProfile = async (call: AnyCall, step: (account: Account, writer: ProfileWriter) => Step) => {
  const { user } = call.caller
  const isKnown = await loadAccessCheck(call.app.store.sql, call.state, user)
  await commitSteps(call.write, [step(await loadFullAccount(call, user), { user, isKnown })])
  return {}
}

const loadFullAccount = ({ app, state, write }: AnyCall, user: UserRow): Promise<Account> =>
  loadAccount(write, state, user, realmHost(state.realm.string_id, app.config))
