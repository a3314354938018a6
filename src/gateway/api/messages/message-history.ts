/** The edit history of a message. Source: protocol/messages.md 4.7. */
import { z } from 'zod'
import { buildVersions, version } from '../../../domain/messages/editing/edit-history.js'
import { errors } from '../../../domain/protocol/errors.js'
import { proxyMedia } from '../../../domain/rendering/proxied-media.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath } from '../../call/params.js'

export const getMessageHistory = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: 'Lists the versions of a message, the original first.',
  callers: 'account',
  condition: 'The organization decides how much of the history users see.',
  params: {
    message_id: idInPath(),
    allow_empty_topic_name: bool().default(false).describe('false: an empty topic is replaced by its display name'),
  },
  response: z.object({ message_history: z.array(version) }),
  async handle({ app, caller: { user }, state, params }) {
    const policy = state.settings.message_edit_history_visibility_policy
    if (policy === 'none') throw errors.badRequest('This organization does not show the edit history of messages.')
    const [message] = await loadReadableMessages({ sql: app.store.sql, state, reader: user }, [params.message_id])
    if (message === undefined) throw errors.invalidMessages()
    const versions = buildVersions(message, message.edit_history, policy, params.allow_empty_topic_name)
    return { message_history: versions.map((one) => proxyMedia(one, htmlFields, state.deployment)) }
  },
})

const htmlFields = ['rendered_content', 'prev_rendered_content', 'content_html_diff'] as const
