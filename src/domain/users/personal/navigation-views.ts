/**
 * Built-in navigation views, and the rules for names of views.
 * Source: the API document, endpoint 17; protocol/endpoints.md 1.17.
 */
import { errors } from '../../protocol/errors.js'

/** Fragments of the views that every client provides and names. */
const builtIn: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

/** The name as it is stored; null for a built-in view. Throws BAD_REQUEST. */
export const validateViewName = (fragment: string, input: string | null): string | null => {
  const name = input === null ? null : input.trim()
  if (builtIn.has(fragment)) {
    if (name !== null) throw errors.badRequest('A built-in view cannot be given another name.')
  } else if (name === null || name === '') {
    throw errors.badRequest('A custom view needs a name.')
  }
  return name
}
