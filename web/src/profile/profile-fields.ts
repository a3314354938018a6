/** The custom fields of profiles: what each type of field holds, and how its value is read. */

import type { CustomProfileField as ProfileField, User } from '@parley/client/realm'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'

export type { ProfileField }

/** The types of fields, as the API numbers them. */
export const FieldType = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

const typeNames: Readonly<Record<number, string>> = {
  [FieldType.shortText]: t('Short text'),
  [FieldType.longText]: t('Long text'),
  [FieldType.options]: t('List of options'),
  [FieldType.date]: t('Date'),
  [FieldType.link]: t('Link'),
  [FieldType.people]: t('People'),
  [FieldType.externalAccount]: t('Account at another service'),
  [FieldType.pronouns]: t('Pronouns'),
}

/** The name of a type. */
export const fieldTypeName = (type: number): string => typeNames[type] ?? t('Unknown type')

/** The fields of the organization in the order in which profiles show them. */
export const profileFields = (chat: Chat): ProfileField[] =>
  [...(chat.organization.value.custom_profile_fields ?? [])].sort((one, other) => one.order - other.order)

/** The value of a user's field as text; empty without one. */
export const fieldValue = (user: User, { id }: ProfileField): string => user.profile_data?.[id]?.value ?? ''

/** The options of a list, in their order. */
export const fieldOptions = ({ field_data }: ProfileField): { value: string; label: string }[] => {
  return Object.entries(parseRecord(field_data))
    .filter((entry): entry is [string, { text: string; order: unknown }] => {
      const [, option] = entry as [string, { text?: unknown } | null]
      return typeof option?.text === 'string'
    })
    .sort(([, one], [, other]) => Number(one.order) - Number(other.order))
    .map(([value, { text }]) => ({ value, label: text }))
}

/** The ids of the people whom a value names. */
export const peopleOf = (value: string): number[] => {
  const ids = parseJson(value)
  return Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : []
}

/**
 * Returns the service at which a field names an account. It is one that the server knows, or `custom` with a pattern of
 * its own.
 */
export const fieldService = (field: ProfileField | undefined): { subtype?: string; url_pattern?: string } =>
  field?.type === FieldType.externalAccount ? parseRecord(field.field_data) : {}

/** The address of an account at another service. */
export const externalAddress = (chat: Chat, field: ProfileField, name: string): string | undefined => {
  const { subtype = '', url_pattern } = fieldService(field)
  const pattern = url_pattern ?? chat.organization.value.realm_default_external_accounts?.[subtype]?.url_pattern
  if (typeof pattern !== 'string') return undefined
  return pattern.replace('%(username)s', () => encodeURIComponent(name))
}

const parseRecord = (text: string): Record<string, unknown> => {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** The value of a text in JSON; undefined for any other text. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
