/**
 * Code playgrounds: where a reader can run a code block of some language.
 *
 * Source: the API document, endpoint 19; protocol/endpoints.md 1.19 (the refusals).
 */

import { limits } from '../limits/limits.js'
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert, type RowChange } from '../log/row-changes.js'
import type { PlaygroundRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { LinkifierError, parseTemplateVariables } from '../markdown/context/compiled-linkifier.js'
import { errors } from '../protocol/errors.js'
import { playgroundsChanged } from './playground-entries.js'
import { setRealmSettings } from './realm-changes.js'
import { isWebTemplate, playgroundTemplateOnWire } from './url-templates.js'

/** The organization's playgrounds as clients get them. */
export const playgroundsOnWire = (state: RealmState): PlaygroundRow[] =>
  listPlaygrounds(state).map((row) => ({ ...row, url_template: playgroundTemplateOnWire(row.url_template) }))

/** The organization's playgrounds, oldest first. */
const listPlaygrounds = (state: RealmState): PlaygroundRow[] =>
  [...state.playgrounds.values()].sort((a, b) => a.id - b.id)

/** Adds a playground, with the next id. Throws BAD_REQUEST. */
export const addPlayground =
  (input: Omit<PlaygroundRow, 'id'>): Step =>
  (state) => {
    const playground = validatePlayground(state, input)
    const { id, rows } = allocateId(state, 'playgrounds')
    return [composeEntries(state, [composeInsert('playgrounds', { id, ...playground }), ...rows])]
  }

/**
 * Removes a playground. If its language is the organization's default language of code blocks and no other playground
 * has that language, the default is removed, too. Throws BAD_REQUEST.
 */
export const removePlayground =
  (id: number): Step =>
  (state) => {
    const row = state.playgrounds.get(id)
    if (row === undefined) throw errors.badRequest('There is no such playground.')
    const { pygments_language } = row
    const isDefault = state.settings.default_code_block_language === pygments_language
    const hasOther = listPlaygrounds(state).some(
      (other) => other.id !== id && other.pygments_language === pygments_language,
    )
    return [
      composeEntries(state, [composeDelete('playgrounds', row)]),
      ...(isDefault && !hasOther ? setRealmSettings({ default_code_block_language: '' })(state) : []),
    ]
  }

const composeEntries = (state: RealmState, rows: readonly RowChange[]) =>
  playgroundsChanged({ realm_playgrounds: playgroundsOnWire(state.withChanges(rows)) }, rows)

const validatePlayground = (state: RealmState, input: Omit<PlaygroundRow, 'id'>): Omit<PlaygroundRow, 'id'> => {
  const name = input.name.trim()
  const pygments_language = input.pygments_language.trim()
  const url_template = input.url_template.trim()
  checkText('name', name, limits.max_playground_name_length)
  checkText('pygments_language', pygments_language, limits.max_playground_language_length)
  if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(pygments_language)) {
    throw errors.invalidField('pygments_language', 'A language name has letters, digits and + # . _ - only.')
  }
  checkTemplate(url_template)
  if (listPlaygrounds(state).some((row) => row.name === name && row.pygments_language === pygments_language)) {
    throw errors.invalidField('__all__', 'There is a playground with this language and name already.')
  }
  return { name, pygments_language, url_template }
}

const checkText = (field: string, value: string, max: number): void => {
  if (value === '') throw errors.invalidField(field, 'This must not be blank.')
  if ([...value].length > max) {
    throw errors.invalidField(field, '{name} may have at most {max} characters.', { name: field, max })
  }
}

const checkTemplate = (url_template: string): void => {
  let variables: Set<string>
  try {
    variables = parseTemplateVariables(url_template)
  } catch (error) {
    if (error instanceof LinkifierError) throw errors.invalidField('url_template', error.sentence)
    throw error
  }
  if (!isWebTemplate(url_template)) {
    throw errors.invalidField('url_template', 'The URL template must begin with https:// or http://.')
  }
  if (!variables.has('code')) {
    throw errors.invalidField('url_template', 'The URL template must use the variable code.')
  }
  if (variables.size > 1) {
    throw errors.invalidField('url_template', 'The URL template must use no variable but code.')
  }
}
