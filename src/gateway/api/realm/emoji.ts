/** Custom emoji: listing, adding, deactivating. Source: protocol/endpoints.md 3.11. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { addEmoji, customEmojiOnWire, deactivateEmoji, validateEmojiName } from '../../../domain/realm/custom-emoji.js'
import { customEmojiTable } from '../../../domain/realm/custom-emoji-entries.js'
import { imagesOf, inspectEmoji } from '../../../store/files/image-processing.js'
import { emojiKey } from '../../../store/files/storage-keys.js'
import { commitSteps } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { textInPath } from '../../call/params.js'
import { fileBodyRule, pictureTooLarge, requireSingleFile } from '../files/file-transfer.js'

export const getEmoji = endpoint({
  method: 'GET',
  path: '/realm/emoji',
  summary: 'Lists the custom emoji by id, deactivated ones included.',
  callers: 'account',
  params: {},
  response: z.object({ emoji: customEmojiTable }),
  handle: ({ state }) => ({ emoji: customEmojiOnWire(state) }),
})

export const uploadEmoji = endpoint({
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Adds a custom emoji. The form has one file with any field name: a PNG, GIF, JPEG or WebP image.',
  callers: 'member',
  permission: 'can_add_custom_emoji_group',
  params: { emoji_name: textInPath() },
  example: { emoji_name: 'chair' },
  response: z.object({}),
  errors: [errors.badImage, errors.imageTooLarge],
  rateLimit: 'uploads',
  body: fileBodyRule(limits.max_emoji_file_size_mib, pictureTooLarge),
  // Decoding it takes up to seconds of a core.
  isHeavy: () => true,
  changesStructure: true,
  async prepare({ state, caller, params, request, realm, app }) {
    validateEmojiName(state, caller.user, params.emoji_name)
    const wrongCount = () => errors.badRequest('Upload exactly one file.')
    const { data } = requireSingleFile(request, wrongCount, limits.max_emoji_file_size_mib, pictureTooLarge)
    const images = imagesOf(app.store.images, realm.id, caller.id)
    const { extension, still } = await inspectEmoji(images, data)
    const file_name = `${randomBytes(12).toString('hex')}.${extension}`
    const still_file_name = still === undefined ? null : `${randomBytes(12).toString('hex')}.png`
    await app.store.files.put(emojiKey(realm.id, file_name), data)
    if (still_file_name !== null) await app.store.files.put(emojiKey(realm.id, still_file_name), still as Uint8Array)
    return { file_name, still_file_name }
  },
  async handle({ state, caller, params, write, prepared }) {
    const name = validateEmojiName(state, caller.user, params.emoji_name)
    await commitSteps(write, [addEmoji(caller.user, name, prepared)])
    return {}
  },
})

export const deleteEmoji = endpoint({
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Deactivates a custom emoji. Messages that contain it keep it.',
  callers: 'account',
  condition: 'The caller added the emoji or is an administrator.',
  params: { emoji_name: textInPath() },
  response: z.object({}),
  errors: [errors.unknownEmoji],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [deactivateEmoji(call.caller.user, call.params.emoji_name)])
    return {}
  },
})
