/**
 * Setting up providers: owners add, change and remove them.
 *
 * The secret is encrypted before it gets into a row, so neither the log nor the audit log has it.
 */
import type { NewEntry } from '../log/entry.js'
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { LogInMethodRow } from '../log/rows.js'
import { composeSilentEntry } from '../log/silent-entry.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { authenticationMethods, type OtherWays } from '../realm/authentication.js'
import { realmUpdatedTogether } from '../realm/realm-entries.js'
import { checkMapping } from './mapped-account.js'
import { type LogInKind, logInKinds } from './methods.js'

/** What an owner sets. */
export interface GivenMethod {
  kind: LogInKind
  name: string
  is_enabled: boolean
  options: Readonly<Record<string, unknown>>
  /** undefined: it stays as it is */
  secret: string | undefined
}

/** Computes the ways to log in that a state has, with those of the configuration. */
export type FindWays = (state: RealmState) => OtherWays

const LONGEST_NAME = 60

/** Adds a method, with the next id. Throws BAD_REQUEST. */
export const addMethod =
  (input: GivenMethod, findWays: FindWays): Step =>
  (state) => {
    const { id, rows } = allocateId(state, 'log_in_methods')
    const method = { id, ...validateMethod(state, input), sealed_secret: seal(state, input.secret ?? '') }
    return [composeEntry(state, [composeInsert('log_in_methods', method), ...rows], findWays)]
  }

/** Changes a method; its protocol stays. Throws BAD_REQUEST. */
export const changeMethod =
  (id: number, input: Omit<GivenMethod, 'kind'>, findWays: FindWays): Step =>
  (state) => {
    const row = requireMethodRow(state, id)
    const { secret } = input
    const method = validateMethod(state, { ...input, kind: row.kind as LogInKind }, id)
    const sealed = secret === undefined ? {} : { sealed_secret: seal(state, secret) }
    const change = composeUpdate('log_in_methods', row, { ...method, ...sealed })
    return change === undefined ? [] : [composeEntry(state, [change], findWays)]
  }

/** Removes a method. Its identities stay without effect. Throws BAD_REQUEST. */
export const removeMethod =
  (id: number, findWays: FindWays): Step =>
  (state) => [composeEntry(state, [composeDelete('log_in_methods', requireMethodRow(state, id))], findWays)]

/** The row of a method. Throws BAD_REQUEST. */
export const requireMethodRow = (state: RealmState, id: number): LogInMethodRow => {
  const row = state.logInMethods.get(id)
  if (row === undefined) throw errors.badRequest('There is no such log-in provider.')
  return row
}

const seal = ({ deployment }: RealmState, secret: string): string =>
  secret === '' ? '' : deployment.keys.sealFor('log-in-secret', secret)

const validateMethod = (state: RealmState, input: GivenMethod, own_id?: number) => {
  const { kind, is_enabled } = input
  const name = input.name.trim()
  if (name === '' || [...name].length > LONGEST_NAME) {
    throw errors.badRequest('The name of a log-in provider has 1 to {most} characters.', { most: LONGEST_NAME })
  }
  const others = [...state.logInMethods.values()].filter(({ id }) => id !== own_id)
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    throw errors.badRequest('There is a log-in provider with this name already.')
  }
  const options = logInKinds[kind].Options.safeParse(input.options)
  if (!options.success) {
    const [issue] = options.error.issues
    throw errors.badRequest('The option {name} of the log-in provider is not valid.', {
      name: issue?.path.join('.') || String((issue as { keys?: string[] } | undefined)?.keys ?? ''),
    })
  }
  checkMapping(state, options.data.mapping)
  return { kind, name, is_enabled, options: options.data }
}

/** Clients learn of a change only if it adds the first method of its way, or removes the last. */
const composeEntry = (state: RealmState, rows: readonly RowChange[], findWays: FindWays): NewEntry => {
  const [before, after] = [state, state.withChanges(rows)].map((one) =>
    authenticationMethods(one.settings, findWays(one)),
  )
  if (JSON.stringify(before) === JSON.stringify(after) || after === undefined) return composeSilentEntry(rows)
  return realmUpdatedTogether({ data: { authentication_methods: after } }, rows)
}
