/**
 * What the attributes of a person in a directory say about the account: its role and its user groups.
 *
 * 1. `memberOf` has the names of all groups of which the person is a member, also through other groups. They are
 *    compared without regard to case and blanks; values of other attributes must be equal.
 * 2. Of several roles, the highest counts. Only rules that name the role of owner make an owner.
 */
import { z } from 'zod'
import { Role } from '../log/rows.js'

const roleNames = Object.keys(Role) as [keyof typeof Role, ...(keyof typeof Role)[]]

const AttributeName = z.string().trim().min(1).max(200)
const AttributeText = z.string().trim().min(1).max(1_000)

/** What operators set. */
export const DirectoryMapping = z.strictObject({
  /** who has `value` among the values of `attribute` gets the role */
  roles: z
    .array(z.strictObject({ attribute: AttributeName, value: AttributeText, role: z.enum(roleNames) }))
    .max(200)
    .default([]),
  /** the role of all other users; null: it stays */
  other_role: z.enum(roleNames).exclude(['owner']).nullable().default(null),
  /** who has `value` among the values of `attribute` is in the user group, and nobody else of the directory */
  groups: z
    .array(z.strictObject({ attribute: AttributeName, value: AttributeText, group: z.string().trim().min(1).max(100) }))
    .max(500)
    .default([]),
})

export type DirectoryMapping = z.infer<typeof DirectoryMapping>

/** The attribute that is computed from the groups (1). */
export const MEMBER_OF = 'memberof'

/** The values of a person's attributes, by their names in small letters. */
export type PersonAttributes = ReadonlyMap<string, ReadonlySet<string>>

/** The names of the attributes that a mapping reads, apart from `memberOf`. */
export const listMappedAttributes = ({ roles, groups }: DirectoryMapping): string[] => [
  ...new Set(
    [...roles, ...groups].map(({ attribute }) => attribute).filter((name) => name.toLowerCase() !== MEMBER_OF),
  ),
]

/** Whether a mapping asks for the groups of people. */
export const needsGroups = ({ roles, groups }: DirectoryMapping): boolean =>
  [...roles, ...groups].some(({ attribute }) => attribute.toLowerCase() === MEMBER_OF)

/** The role of a person; undefined: it stays as it is (2). */
export const mapRole = (mapping: DirectoryMapping, attributes: PersonAttributes): number | undefined => {
  const found = mapping.roles.filter((rule) => matches(attributes, rule)).map(({ role }) => Role[role])
  if (found.length > 0) return Math.min(...found)
  return mapping.other_role === null ? undefined : Role[mapping.other_role]
}

/** Whether a person is in each user group that the mapping names. */
export const mapGroups = (mapping: DirectoryMapping, attributes: PersonAttributes): Map<string, boolean> => {
  const found = new Map<string, boolean>()
  for (const rule of mapping.groups) {
    found.set(rule.group, found.get(rule.group) === true || matches(attributes, rule))
  }
  return found
}

const matches = (attributes: PersonAttributes, { attribute, value }: { attribute: string; value: string }): boolean => {
  const name = attribute.toLowerCase()
  return attributes.get(name)?.has(name === MEMBER_OF ? normalizeDn(value) : value) === true
}

/** A DN in the form in which two of them are compared (1). */
export const normalizeDn = (dn: string): string =>
  dn
    .toLowerCase()
    .replace(/(?<!\\)\s*([,=+])\s*/g, '$1')
    .trim()

/**
 * The groups of a member, also through other groups, by their normalized DNs. Groups
 * that contain each other are members of each other.
 * @param parents the groups of which each DN is a direct member
 */
export const resolveGroups = (dn: string, parents: ReadonlyMap<string, ReadonlySet<string>>): Set<string> => {
  const found = new Set<string>()
  const open = [...(parents.get(dn) ?? [])]
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (found.has(group)) continue
    found.add(group)
    open.push(...(parents.get(group) ?? []))
  }
  return found
}
