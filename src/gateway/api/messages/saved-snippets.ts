/** Saved snippets: texts that a person uses again. Source: endpoints.md 3.3. */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { snippetObject } from '../../../domain/messages/draft-entries.js'
import { errors } from '../../../domain/protocol/errors.js'
import * as store from '../../../store/messages/saved-snippets.js'
import { endpoint } from '../../http/endpoint.js'
import { idInPath, str } from '../../http/params.js'

const LONGEST_TITLE = 60

export const getSavedSnippets = endpoint({
  method: 'GET',
  path: '/saved_snippets',
  summary: 'Lists the caller’s saved snippets.',
  access: 'account',
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
  access: 'account',
  params: { title: str(), content: str() },
  response: z.object({ saved_snippet_id: z.int() }),
  async handle({ caller, write, params }) {
    const snippet = {
      title: stripped('title', params.title, LONGEST_TITLE),
      content: stripped('content', params.content, limits.max_message_length),
    }
    return { saved_snippet_id: await store.addSnippet(write, caller.id, snippet) }
  },
})

export const updateSavedSnippet = endpoint({
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Changes a saved snippet.',
  access: 'account',
  params: { saved_snippet_id: idInPath(), title: str().optional(), content: str().optional() },
  response: z.object({}),
  async handle({ caller, write, params }) {
    const { saved_snippet_id: id, title, content } = params
    const patch = {
      id,
      title: title === undefined ? undefined : stripped('title', title, LONGEST_TITLE),
      content: content === undefined ? undefined : stripped('content', content, limits.max_message_length),
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
  access: 'account',
  params: { saved_snippet_id: idInPath() },
  response: z.object({}),
  async handle({ caller, write, params }) {
    if (!(await store.removeSnippet(write, caller.id, params.saved_snippet_id))) {
      throw errors.savedSnippetDoesNotExist()
    }
    return {}
  },
})

/** The text without space around it. Lengths count code points. */
const stripped = (name: string, text: string, most: number): string => {
  const left = text.trim()
  if (left === '') throw errors.badRequest(`${name} must not be blank.`)
  if ([...left].length > most) throw errors.badRequest(`${name} may have at most ${most} characters.`)
  return left
}
