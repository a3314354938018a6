/**
 * The values of profile fields. The account's row holds them, by the id of the field.
 *
 * Source: protocol/endpoints.md 3.7 (profile_data), protocol/permissions.md 13, protocol/events.md 3.3
 * (`custom_profile_field`).
 */

import { isAdministrator } from '#rules/roles.js'
import { limits } from '../../limits/limits.js'
import { attachRowChanges, type NewEntry } from '../../log/entry.js'
import { composeUpdate } from '../../log/row-changes.js'
import { FieldType, type ProfileData, type ProfileFieldRow, type ProfileValue, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { render } from '../../markdown/render.js'
import { errors } from '../../protocol/errors.js'
import { buildRenderContext } from '../../rendering/message-render-context.js'
import { type Account, accountContactSources, requireUser } from '../accounts/account-changes.js'
import { audienceWithAccess } from '../user-access.js'
import { realmUserUpdate } from '../user-entries.js'

/**
 * A new value of a field: text, or user ids for a field of users. Null, empty text and an empty list clear the field.
 */
export interface ProfileValueInput {
  id: number
  value: string | readonly number[] | null
}

/** The user who writes the value. They may mention the users to whom they have access. */
export interface ProfileWriter {
  user: UserRow
  isKnown(user: UserRow): boolean
  /** also fields that their users cannot change; administrators may anyway */
  mayWriteAll?: boolean
}

/** Sets fields of a profile. Throws BAD_REQUEST. */
export const setProfileValues =
  (account: Account, input: readonly ProfileValueInput[], writer: ProfileWriter): Step =>
  (state) => {
    const changes = new Map<number, ProfileValue | null>()
    for (const { id, value } of input) {
      const field = requireWritableField(state, id, writer)
      const isEmpty = value === null || value.length === 0
      changes.set(id, isEmpty ? null : composeStoredValue(state, field, validateValue(state, field, value), writer))
    }
    return composeValueChanges(state, account, changes)
  }

/** Clears fields of a profile. Throws BAD_REQUEST. */
export const clearProfileValues = (account: Account, ids: readonly number[], writer: ProfileWriter): Step =>
  setProfileValues(
    account,
    ids.map((id) => ({ id, value: null })),
    writer,
  )

/** The entries that clear fields of a profile whose values no longer exist. */
export const composeValueRemovals = (state: RealmState, account: Account, ids: readonly number[]): NewEntry[] =>
  composeValueChanges(state, account, new Map(ids.map((id) => [id, null])))

const requireWritableField = (
  state: RealmState,
  id: number,
  { user, mayWriteAll = false }: ProfileWriter,
): ProfileFieldRow => {
  const field = state.profileFields.get(id)
  if (field === undefined) throw errors.noSuchProfileField({ id })
  if (!field.editable_by_user && !mayWriteAll && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators can change this field.')
  }
  return field
}

const composeValueChanges = (
  state: RealmState,
  account: Account,
  changes: ReadonlyMap<number, ProfileValue | null>,
): NewEntry[] => {
  const user = requireUser(state, account.id)
  const profile_data: ProfileData = { ...user.profile_data }
  const changedValues: [id: number, value: ProfileValue | null][] = []
  for (const [id, value] of changes) {
    if (JSON.stringify(profile_data[id] ?? null) === JSON.stringify(value)) continue
    if (value === null) delete profile_data[id]
    else profile_data[id] = value
    changedValues.push([id, value])
  }
  const row = composeUpdate('users', user, { profile_data })
  if (row === undefined) return []
  const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
  const entries = changedValues.map(([id, value]) => {
    const custom_profile_field = { id, ...(value ?? { value: null }) }
    return realmUserUpdate({ person: { user_id: user.id, custom_profile_field }, viewers })
  })
  return attachRowChanges([row], entries)
}

/** The value as it is stored: text also with its rendered HTML. */
const composeStoredValue = (
  state: RealmState,
  field: ProfileFieldRow,
  value: string,
  { user, isKnown }: ProfileWriter,
) => {
  const isText = field.field_type === FieldType.shortText || field.field_type === FieldType.longText
  if (!isText) return { value }
  const { html } = render(value, buildRenderContext(state, user, { realm_url: undefined, isKnown }))
  return { value, rendered_value: html }
}

/** The value as text in the format of the field's type. Throws BAD_REQUEST. */
const validateValue = (state: RealmState, field: ProfileFieldRow, value: string | readonly number[]): string => {
  const { name, field_type } = field
  if (field_type === FieldType.people) return JSON.stringify(validateUserIds(state, name, value))
  if (typeof value !== 'string') throw errors.badRequest('{name} must be text.', { name })
  switch (field_type) {
    case FieldType.choice:
      if (Object.hasOwn(JSON.parse(field.field_data), value)) return value
      throw errors.badRequest('“{value}” is not an option of {name}.', { value, name })
    case FieldType.date:
      if (isDate(value)) return value
      throw errors.badRequest('{name} must be a date like 2030-01-31.', { name })
    case FieldType.link:
      if (URL.canParse(value) && /^https?:\/\//i.test(value)) return value
      throw errors.badRequest('{name} must be an http or https address.', { name })
    default:
      return validateLength(
        name,
        value,
        field_type === FieldType.longText ? limits.max_long_profile_text_length : limits.max_profile_text_length,
      )
  }
}

const validateLength = (name: string, value: string, most: number): string => {
  if ([...value].length > most)
    throw errors.badRequest('{name} may have at most {max} characters.', { name, max: most })
  return value
}

/** A day of the calendar as `2026-02-28`. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const validateUserIds = (state: RealmState, name: string, value: string | readonly number[]): readonly number[] => {
  if (typeof value === 'string') throw errors.badRequest('{name} must be a list.', { name })
  const unknown = value.filter((id) => !state.users.has(id))
  if (unknown.length > 0)
    throw errors.badRequest('There are no users with these IDs: {ids}', { ids: unknown.join(', ') })
  for (const id of value) {
    const user = state.users.get(id)
    if (user?.is_active === false) throw errors.badRequest('User {id} is deactivated.', { id })
    if (user?.is_bot === true) throw errors.badRequest('User {id} is a bot.', { id })
  }
  return value
}
