/**
 * The storage of a bot: texts by key. Frameworks for bots use it.
 *
 * Source: protocol/endpoints.md 3.8; protocol/clients.md 4.5.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { deleteStorage, loadStorage, saveStorage } from '../../../store/users/bot-storage.js'
import { endpoint } from '../../call/endpoint.js'
import { json } from '../../call/params.js'

const keys = json(z.array(z.string())).optional().describe('default: all keys')
const storage = z.record(z.string(), z.string())

/** Bytes of a body: enough for the whole storage in percent-encoding, if most characters are ASCII. */
const bodyLimit = 2 * limits.max_bot_storage_characters

export const updateBotStorage = endpoint({
  method: 'PUT',
  path: '/bot_storage',
  summary: "Stores texts by key in the caller's storage.",
  callers: 'account',
  takesAck: false,
  params: { storage: json(storage) },
  example: { storage: { cursor: '42' } },
  response: z.object({}),
  body: { limit: bodyLimit, refusal: () => errors.bodyTooLarge({ limit: bodyLimit }) },
  async handle({ app, realm, caller, params }) {
    await saveStorage(app.store.sql, { realm_id: realm.id, user_id: caller.id }, params.storage)
    return {}
  },
})

export const getBotStorage = endpoint({
  method: 'GET',
  path: '/bot_storage',
  summary: "Reads the caller's storage.",
  callers: 'account',
  params: { keys },
  response: z.object({ storage }),
  errors: [errors.noSuchKey],
  async handle({ app, realm, caller, params }) {
    return { storage: await loadStorage(app.store.sql, { realm_id: realm.id, user_id: caller.id }, params.keys) }
  },
})

export const deleteBotStorage = endpoint({
  method: 'DELETE',
  path: '/bot_storage',
  summary: "Deletes texts from the caller's storage.",
  callers: 'account',
  takesAck: false,
  params: { keys },
  example: { keys: ['{storage_key}'] },
  response: z.object({}),
  errors: [errors.noSuchKey],
  async handle({ app, realm, caller, params }) {
    await deleteStorage(app.store.sql, { realm_id: realm.id, user_id: caller.id }, params.keys)
    return {}
  },
})
