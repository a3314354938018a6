/** What views there are, and what they may be called. Source: the API document, endpoint 17; endpoints.md 1.17. */
import { errors } from '../protocol/errors.js'

/** Views that every client has and names by itself. */
const builtIn: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

/** The name that the view is kept with. Throws BAD_REQUEST. */
export const validateViewName = (fragment: string, given: string | null): string | null => {
  const name = given === null ? null : given.trim()
  if (builtIn.has(fragment)) {
    if (name !== null) throw errors.badRequest('A built-in view keeps its own name.')
  } else if (name === null || name === '') {
    throw errors.badRequest('A view of your own needs a name.')
  }
  return name
}
