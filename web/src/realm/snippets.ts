import type { SavedSnippet } from '@parley/client/realm'
import { compareTexts } from '../languages/locale.js'
import type { Chat } from './chat.js'

/** The longest title of a snippet, in characters. */
export const MAX_SNIPPET_TITLE = 60

/** The user's snippets, by their titles. */
export const sortSnippets = (chat: Chat): SavedSnippet[] =>
  [...chat.savedSnippets.value.values()].sort((one, other) => compareTexts(one.title, other.title))
