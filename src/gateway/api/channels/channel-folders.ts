/** Folders of channels. Source: protocol/endpoints.md 3.5, protocol/permissions.md 7.5. */
import { z } from 'zod'
import { folderObject } from '../../../domain/channels/channel-entries.js'
import { createFolder, foldersOnWire, reorderFolders, updateFolder } from '../../../domain/channels/channel-folders.js'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commitEntries } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json, str } from '../../call/params.js'

const name = () => str({ max: limits.max_channel_folder_name_length })
const description = () => str({ max: limits.max_channel_folder_description_length })

export const getChannelFolders = endpoint({
  method: 'GET',
  path: '/channel_folders',
  summary: 'Lists the folders of channels in their order.',
  callers: 'account',
  params: { include_archived: bool().default(false) },
  response: z.object({ channel_folders: z.array(folderObject) }),
  handle: ({ state, params }) => ({ channel_folders: foldersOnWire(state, params.include_archived) }),
})

export const createChannelFolder = endpoint({
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Creates a folder of channels.',
  callers: 'administrator',
  params: { name: name(), description: description().default('') },
  example: { name: 'Product', description: 'What we build' },
  response: z.object({ channel_folder_id: z.int() }),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    const { state, caller, params, write } = call
    const channel_folder_id = state.nextId('channel_folders')
    const entries = [createFolder(state, caller.user, params)]
    return write.answering(
      () => ({ channel_folder_id }),
      (keyed) => commitEntries(keyed, entries),
    )
  },
})

export const updateChannelFolder = endpoint({
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  summary: 'Changes the name or the description of a folder, archives it, or takes it out of the archive.',
  callers: 'administrator',
  params: {
    channel_folder_id: idInPath(),
    name: name().optional(),
    description: description().optional(),
    is_archived: bool().optional(),
  },
  example: { name: 'Our product' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    const { state, caller, params, write } = call
    const entries = updateFolder(state, caller.user, params.channel_folder_id, params)
    if (entries.length > 0) await commitEntries(write, entries)
    return {}
  },
})

export const reorderChannelFolders = endpoint({
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Changes the order in which clients show the folders.',
  level: 414,
  callers: 'administrator',
  params: { order: json(z.array(z.int())).describe('the IDs of all folders, also of archived ones') },
  example: { order: '{channel_folder_order}' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    const entries = reorderFolders(call.state, call.params.order)
    if (entries.length > 0) await commitEntries(call.write, entries)
    return {}
  },
})
