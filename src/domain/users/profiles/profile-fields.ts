/**
 * The profile fields of an organization: creating, changing, ordering and deleting them. Their values:
 * profile-values.ts.
 *
 * Source: the API document, endpoint 11; protocol/endpoints.md 1.11 and 3.11; protocol/permissions.md 13.
 */
import { z } from 'zod'
import { limits } from '../../limits/limits.js'
import { allocateId } from '../../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../../log/row-changes.js'
import { FieldType, type ProfileFieldRow, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import type { Account } from '../accounts/account-changes.js'
import { externalAccounts } from './external-accounts.js'
import { type ProfileFieldObject, profileFieldsChanged } from './profile-field-entries.js'
import { composeValueRemovals } from './profile-values.js'

/** The properties of a field that an administrator sets. */
export interface ProfileFieldInput {
  name: string
  hint: string
  field_data: Readonly<Record<string, unknown>>
  display_in_profile_summary: boolean
  required: boolean
  editable_by_user: boolean
}

/** The properties of a new field, which needs no name. */
export type NewProfileField = Omit<ProfileFieldInput, 'name'> & { name?: string | undefined }

/** The organization's fields in the order in which profiles show them. */
const sortProfileFields = (state: RealmState): ProfileFieldRow[] =>
  [...state.profileFields.values()].sort((a, b) => a.position - b.position || a.id - b.id)

/** Returns the organization's fields as clients receive them. They are in the order in which profiles show them. */
export const profileFieldsOnWire = (state: RealmState): ProfileFieldObject[] =>
  sortProfileFields(state).map((row) => ({
    id: row.id,
    name: row.name,
    type: row.field_type,
    hint: row.hint,
    field_data: row.field_data,
    order: row.position,
    required: row.required,
    editable_by_user: row.editable_by_user,
    ...(row.display_in_profile_summary ? { display_in_profile_summary: true } : {}),
  }))

/** Creates a field after the others, with the next id. Throws BAD_REQUEST. */
export const createProfileField =
  (field_type: number, input: NewProfileField): Step =>
  (state) => {
    const { id, rows } = allocateId(state, 'profile_fields')
    const properties = { ...input, name: input.name ?? '', id, field_type, position: id }
    const field = validateField(state, properties, input.name !== undefined)
    return composeFieldEntries(state, [composeInsert('profile_fields', field), ...rows])
  }

/**
 * Changes a field. Removing an option of a list removes the values of users who chose it.
 * @param accountsLosingValues the accounts of `findUsersLosingValues`
 * Throws BAD_REQUEST.
 */
export const changeProfileField =
  (id: number, input: Partial<ProfileFieldInput>, accountsLosingValues: readonly Account[]): Step =>
  (state) => {
    const previous = requireProfileField(state, id)
    const field_data = input.field_data ?? parseFieldData(previous)
    const field = validateField(state, { ...previous, ...input, field_data }, input.name !== undefined)
    if (isKnownAccount(previous)) {
      const isOther = (['name', 'hint', 'field_data'] as const).some((key) => field[key] !== previous[key])
      if (isOther) throw errors.badRequest('Only the order and the summary of a built-in field can be changed.')
    }
    const row = composeUpdate('profile_fields', previous, field)
    if (row === undefined) return []
    return [
      ...composeFieldEntries(state, [row]),
      ...accountsLosingValues.flatMap((account) => composeValueRemovals(state, account, [id])),
    ]
  }

/** The accounts whose value in this field is removed by this change. Throws BAD_REQUEST when there is no such field. */
export const findUsersLosingValues = (state: RealmState, id: number, input: Partial<ProfileFieldInput>): UserRow[] => {
  const { field_data } = input
  if (requireProfileField(state, id).field_type !== FieldType.choice || field_data === undefined) return []
  return [...state.users.values()].filter(({ profile_data }) => {
    const value = profile_data[id]?.value
    return value !== undefined && !Object.hasOwn(field_data, value)
  })
}

/** Deletes a field and all its values. Throws BAD_REQUEST. */
export const deleteProfileField =
  (id: number): Step =>
  (state) => {
    const field = requireProfileField(state, id)
    const values = [...state.users.values()].map((user) => {
      const { [id]: removed, ...profile_data } = user.profile_data
      return removed === undefined ? undefined : composeUpdate('users', user, { profile_data })
    })
    return composeFieldEntries(state, [composeDelete('profile_fields', field), ...values])
  }

/** Changes the order of the fields. Throws BAD_REQUEST unless `ids` contains every field. */
export const orderProfileFields =
  (ids: readonly number[]): Step =>
  (state) => {
    const fields = sortProfileFields(state)
    if (fields.some(({ id }) => !ids.includes(id))) throw errors.badRequest('The order must contain every field once.')
    return composeFieldEntries(
      state,
      fields.map((field) => composeUpdate('profile_fields', field, { position: ids.indexOf(field.id) })),
    )
  }

/** The field of this id. Throws BAD_REQUEST. */
const requireProfileField = (state: RealmState, id: number): ProfileFieldRow => {
  const field = state.profileFields.get(id)
  if (field === undefined) throw errors.noSuchProfileField({ id })
  return field
}

const composeFieldEntries = (state: RealmState, changes: readonly (RowChange | undefined)[]) => {
  const rows = changes.filter((row) => row !== undefined)
  return rows.length === 0 ? [] : [profileFieldsChanged({ fields: profileFieldsOnWire(state.withChanges(rows)) }, rows)]
}

const parseFieldData = ({ field_data }: Pick<ProfileFieldRow, 'field_data'>): Readonly<Record<string, unknown>> =>
  field_data === '' ? {} : JSON.parse(field_data)

/** Whether the field names a service of `externalAccounts`, which defines its name and hint. */
const isKnownAccount = ({ field_type, field_data }: Pick<ProfileFieldRow, 'field_type' | 'field_data'>): boolean =>
  field_type === FieldType.externalAccount && parseFieldData({ field_data }).subtype !== 'custom'

/**
 * The field's row. Throws BAD_REQUEST; the checks run in the order of protocol/endpoints.md 1.11.
 * @param isNamed whether the request gives a name, which must not be blank then
 */
const validateField = (
  state: RealmState,
  input: ProfileFieldInput & Pick<ProfileFieldRow, 'id' | 'field_type' | 'position'>,
  isNamed: boolean,
): ProfileFieldRow => {
  const { id, field_type, position, display_in_profile_summary, required, editable_by_user } = input
  if (display_in_profile_summary) checkSummary(state, id)
  const field_data = serializeFieldData(field_type, input.field_data)
  const known = isKnownAccount({ field_type, field_data })
    ? externalAccounts[accountSubtype(input.field_data)]
    : undefined
  const name = input.name.trim() || (known?.name ?? '')
  const hint = input.hint.trim() || (known?.hint ?? '')
  if (known === undefined) {
    if (isNamed && name === '') throw errors.badRequest('The name of a field must not be blank.')
    checkLengths(name, hint)
  }
  if (!Object.values<number>(FieldType).includes(field_type)) throw errors.badRequest('There is no such field type.')
  if (display_in_profile_summary && (field_type === FieldType.longText || field_type === FieldType.people)) {
    throw errors.badRequest('A field of this type cannot be shown in the profile summary.')
  }
  if (sortProfileFields(state).some((other) => other.name === name && other.id !== id)) {
    throw errors.badRequest(
      name === ''
        ? 'There is a field without a name already: send a name.'
        : 'There is a field with this name already.',
    )
  }
  return {
    id,
    name,
    field_type,
    hint,
    field_data,
    position,
    required,
    editable_by_user,
    display_in_profile_summary,
  }
}

const checkSummary = (state: RealmState, own_id: number): void => {
  const most = limits.max_profile_summary_fields
  const others = sortProfileFields(state).filter((field) => field.display_in_profile_summary && field.id !== own_id)
  if (others.length >= most) {
    throw errors.badRequest('The profile summary shows at most {most} fields: remove another field from it first.', {
      most,
    })
  }
}

const checkLengths = (name: string, hint: string): void => {
  checkLength('name', name, limits.max_profile_field_name_length)
  checkLength('hint', hint, limits.max_profile_field_hint_length)
}

const checkLength = (name: string, value: string, max: number): void => {
  if ([...value].length > max) throw errors.badRequest('{name} may have at most {max} characters.', { name, max })
}

const accountSubtype = ({ subtype }: Readonly<Record<string, unknown>>): string =>
  typeof subtype === 'string' ? subtype : ''

/** The data of the field's type as JSON text, without unknown keys; empty for types without data. */
const serializeFieldData = (field_type: number, data: Readonly<Record<string, unknown>>): string => {
  if (field_type === FieldType.choice) return JSON.stringify(validateChoices(data))
  return field_type === FieldType.externalAccount ? JSON.stringify(validateExternalAccount(data)) : ''
}

const choice = z.object({ text: z.string().trim().min(1), order: z.string().trim().min(1) })

const validateChoices = (data: Readonly<Record<string, unknown>>) => {
  const choices = Object.entries(data)
  if (choices.length === 0) throw errors.badRequest('A list needs at least one option.')
  const texts = new Set<string>()
  const kept: [string, z.infer<typeof choice>][] = []
  for (const [key, input] of choices) {
    if (key.trim() === '') throw errors.badRequest('The key of an option must not be blank.')
    const parsed = choice.safeParse(input)
    if (!parsed.success) {
      const path = `field_data["${key}"]`
      const at = parsed.error.issues[0]?.path[0]
      throw at === undefined
        ? errors.badRequest('{name} must be an object.', { name: path })
        : errors.badRequest('{name} must not be blank.', { name: `${path}["${String(at)}"]` })
    }
    if (texts.has(parsed.data.text)) throw errors.badRequest('A list must not contain the same option twice.')
    texts.add(parsed.data.text)
    kept.push([key, parsed.data])
  }
  // A key can be called `__proto__`: an assignment would not store it.
  return Object.fromEntries(kept)
}

const validateExternalAccount = (data: Readonly<Record<string, unknown>>) => {
  const subtype = accountSubtype(data)
  if (Object.hasOwn(externalAccounts, subtype)) return { subtype }
  if (subtype !== 'custom') throw errors.badRequest('There is no such type of external account.')
  const { url_pattern } = data
  if (typeof url_pattern !== 'string' || url_pattern.split('%(username)s').length !== 2) {
    throw errors.badRequest('url_pattern must contain %(username)s exactly once.')
  }
  if (!URL.canParse(url_pattern.replace('%(username)s', 'username')) || !/^https?:/i.test(url_pattern)) {
    throw errors.badRequest('{name} must be an http or https address.', { name: 'url_pattern' })
  }
  return { subtype, url_pattern }
}
