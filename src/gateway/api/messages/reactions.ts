/**
 * Reactions to messages.
 *
 * Source: the API document, endpoint 15; protocol/endpoints.md 1.15 and 3.1.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { findEmoji, resolveEmoji } from '../../../domain/messages/chosen-emoji.js'
import { storedReactionType } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { requireChangeableMessage } from '../../../store/messages/narrow/load-messages.js'
import { addReaction as add, removeReaction as remove } from '../../../store/messages/reactions/reactions.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'

const typeDescription = 'unicode_emoji, realm_emoji or service_extra_emoji (zulip_extra_emoji)'

export const addReaction = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  summary: 'Adds an emoji reaction to a message.',
  callers: 'account',
  isFrequent: true,
  params: {
    message_id: idInPath(),
    emoji_name: str(),
    emoji_code: str().optional().describe('the code of the emoji, in the form of its reaction_type'),
    reaction_type: str().optional().describe(typeDescription),
  },
  example: { emoji_name: 'octopus' },
  response: z.object({}),
  errors: [errors.reactionAlreadyExists],
  async handle({ app, caller: { user }, state, write, params }) {
    const { sql } = app.store
    const message = await requireChangeableMessage({ sql, state, reader: user }, params.message_id)
    const emoji = resolveEmoji(state, params)
    const host = realmHost(state.realm.string_id, app.config)
    await add(write, { user, message, emoji, host })
    return {}
  },
})

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: 'Removes an emoji reaction of the caller from a message.',
  callers: 'account',
  isFrequent: true,
  params: {
    message_id: idInPath(),
    emoji_name: str().optional(),
    emoji_code: str().optional(),
    reaction_type: str().default('unicode_emoji').describe(typeDescription),
  },
  example: { message_id: '{reacted_message_id}', emoji_name: 'octopus' },
  response: z.object({}),
  errors: [errors.reactionDoesNotExist],
  async handle({ app, caller: { user }, state, write, params }) {
    const { emoji_name = '', emoji_code } = params
    if (params.emoji_name === undefined && emoji_code === undefined) {
      throw errors.badRequest('Missing parameter: send emoji_name or emoji_code.')
    }
    const { sql } = app.store
    const message = await requireChangeableMessage({ sql, state, reader: user }, params.message_id)
    const emoji = {
      emoji_name,
      emoji_code: emoji_code ?? findEmoji(state, emoji_name).emoji_code,
      reaction_type: storedReactionType(params.reaction_type),
    }
    const host = realmHost(state.realm.string_id, app.config)
    await remove(write, { user, message, emoji, host })
    return {}
  },
})
