/**
 * Gives an account what a mapping says (attribute-mapping.ts): its role, its groups and its profile.
 *
 * 1. The changes are those that an administrator makes. What they forbid is left out, and a log-in never fails by it.
 * 2. The last owner stays an owner. Owners change their role only if the mapping says which users are owners.
 * 3. Groups that the mapping does not name stay as they are, and so do groups that do not exist any more.
 */
import { isOwner } from '#rules/roles.js'
import { addMembers, removeMembers } from '../groups/group-members.js'
import { FieldType, type GroupRow, type ProfileFieldRow, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { ApiError, errors } from '../protocol/errors.js'
import { type Account, setRole } from '../users/accounts/account-changes.js'
import { isLastOwner } from '../users/accounts/account-rights.js'
import { type ProfileWriter, setProfileValues } from '../users/profiles/profile-values.js'
import {
  type AttributeMapping,
  type MappedReference,
  type MappedValues,
  readMapping,
  type UserAttributes,
} from './attribute-mapping.js'

/** The changes of an account that follow from a mapping, and what of it was left out (1). */
export interface MappedChanges {
  readonly steps: Step[]
  readonly refusals: string[]
}

/** The role and the groups of a new account; undefined: what its invitation or the organization gives. */
export interface MappedNewcomer {
  readonly role: number | undefined
  readonly group_ids: readonly number[]
}

/** What the mapping gives an account that does not exist yet. Its profile follows (`mapProfile`). */
export const mapNewcomer = (
  state: RealmState,
  mapping: AttributeMapping,
  attributes: UserAttributes,
): MappedNewcomer => {
  const { role, groups } = readMapping(mapping, attributes)
  const joined = [...groups].filter(([, isMember]) => isMember)
  const group_ids = joined.flatMap(([reference]) => findOpenGroup(state, reference)?.id ?? [])
  return { role, group_ids: [...new Set(group_ids)] }
}

/** What the mapping changes of an account. */
export const mapAccount = (
  state: RealmState,
  user: UserRow,
  account: Account,
  mapping: AttributeMapping,
  attributes: UserAttributes,
): MappedChanges => {
  const values = readMapping(mapping, attributes)
  const profile = composeProfileSteps(state, user, account, values)
  const steps = [
    ...composeRoleSteps(state, user, account, mapping, values),
    ...composeGroupSteps(state, user, values),
    ...profile.steps,
  ]
  return { steps, refusals: profile.refusals }
}

/** What the mapping changes of the profile of an account. */
export const mapProfile = (
  state: RealmState,
  user: UserRow,
  account: Account,
  mapping: AttributeMapping,
  attributes: UserAttributes,
): MappedChanges => composeProfileSteps(state, user, account, readMapping(mapping, attributes))

/** Refuses a mapping with unknown groups or profile fields. Throws BAD_REQUEST. */
export const checkMapping = (state: RealmState, { groups, profile_fields }: AttributeMapping): void => {
  for (const { group } of groups) {
    if (findGroup(state, group) === undefined) throw errors.badRequest('There is no user group {group}.', { group })
  }
  for (const { field } of profile_fields) {
    if (findField(state, field) === undefined) throw errors.badRequest('There is no profile field {field}.', { field })
  }
}

const composeRoleSteps = (
  state: RealmState,
  user: UserRow,
  account: Account,
  { roles }: AttributeMapping,
  { role }: MappedValues,
): Step[] => {
  if (role === undefined || role === user.role) return []
  if (isOwner(user) && !roles.some((rule) => rule.role === 'owner')) return []
  return isLastOwner(state, user) ? [] : [setRole(account, role)]
}

const composeGroupSteps = (state: RealmState, { id }: UserRow, { groups }: MappedValues): Step[] => {
  const steps = new Map<number, Step>()
  for (const [reference, isMember] of groups) {
    const group = findOpenGroup(state, reference)
    if (group === undefined || state.directMembers(group.id).has(id) === isMember) continue
    steps.set(group.id, isMember ? addMembers(group.id, [id]) : removeMembers(group.id, [id]))
  }
  return [...steps.values()]
}

const composeProfileSteps = (
  state: RealmState,
  user: UserRow,
  account: Account,
  { profile }: MappedValues,
): MappedChanges => {
  const writer: ProfileWriter = { user, isKnown: () => true, mayWriteAll: true }
  const steps: Step[] = []
  const refusals: string[] = []
  for (const [reference, texts] of profile) {
    const field = findField(state, reference)
    if (field === undefined) continue
    const step = setProfileValues(account, [{ id: field.id, value: composeValue(state, field, texts) }], writer)
    try {
      step(state)
      steps.push(step)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.push(error.message)
    }
  }
  return { steps, refusals }
}

/** The value in the form of its field: the option of a list by its text, users by their addresses. */
const composeValue = (
  state: RealmState,
  { field_type, field_data }: ProfileFieldRow,
  texts: readonly string[],
): string | number[] => {
  if (field_type === FieldType.people) {
    const users = texts.flatMap((text) => state.userByEmail(text) ?? [])
    return users.filter(({ is_active, is_bot }) => is_active && !is_bot).map(({ id }) => id)
  }
  const text = texts.filter((one) => one !== '').join(', ')
  if (field_type !== FieldType.choice || text === '') return text
  const choices = Object.entries(JSON.parse(field_data) as Record<string, { text: string }>)
  if (choices.some(([key]) => key === text)) return text
  return choices.find(([, choice]) => choice.text.toLowerCase() === text.toLowerCase())?.[0] ?? text
}

/** A group that the organization made. Of several with a name, it is the one that is open. */
const findGroup = (state: RealmState, reference: MappedReference): GroupRow | undefined => {
  if (typeof reference === 'number') {
    const group = state.groups.get(reference)
    return group?.is_system_group === false ? group : undefined
  }
  const named = [...state.groups.values()].filter((group) => group.name === reference && !group.is_system_group)
  return named.find(({ deactivated }) => !deactivated) ?? named[0]
}

const findOpenGroup = (state: RealmState, reference: MappedReference): GroupRow | undefined => {
  const group = findGroup(state, reference)
  return group?.deactivated === false ? group : undefined
}

const findField = (state: RealmState, reference: MappedReference): ProfileFieldRow | undefined =>
  typeof reference === 'number'
    ? state.profileFields.get(reference)
    : [...state.profileFields.values()].find(({ name }) => name === reference)
