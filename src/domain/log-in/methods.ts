/**
 * Log-in with an account of another server: which methods an organization has.
 *
 * 1. Owners set methods up for their organization (the table `log_in_methods`), and the operator for organizations of
 *    the deployment (`LOG_IN_METHODS`). Both are used alike; `key` tells them apart: a number, or a name.
 * 2. `logInKinds` has a row for each protocol. What is common to all (who may log in, which account belongs to whom,
 *    the pages and the apps) knows no protocol.
 */
import { z } from 'zod'
import type { LogInMethodRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { isOpenWay, type OtherWays } from '../realm/authentication.js'
import { type Directory, listDirectories } from './directories.js'
import { OperatorKey, parseOperatorList } from './operator-list.js'
import { ProviderOptions } from './provider-options.js'
import { SamlOptions } from './saml-options.js'

/** The protocols: the way to which each belongs, and its options. */
export const logInKinds = {
  oidc: { way: 'OpenID Connect', Options: ProviderOptions },
  saml: { way: 'SAML', Options: SamlOptions },
} as const satisfies Record<string, { way: keyof OtherWays; Options: z.ZodObject }>

/** The name of a protocol. */
export type LogInKind = keyof typeof logInKinds

/** The names of the protocols. */
export const logInKindNames = Object.keys(logInKinds) as [LogInKind, ...LogInKind[]]

/** A protocol with its options. */
type KindWithOptions = {
  [Kind in LogInKind]: { readonly kind: Kind; readonly options: z.infer<(typeof logInKinds)[Kind]['Options']> }
}[LogInKind]

/** A method that can be used. */
export type LogInMethod = KindWithOptions & {
  /** names the method in addresses and for identities: the id of its row, or the operator's name */
  readonly key: string
  /** what users read */
  readonly name: string
  /** Decrypts the secret that the provider and this server share; with SAML, the key of this server. */
  secret(): string
}

/** A method of one protocol. */
export type MethodOf<Kind extends LogInKind> = Extract<LogInMethod, { kind: Kind }>

/** A method that the operator set up. */
export type OperatorMethod = KindWithOptions & {
  readonly key: string
  readonly name: string
  readonly secret: string
  /** the organizations that have it, by `string_id`; undefined: all */
  readonly organizations: readonly string[] | undefined
}

/** The methods of the organization: those of the operator, then its own. @param offered those of the operator */
export const listMethods = (state: RealmState, offered: readonly OperatorMethod[]): LogInMethod[] => [
  ...offered
    .filter(({ organizations }) => organizations?.includes(state.realm.string_id) ?? true)
    .map(({ secret, ...method }) => ({ ...method, secret: () => secret })),
  ...[...state.logInMethods.values()].flatMap((row) => (row.is_enabled ? (openRow(state, row) ?? []) : [])),
]

/** Which ways to log in there are besides passwords. */
export const findWays = (
  state: RealmState,
  offered: readonly OperatorMethod[],
  trustsSite: boolean,
  directories: readonly Directory[],
): OtherWays => {
  const ways = new Set<string>(listMethods(state, offered).map(({ kind }) => logInKinds[kind].way))
  return {
    JWT: trustsSite,
    LDAP: listDirectories(state, directories).length > 0,
    'OpenID Connect': ways.has('OpenID Connect'),
    SAML: ways.has('SAML'),
  }
}

/** The methods whose way the organization has not turned off. */
export const listOpenMethods = (state: RealmState, offered: readonly OperatorMethod[], ways: OtherWays) =>
  listMethods(state, offered).filter(({ kind }) => isOpenWay(logInKinds[kind].way, state.settings, ways))

/** The method of a row; undefined for a row that a later release wrote. */
export const openRow = ({ deployment }: RealmState, row: LogInMethodRow): LogInMethod | undefined => {
  const { kind } = row
  if (!isKind(kind)) return undefined
  const options = logInKinds[kind].Options.safeParse(row.options)
  if (!options.success) return undefined
  // Without the secret that encrypted it, the provider refuses the log-in.
  const secret = () => deployment.keys.openFor('log-in-secret', row.sealed_secret) ?? ''
  return { key: String(row.id), name: row.name, secret, ...pair(kind, options.data) }
}

/** The address where the log-in with a method begins. It is below that of the organization. */
export const logInPath = (key: string): string => `/accounts/login/external/${key}`

/** The options are of this kind, because its schema has read them. */
const pair = (kind: LogInKind, options: KindWithOptions['options']) => ({ kind, options }) as KindWithOptions

const isKind = (kind: string): kind is LogInKind => Object.hasOwn(logInKinds, kind)

/** What methods of all protocols have. The options are beside it. */
const OperatorMethodText = z.looseObject({
  key: OperatorKey,
  kind: z.enum(logInKindNames).default('oidc'),
  name: z.string().min(1).max(60),
  client_secret: z.string().default(''),
  organizations: z.array(z.string()).optional(),
})

/** Parses the methods of the operator, a list in JSON. Throws an Error that says what is wrong with the text. */
export const parseOperatorMethods = (text: string): OperatorMethod[] => {
  const entries = parseOperatorList(text, OperatorMethodText, 'methods')
  return entries.map(({ key, kind, name, client_secret: secret, organizations, ...rest }) => {
    const options = logInKinds[kind].Options.safeParse(rest)
    if (!options.success) throw new Error(`${key}: ${z.prettifyError(options.error)}`)
    return { key, name, secret, organizations, ...pair(kind, options.data) }
  })
}
