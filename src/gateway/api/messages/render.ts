/** Renders a text that is not sent (protocol/messages.md 6.6). */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { normalizeDraft } from '../../../domain/messages/message.js'
import { renderContent } from '../../../store/messages/sending/render-content.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { endpoint } from '../../call/endpoint.js'
import { str } from '../../call/params.js'

export const renderMessage = endpoint({
  method: 'POST',
  path: '/messages/render',
  ignoresKeys: true,
  summary: 'Renders a text as a message of the caller.',
  callers: 'account',
  keyScope: 'read',
  params: { content: str() },
  example: { content: 'Hello **world**' },
  response: z.object({ rendered: z.string() }),
  async handle({ app, caller: { user }, state, params: { content } }) {
    if (content.trim() === '') return { rendered: '' }
    const { sql } = app.store
    const realm_url = realmUrl(state.realm.string_id, app.config)
    const isKnown = await loadAccessCheck(sql, state, user)
    const { html } = await renderContent(sql, state, user, normalizeDraft(content), { realm_url, isKnown })
    return { rendered: html }
  },
})
