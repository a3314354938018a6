/**
 * What a run of a synchronization changes: the accounts that are linked to people of a directory become as the
 * directory says.
 *
 * 1. Only linked accounts change. A person with the address of an account is linked to it first, by the rules of
 *    log-ins (external-log-in.ts); no account is created.
 * 2. An account whose person is gone or disabled is deactivated. Only an account that a run has deactivated comes back
 *    with its person: what an administrator has deactivated stays so.
 * 3. A run stops, and changes nothing, if it would deactivate more than a share of the linked active accounts, or would
 *    leave the organization without an owner. The operator can let it go on; the last owner stays even then.
 * 4. A name, an address or a group that the organization does not accept is left out and noted.
 */
import { isOwner } from '#rules/roles.js'
import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { ApiError } from '../protocol/errors.js'
import { validateFullName, validateNewEmail } from '../users/name-and-email-rules.js'
import type { Directory, DirectorySynchronization } from './directories.js'
import { mapGroups, mapRole, type PersonAttributes } from './directory-mapping.js'
import type { DirectoryPerson } from './directory-people.js'

/** A person, with what the mapping reads. */
export interface ReadPerson extends DirectoryPerson {
  readonly attributes: PersonAttributes
  /** the SHA-256 of the picture; '' if there is none, undefined if pictures are not read */
  readonly picture: string | undefined
}

/** An account that is linked to a person. */
export interface LinkedAccount {
  readonly user_id: number
  readonly subject: string
  /** the SHA-256 of the picture that a run has set; '' if there is none */
  readonly picture: string
  /** whether a run has deactivated the account */
  readonly is_deactivated: boolean
}

/** What changes of one account. */
export interface AccountChange {
  readonly user_id: number
  readonly is_active?: boolean
  readonly full_name?: string
  readonly email?: string
  readonly role?: number
}

/** What changes of the members of a user group. */
export interface GroupChange {
  readonly group_id: number
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/** A picture to load; its hash is '' if the directory has none any more. */
export interface PictureChange {
  readonly user_id: number
  readonly subject: string
  readonly dn: string
  readonly picture: string
}

/** What a run changes. */
export interface SynchronizationPlan {
  readonly links: readonly { user_id: number; subject: string; email: string }[]
  readonly accounts: readonly AccountChange[]
  readonly groups: readonly GroupChange[]
  readonly pictures: readonly PictureChange[]
  /** accounts that an administrator has reactivated since a run deactivated them (2) */
  readonly returned: readonly number[]
  /** what is left out, and why (4) */
  readonly notes: readonly string[]
  /** how many people the directory has, and how many accounts are linked to them */
  readonly people: number
  readonly linked: number
  /** why the run stops (3); undefined: it goes on */
  readonly stop: string | undefined
}

interface Draft {
  user: UserRow
  person: ReadPerson | undefined
  change: { -readonly [K in keyof AccountChange]: AccountChange[K] }
}

/**
 * Plans a run. Throws an Error for a directory without synchronization.
 * @param isForced whether the operator lets it go on (3)
 */
export const planSynchronization = (
  state: RealmState,
  directory: Directory,
  people: readonly ReadPerson[],
  linked: readonly LinkedAccount[],
  isForced: boolean,
): SynchronizationPlan => {
  const { synchronization } = directory
  if (synchronization === undefined) throw new Error(`the directory ${directory.key} is not synchronized`)
  const notes: string[] = []
  const links = planLinks(state, directory, people, linked)
  const bySubject = new Map(people.map((person) => [person.subject, person]))
  const all: LinkedAccount[] = [...linked, ...links.map((link) => ({ ...link, picture: '', is_deactivated: false }))]
  const drafts = all.flatMap((account) => {
    const user = state.users.get(account.user_id)
    if (user === undefined || user.is_bot) return []
    return [planAccount(state, synchronization, user, bySubject.get(account.subject), account, notes)]
  })
  const stop = checkGuard(state, synchronization, drafts, isForced, notes)
  return {
    links,
    accounts: drafts.flatMap(({ change }) => (Object.keys(change).length > 1 ? [change] : [])),
    groups: planGroups(state, synchronization, drafts, notes),
    pictures: planPictures(drafts, all),
    returned: all.flatMap(({ user_id, is_deactivated }) =>
      is_deactivated && state.users.get(user_id)?.is_active === true ? [user_id] : [],
    ),
    notes,
    people: people.length,
    linked: drafts.length,
    stop: isForced ? undefined : stop,
  }
}

const planLinks = (
  state: RealmState,
  { options: { domains } }: Directory,
  people: readonly ReadPerson[],
  linked: readonly LinkedAccount[],
): SynchronizationPlan['links'] => {
  const subjects = new Set(linked.map(({ subject }) => subject))
  const owners = new Set(linked.map(({ user_id }) => user_id))
  return people.flatMap(({ subject, email, isDisabled }) => {
    const user = email === '' || isDisabled || subjects.has(subject) ? undefined : state.userByEmail(email)
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    if (user === undefined || user.is_bot || !user.is_active || owners.has(user.id)) return []
    if (domains.length > 0 && !domains.includes(domain)) return []
    owners.add(user.id)
    return [{ user_id: user.id, subject, email }]
  })
}

const planAccount = (
  state: RealmState,
  { deactivates, mapping }: DirectorySynchronization,
  user: UserRow,
  person: ReadPerson | undefined,
  { is_deactivated }: LinkedAccount,
  notes: string[],
): Draft => {
  const change: Draft['change'] = { user_id: user.id }
  const isWanted = person !== undefined && !person.isDisabled
  if (deactivates && user.is_active && !isWanted) change.is_active = false
  if (deactivates && !user.is_active && isWanted && is_deactivated) change.is_active = true
  if (person === undefined || !(change.is_active ?? user.is_active)) return { user, person, change }
  const keep = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notes.push(`${user.delivery_email}: ${error.message}`)
      return undefined
    }
  }
  const full_name = keep(() =>
    person.name === '' || person.name === user.full_name ? undefined : validateFullName(state, person.name, user.id),
  )
  if (full_name !== undefined && full_name !== user.full_name) change.full_name = full_name
  const email = keep(() =>
    person.email === '' || person.email === user.delivery_email
      ? undefined
      : validateNewEmail(state, person.email, user.id),
  )
  if (email !== undefined && email !== user.delivery_email) change.email = email
  const role = mapRole(mapping, person.attributes)
  // Only rules about owners say who is none.
  const staysOwner = isOwner(user) && !mapping.roles.some((rule) => rule.role === 'owner')
  if (role !== undefined && role !== user.role && !staysOwner) change.role = role
  return { user, person, change }
}

/** Why the run must stop (3). The last owner keeps the account and the role in any case. */
const checkGuard = (
  state: RealmState,
  { most_deactivated_percent }: DirectorySynchronization,
  drafts: readonly Draft[],
  isForced: boolean,
  notes: string[],
): string | undefined => {
  const active = drafts.filter(({ user }) => user.is_active).length
  const ended = drafts.filter(({ change }) => change.is_active === false).length
  const changes = new Map(drafts.map(({ user, change }) => [user.id, change]))
  const owners = [...state.users.values()].filter((user) => isOwner(user) && user.is_active && !user.is_bot)
  const isLeft = (user: UserRow): boolean => {
    const change = changes.get(user.id)
    return change?.is_active !== false && isOwner({ role: change?.role ?? user.role })
  }
  const gains = drafts.some(
    ({ user, change }) => change.role !== undefined && isOwner({ role: change.role }) && isLeft(user),
  )
  if (owners.length > 0 && !owners.some(isLeft) && !gains) {
    if (!isForced) return 'The run would leave the organization without an owner.'
    const [last] = owners
    const draft = drafts.find(({ user }) => user.id === last?.id)
    if (draft !== undefined) {
      delete draft.change.is_active
      delete draft.change.role
      notes.push(`${draft.user.delivery_email}: the last owner stays`)
    }
  }
  if (ended * 100 > active * most_deactivated_percent) {
    return `The run would deactivate ${ended} of ${active} accounts, more than ${most_deactivated_percent} percent.`
  }
  return undefined
}

const planGroups = (
  state: RealmState,
  { mapping }: DirectorySynchronization,
  drafts: readonly Draft[],
  notes: string[],
): GroupChange[] => {
  const changes: GroupChange[] = []
  for (const name of new Set(mapping.groups.map(({ group }) => group))) {
    const group = findOpenGroup(state, name)
    if (group === undefined) {
      notes.push(`There is no user group “${name}”.`)
      continue
    }
    const members = state.directMembers(group.id)
    const add: number[] = []
    const remove: number[] = []
    for (const { user, person, change } of drafts) {
      if (person === undefined || !(change.is_active ?? user.is_active)) continue
      const isMember = mapGroups(mapping, person.attributes).get(name) === true
      if (isMember && !members.has(user.id)) add.push(user.id)
      if (!isMember && members.has(user.id)) remove.push(user.id)
    }
    if (add.length + remove.length > 0) changes.push({ group_id: group.id, add, remove })
  }
  return changes
}

const planPictures = (drafts: readonly Draft[], linked: readonly LinkedAccount[]): PictureChange[] => {
  const known = new Map(linked.map(({ user_id, picture }) => [user_id, picture]))
  return drafts.flatMap(({ user, person, change }) => {
    if (person?.picture === undefined || person.picture === known.get(user.id)) return []
    if (!(change.is_active ?? user.is_active)) return []
    return [{ user_id: user.id, subject: person.subject, dn: person.dn, picture: person.picture }]
  })
}

const findOpenGroup = (state: RealmState, name: string): GroupRow | undefined =>
  [...state.groups.values()].find((group) => group.name === name && !group.is_system_group && !group.deactivated)
