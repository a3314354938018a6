/** Saved snippets: texts that a user inserts into messages. Source: protocol/endpoints.md 3.3. */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { snippetObject } from '../../../domain/messages/draft-entries.js'
import { errors } from '../../../domain/protocol/errors.js'
import * as store from '../../../store/messages/saved-snippets.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'

/** The most code points of a title. */
const MAX_TITLE_LENGTH = 60

export const getSavedSnippets = endpoint({
  method: 'GET',
  path: '/saved_snippets',
  summary: 'Lists the caller’s saved snippets.',
  callers: 'account',
  params: {},
  response: z.object({ saved_snippets: z.array(snippetObject) }),
  handle: async ({ app, caller, realm }) => ({
    saved_snippets: await store.loadSnippets(app.store.sql, realm.id, caller.id),
  }),
})

export const createSavedSnippet = endpoint({
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Saves a snippet.',
  callers: 'account',
  params: { title: str(), content: str() },
  example: { title: 'Welcome', content: 'Welcome to **design**!' },
  response: z.object({ saved_snippet_id: z.int() }),
  async handle({ caller, write, params }) {
    const snippet = {
      title: trimText('title', params.title, MAX_TITLE_LENGTH),
      content: trimText('content', params.content, limits.max_message_length),
    }
    const composeAnswer = (saved_snippet_id: number) => ({ saved_snippet_id })
    return write.answering(composeAnswer, (keyed) => store.addSnippet(keyed, caller.id, snippet))
  },
})

export const updateSavedSnippet = endpoint({
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Changes a saved snippet.',
  callers: 'account',
  params: { saved_snippet_id: idInPath(), title: str().optional(), content: str().optional() },
  example: { title: 'Greeting' },
  response: z.object({}),
  async handle({ caller, write, params }) {
    const { saved_snippet_id: id, title, content } = params
    const patch = {
      id,
      title: title === undefined ? undefined : trimText('title', title, MAX_TITLE_LENGTH),
      content: content === undefined ? undefined : trimText('content', content, limits.max_message_length),
    }
    if (!(await store.updateSnippet(write, caller.id, patch))) {
      throw errors.savedSnippetDoesNotExist()
    }
    return {}
  },
})

export const deleteSavedSnippet = endpoint({
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Deletes a saved snippet.',
  callers: 'account',
  params: { saved_snippet_id: idInPath() },
  response: z.object({}),
  async handle({ caller, write, params }) {
    if (!(await store.removeSnippet(write, caller.id, params.saved_snippet_id))) {
      throw errors.savedSnippetDoesNotExist()
    }
    return {}
  },
})

/** The text without white space at its ends. Throws BAD_REQUEST if it is empty, or has more than `max` code points. */
const trimText = (name: string, text: string, max: number): string => {
  const trimmed = text.trim()
  if (trimmed === '') throw errors.badRequest('{name} must not be blank.', { name })
  if ([...trimmed].length > max) throw errors.badRequest('{name} may have at most {max} characters.', { name, max })
  return trimmed
}
