/**
 * Drafts, which all clients of a user share.
 *
 * Source: the API document, endpoints 12 and 13; protocol/endpoints.md 1.12, 2.1 and 2.2.
 */
import { z } from 'zod'
import { checkDraft, draftObject, draftParameter } from '../../../domain/messages/drafts.js'
import { errors } from '../../../domain/protocol/errors.js'
import * as store from '../../../store/messages/drafts.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, json } from '../../call/params.js'

export const getDrafts = endpoint({
  method: 'GET',
  path: '/drafts',
  summary: 'Lists the caller’s drafts, the oldest edit first.',
  callers: 'draftSynchronizer',
  params: {},
  response: z.object({ count: z.int(), drafts: z.array(draftObject) }),
  async handle({ app, caller, realm }) {
    const drafts = await store.loadDrafts(app.store.sql, realm.id, caller.id)
    return { count: drafts.length, drafts }
  },
})

export const createDrafts = endpoint({
  method: 'POST',
  path: '/drafts',
  summary: 'Creates drafts.',
  callers: 'draftSynchronizer',
  params: { drafts: json(z.array(draftParameter)).default([]).allowNul() },
  example: {
    drafts: [{ type: 'stream', to: ['{stream_id}'], topic: 'ideas', content: 'What if', timestamp: '{now}' }],
  },
  response: z.object({ ids: z.array(z.int()).describe('in the order submitted') }),
  async handle({ caller, state, write, params }) {
    const drafts = params.drafts.map((draft) => checkDraft(state, caller.user, draft))
    const composeAnswer = (ids: number[]) => ({ ids })
    return write.answering(composeAnswer, (keyed) => store.addDrafts(keyed, caller.id, drafts))
  },
})

export const updateDraft = endpoint({
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Replaces a draft.',
  callers: 'draftSynchronizer',
  params: { draft_id: idInPath(), draft: json(draftParameter).allowNul() },
  example: {
    draft: { type: 'stream', to: ['{stream_id}'], topic: 'ideas', content: 'What if we', timestamp: '{now}' },
  },
  response: z.object({}),
  async handle({ caller, state, write, params }) {
    const draft = { id: params.draft_id, ...checkDraft(state, caller.user, params.draft) }
    const exists = await store.updateDraft(write, caller.id, draft)
    if (!exists) throw errors.draftDoesNotExist()
    return {}
  },
})

export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Deletes a draft.',
  callers: 'draftSynchronizer',
  params: { draft_id: idInPath() },
  response: z.object({}),
  async handle({ caller, write, params }) {
    const exists = await store.removeDraft(write, caller.id, params.draft_id)
    if (!exists) throw errors.draftDoesNotExist()
    return {}
  },
})
