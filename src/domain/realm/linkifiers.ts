/**
 * The linkifiers of an organization: adding, changing, ordering, removing them.
 * What one is: markdown/context/compiled-linkifier.ts.
 *
 * Source: the API document, endpoint 20; protocol/endpoints.md 1.20 and 3.11 (the refusals).
 */

import { limits } from '../limits/limits.js'
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { LinkifierRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { type CompiledLinkifier, compileLinkifier, LinkifierError } from '../markdown/context/compiled-linkifier.js'
import { errors } from '../protocol/errors.js'
import { linkifiersChanged } from './linkifier-entries.js'
import { isLinkTemplate, linkifierTemplateOnWire } from './url-templates.js'

export interface GivenLinkifier {
  pattern: string
  url_template: string
}

/** The organization's linkifiers in the order in which they are applied. */
const listLinkifiers = (state: RealmState): LinkifierRow[] =>
  [...state.linkifiers.values()].sort((a, b) => a.position - b.position)

/** The linkifiers as clients receive them, in the order in which they are applied. */
export const linkifiersOnWire = (state: RealmState) =>
  listLinkifiers(state).map(({ id, pattern, url_template }) => ({
    id,
    pattern,
    url_template: linkifierTemplateOnWire(url_template),
  }))

const compiled = new WeakMap<LinkifierRow, CompiledLinkifier>()

/** The linkifiers, compiled for rendering. A pattern is compiled once for as long as its row object exists. */
export const compiledLinkifiers = (state: RealmState): readonly CompiledLinkifier[] =>
  listLinkifiers(state).map((row) => {
    let ready = compiled.get(row)
    if (ready === undefined) {
      ready = compileLinkifier(row)
      compiled.set(row, ready)
    }
    return ready
  })

/** Adds a linkifier after the others, with the next id. Throws BAD_REQUEST. */
export const addLinkifier =
  (input: GivenLinkifier): Step =>
  (state) => {
    const { pattern, url_template } = validateLinkifier(state, input)
    const { id, rows } = allocateId(state, 'linkifiers')
    const position = (listLinkifiers(state).at(-1)?.position ?? 0) + 1
    return composeEntries(state, [composeInsert('linkifiers', { id, pattern, url_template, position }), ...rows])
  }

/** Changes a linkifier. Throws BAD_REQUEST. */
export const changeLinkifier =
  (id: number, input: GivenLinkifier): Step =>
  (state) => {
    const row = requireLinkifier(state, id)
    const { pattern, url_template } = validateLinkifier(state, input, id)
    return composeEntries(state, [composeUpdate('linkifiers', row, { pattern, url_template })])
  }

/** Removes a linkifier. Throws BAD_REQUEST. */
export const removeLinkifier =
  (id: number): Step =>
  (state) =>
    composeEntries(state, [composeDelete('linkifiers', requireLinkifier(state, id))])

/** Puts the linkifiers into another order, which must name each of them once. Throws BAD_REQUEST. */
export const orderLinkifiers =
  (ids: readonly number[]): Step =>
  (state) => {
    if (new Set(ids).size < ids.length) {
      throw errors.badRequest('The order contains a linkifier twice: send each ID once.')
    }
    if (ids.length !== state.linkifiers.size || ids.some((id) => !state.linkifiers.has(id))) {
      throw errors.badRequest('The order must contain every linkifier once.')
    }
    return composeEntries(
      state,
      ids.map((id, i) => composeUpdate('linkifiers', requireLinkifier(state, id), { position: i + 1 })),
    )
  }

const requireLinkifier = (state: RealmState, id: number): LinkifierRow => {
  const row = state.linkifiers.get(id)
  if (row === undefined) throw errors.noSuchLinkifier()
  return row
}

const composeEntries = (state: RealmState, changes: readonly (RowChange | undefined)[]) => {
  const rows = changes.filter((row) => row !== undefined)
  if (rows.length === 0) return []
  return [linkifiersChanged({ realm_linkifiers: linkifiersOnWire(state.withChanges(rows)) }, rows)]
}

/** The linkifier to store. Throws BAD_REQUEST. */
const validateLinkifier = (state: RealmState, input: GivenLinkifier, own_id = 0): GivenLinkifier => {
  const pattern = input.pattern.trim()
  const url_template = input.url_template.trim()
  if (Buffer.byteLength(pattern) > limits.max_indexed_bytes)
    throw errors.invalidField('pattern', 'The pattern is too long: shorten it to {max} bytes.', {
      max: limits.max_indexed_bytes,
    })
  try {
    compileLinkifier({ id: own_id, pattern, url_template })
  } catch (error) {
    if (error instanceof LinkifierError) throw errors.invalidField(error.field, error.sentence)
    throw error
  }
  if (!isLinkTemplate(url_template)) {
    throw errors.invalidField(
      'url_template',
      'The URL template must begin with https://, http:// or another scheme that links can have.',
    )
  }
  if (listLinkifiers(state).some((other) => other.pattern === pattern && other.id !== own_id)) {
    throw errors.invalidField('__all__', 'There is a linkifier with this pattern already.')
  }
  return { pattern, url_template }
}
