/**
 * Directories (LDAP, Active Directory) with whose passwords users log in, as the operator sets them up.
 *
 * 1. A directory belongs to some organizations of the deployment, or to all.
 * 2. What a user types gets into a filter only with the escapes of RFC 4515, so it is always one value.
 * 3. A connection has TLS unless the operator says `plain`.
 * 4. An account that is linked to a person of a directory is held by it: with `replaces_passwords`, a password that is
 *    stored here does not let its user in.
 */
import { z } from 'zod'
import type { RealmState } from '../log/state.js'
import { isOpenWay, type OtherWays } from '../realm/authentication.js'
import { DirectoryMapping } from './directory-mapping.js'
import { OperatorKey, parseOperatorList } from './operator-list.js'
import { accountRules } from './provider-options.js'

/** What stands for the name that a user types in `log_in_filter`. */
const PLACE_OF_NAME = '{login}'

const AttributeName = z.string().regex(/^[a-z][a-z0-9.;-]{0,99}$/i, 'must be the name of an attribute')
const Filter = z
  .string()
  .max(1_000)
  .regex(/^\(.*\)$/s, 'must be a filter in brackets')
const Dn = z.string().trim().max(1_000)

/** Whose name the attributes have that say something about a person. An empty one is not read. */
const Attributes = z.strictObject({
  /** never changes, also if the person is renamed or moved */
  id: AttributeName,
  email: AttributeName,
  name: AttributeName,
  /** '' reads no pictures */
  picture: AttributeName.or(z.literal('')),
  /** says that the person may not log in; '': the directory refuses their log-ins by itself */
  disabled: AttributeName.or(z.literal('')),
})

/** What a directory of each kind calls things, unless the operator names them otherwise. */
const kinds = {
  ldap: {
    user_filter: '(objectClass=inetOrgPerson)',
    log_in_filter: '(|(uid={login})(mail={login}))',
    group_filter: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames))',
    membership: 'member',
    attributes: { id: 'entryUUID', email: 'mail', name: 'cn', picture: 'jpegPhoto', disabled: '' },
  },
  active_directory: {
    user_filter: '(&(objectCategory=person)(objectClass=user))',
    log_in_filter: '(|(sAMAccountName={login})(userPrincipalName={login})(mail={login}))',
    group_filter: '(objectClass=group)',
    membership: 'memberOf',
    attributes: {
      id: 'objectGUID',
      email: 'mail',
      name: 'displayName',
      picture: 'thumbnailPhoto',
      disabled: 'userAccountControl',
    },
  },
} as const

/** What is taken over from the directory at regular times. */
const Synchronization = z.strictObject({
  /** how often; 0: only with the command line */
  minutes: z.int().min(0).max(10_080).default(60),
  /** whether accounts end whose person is gone or disabled, and come back with the person */
  deactivates: z.boolean().default(true),
  /** the share of the linked accounts that a run may deactivate, in percent */
  most_deactivated_percent: z.number().min(0).max(100).default(10),
  /** the roles and user groups that the attributes of people give */
  mapping: DirectoryMapping.prefault({}),
})

const DirectoryText = z
  .strictObject({
    key: OperatorKey,
    name: z.string().min(1).max(60),
    kind: z.enum(['ldap', 'active_directory']).default('ldap'),
    url: z.url({ protocol: /^ldaps?$/ }).max(500),
    security: z.enum(['tls', 'starttls', 'plain']).optional(),
    ca_file: z.string().min(1).optional(),
    bind_dn: Dn.default(''),
    bind_password: z.string().default(''),
    bind_password_file: z.string().min(1).optional(),
    base_dn: Dn.min(1),
    user_filter: Filter.optional(),
    log_in_filter: Filter.refine((text) => text.includes(PLACE_OF_NAME), `must have ${PLACE_OF_NAME}`).optional(),
    group_base_dn: Dn.min(1).optional(),
    group_filter: Filter.optional(),
    membership: z.enum(['member', 'memberOf']).optional(),
    attributes: Attributes.partial().default({}),
    creates_accounts: z.enum(accountRules).default('everyone'),
    domains: z.array(z.string().trim().toLowerCase().min(1).max(253)).max(100).default([]),
    replaces_passwords: z.boolean().default(true),
    organizations: z.array(z.string()).optional(),
    synchronization: Synchronization.optional(),
  })
  .superRefine(({ url, security, bind_dn, bind_password, bind_password_file }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    const isSecure = url.startsWith('ldaps:')
    if (isSecure && security !== undefined && security !== 'tls') refuse(`ldaps:// is not ${security}`)
    if (!isSecure && security === 'tls') refuse('tls needs an address with ldaps://')
    const { pathname, search, hash, username, hostname } = new URL(url)
    if (!['', '/'].includes(pathname) || `${search}${hash}${username}` !== '' || hostname === '')
      refuse('url must have a host and a port only')
    const hasPassword = bind_password !== '' || bind_password_file !== undefined
    if (bind_password !== '' && bind_password_file !== undefined) refuse('has two bind passwords')
    // A bind with a name and without a password is anonymous.
    if ((bind_dn !== '') !== hasPassword) refuse('bind_dn and a bind password are set together')
  })

type DirectoryText = z.infer<typeof DirectoryText>

/** A directory. */
export interface Directory {
  /** names it for identities, in commands and metrics; never changes */
  readonly key: string
  /** what users read */
  readonly name: string
  readonly url: string
  readonly security: 'tls' | 'starttls' | 'plain'
  readonly ca_file: string | undefined
  /** '': the directory is searched without a log-in */
  readonly bind_dn: string
  readonly bind_password: string
  readonly bind_password_file: string | undefined
  readonly base_dn: string
  /** finds all people who may have accounts */
  readonly user_filter: string
  readonly log_in_filter: string
  readonly group_base_dn: string
  readonly group_filter: string
  /** `member`: groups name their members; `memberOf`: members name their groups */
  readonly membership: 'member' | 'memberOf'
  readonly attributes: z.infer<typeof Attributes>
  readonly options: Pick<DirectoryText, 'creates_accounts' | 'domains'>
  /** (4) */
  readonly replaces_passwords: boolean
  /** the organizations that have it, by `string_id`; undefined: all */
  readonly organizations: readonly string[] | undefined
  /** undefined: nothing is taken over but at log-ins */
  readonly synchronization: DirectorySynchronization | undefined
}

/** What is taken over from a directory at regular times. */
export type DirectorySynchronization = z.infer<typeof Synchronization>

/** Parses the directories, a list in JSON. Throws an Error that says what is wrong with the text. */
export const parseDirectories = (text: string): Directory[] =>
  parseOperatorList(text, DirectoryText, 'directories').map(composeDirectory)

const composeDirectory = (given: DirectoryText): Directory => {
  const names = kinds[given.kind]
  const { key, name, url, bind_dn, bind_password, base_dn, creates_accounts, domains } = given
  return {
    key: `ldap:${key}`,
    name,
    url,
    security: given.security ?? (url.startsWith('ldaps:') ? 'tls' : 'starttls'),
    ca_file: given.ca_file,
    bind_dn,
    bind_password,
    bind_password_file: given.bind_password_file,
    base_dn,
    user_filter: given.user_filter ?? names.user_filter,
    log_in_filter: given.log_in_filter ?? names.log_in_filter,
    group_base_dn: given.group_base_dn ?? base_dn,
    group_filter: given.group_filter ?? names.group_filter,
    membership: given.membership ?? names.membership,
    attributes: { ...names.attributes, ...given.attributes },
    options: { creates_accounts, domains },
    replaces_passwords: given.replaces_passwords,
    organizations: given.organizations,
    synchronization: given.synchronization,
  }
}

/** The files that the process reads for its directories. */
export const listDirectoryFiles = (directories: readonly Directory[]): string[] =>
  directories.flatMap(({ ca_file, bind_password_file }) =>
    [ca_file, bind_password_file].filter((file) => file !== undefined),
  )

/** The directories of an organization (1). */
export const listDirectories = (state: RealmState, offered: readonly Directory[]): Directory[] =>
  offered.filter(({ organizations }) => organizations?.includes(state.realm.string_id) ?? true)

/** The directories of an organization that has not turned them off. */
export const listOpenDirectories = (state: RealmState, offered: readonly Directory[], ways: OtherWays): Directory[] =>
  isOpenWay('LDAP', state.settings, ways) ? listDirectories(state, offered) : []

/** The filter that finds the person with this name (2). */
export const composeLogInFilter = ({ user_filter, log_in_filter }: Directory, name: string): string =>
  `(&${user_filter}${log_in_filter.replaceAll(PLACE_OF_NAME, () => escapeFilterValue(name))})`

/** A value as it stands in a filter (2). Every ASCII character but letters, digits and `.@_-` is escaped. */
export const escapeFilterValue = (value: string): string =>
  value.replace(/[\0-\x7f]/g, (character) =>
    /[\w.@-]/.test(character) ? character : `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
