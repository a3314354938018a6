/**
 * What the attributes of a user at a provider say about the account here: its role, its groups and its profile.
 *
 * 1. It knows no protocol: a user's attributes are a record, whether they are claims of a token or of a directory.
 * 2. An attribute that the user does not have says that nothing matches. One that the provider withheld says nothing:
 *    what depends on it stays as it is.
 * 3. Only rules that name the role of owner make an owner.
 */
import { z } from 'zod'
import { Role } from '../log/rows.js'

/** The attributes of a user. Only keys of the record itself count. */
export interface UserAttributes {
  readonly values: Readonly<Record<string, unknown>>
  /** names of attributes that the user has, but whose values the provider did not send (2) */
  readonly withheld?: readonly string[]
}

const roleNames = Object.keys(Role) as [keyof typeof Role, ...(keyof typeof Role)[]]
type RoleName = (typeof roleNames)[number]

/** When the mapping applies. */
export const mappingTimes = ['every_log_in', 'first_log_in'] as const

const MAX_RULES = 200
const MAX_FIELDS = 50

/** The name of an attribute. A dot leads into an object: `realm_access.roles`. */
const AttributeName = z.string().trim().min(1).max(200)
const AttributeText = z.string().trim().min(1).max(500)
/** An id, or a name: a mapping of the operator can be used by several organizations. */
const Reference = z.union([z.int().positive(), z.string().trim().min(1).max(100)])

/** What owners and operators set. */
export const AttributeMapping = z.strictObject({
  applies: z.enum(mappingTimes).default('every_log_in'),
  /** who has `value` among the values of `attribute` gets the role; of several, the highest */
  roles: z
    .array(z.strictObject({ attribute: AttributeName, value: AttributeText, role: z.enum(roleNames) }))
    .max(MAX_RULES)
    .default([]),
  /** the role of all other users; null: it stays */
  other_role: z.enum(roleNames).exclude(['owner']).nullable().default(null),
  /** who has `value` among the values of `attribute` is in the group, and nobody else who logs in with the provider */
  groups: z
    .array(z.strictObject({ attribute: AttributeName, value: AttributeText, group: Reference }))
    .max(MAX_RULES)
    .default([]),
  profile_fields: z
    .array(z.strictObject({ attribute: AttributeName, field: Reference }))
    .max(MAX_FIELDS)
    .default([]),
})

export type AttributeMapping = z.infer<typeof AttributeMapping>

/** Names a group or a profile field: by its id, or by its name. */
export type MappedReference = z.infer<typeof Reference>

/** What a mapping says about one user. */
export interface MappedValues {
  /** undefined: it stays as it is */
  readonly role: (typeof Role)[RoleName] | undefined
  /** whether the user is in a group, by its reference; groups that are not here stay as they are */
  readonly groups: ReadonlyMap<MappedReference, boolean>
  /** the texts of profile fields; fields whose attribute the user does not have stay as they are */
  readonly profile: ReadonlyMap<MappedReference, readonly string[]>
}

/** Reads the attributes of a user by the rules of a mapping. */
export const readMapping = (mapping: AttributeMapping, attributes: UserAttributes): MappedValues => {
  const has = ({ attribute, value }: { attribute: string; value: string }): boolean | undefined => {
    const texts = readTexts(attributes, attribute)
    return texts === 'withheld' ? undefined : texts?.includes(value) === true
  }
  const groups = new Map<MappedReference, boolean>()
  for (const reference of new Set(mapping.groups.map(({ group }) => group))) {
    const found = mapping.groups.filter(({ group }) => group === reference).map(has)
    if (found.includes(true)) groups.set(reference, true)
    else if (!found.includes(undefined)) groups.set(reference, false)
  }
  const profile = new Map<MappedReference, readonly string[]>()
  for (const { attribute, field } of mapping.profile_fields) {
    const texts = readTexts(attributes, attribute)
    if (Array.isArray(texts)) profile.set(field, texts)
  }
  return { role: chooseRole(mapping, mapping.roles.map(has)), groups, profile }
}

/** The names of all attributes that a mapping reads, each once. */
export const listMappedAttributes = ({ roles, groups, profile_fields }: AttributeMapping): string[] => [
  ...new Set([...roles, ...groups, ...profile_fields].map(({ attribute }) => attribute)),
]

/** Whether the user has the attribute. */
export const hasAttribute = (values: UserAttributes['values'], name: string): boolean =>
  findValue(values, name) !== undefined

/** The role that the rules give. @param found for each rule, whether it matches; undefined: that is not known */
const chooseRole = ({ roles, other_role }: AttributeMapping, found: readonly (boolean | undefined)[]) => {
  if (roles.length === 0 || found.includes(undefined)) return undefined
  const matching = roles.filter((_, i) => found[i]).map(({ role }) => Role[role])
  if (matching.length > 0) return Math.min(...matching) as (typeof Role)[RoleName]
  return other_role === null ? undefined : Role[other_role]
}

/** The texts of an attribute; undefined: the user does not have it. */
const readTexts = ({ values, withheld = [] }: UserAttributes, name: string): string[] | 'withheld' | undefined => {
  const value = findValue(values, name)
  if (value !== undefined) return listTexts(value)
  return withheld.some((one) => name === one || name.startsWith(`${one}.`)) ? 'withheld' : undefined
}

/**
 * The value of an attribute. A dot of the name can be part of a key (`https://example.com/roles`) or lead into an
 * object, so every way to read it is tried. Of a list of objects, all are asked.
 */
const findValue = (from: unknown, name: string): unknown => {
  if (Array.isArray(from)) {
    const found = from.map((one) => findValue(one, name)).filter((value) => value !== undefined)
    return found.length === 0 ? undefined : found.flat()
  }
  if (typeof from !== 'object' || from === null) return undefined
  const values = from as Readonly<Record<string, unknown>>
  if (Object.hasOwn(values, name)) return values[name]
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const key = name.slice(0, dot)
    const found = Object.hasOwn(values, key) ? findValue(values[key], name.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const listTexts = (value: unknown): string[] =>
  [value].flat().flatMap((one) => {
    if (typeof one === 'string') return one.trim()
    return typeof one === 'number' || typeof one === 'boolean' ? String(one) : []
  })
