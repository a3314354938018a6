/**
 * Folders: named groups of channels, the same for every user.
 *
 * 1. A name is unique whatever its case, among archived folders too: a folder can always be taken out of the archive.
 * 2. A folder with channels in it cannot be archived, and no channel can be put into an archived one.
 *
 * Source: protocol/endpoints.md 3.5, protocol/events.md 2.5 and 3.2.
 */

import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../log/entry.js'
import { composeInsert, composeUpdate } from '../log/row-changes.js'
import type { CounterRow, FolderRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { renderDescription } from '../rendering/names-and-descriptions.js'
import { openNameIndex } from '../text/name-index.js'
import { requireVisibleName } from '../text/names.js'
import { type FolderData, type FolderObject, folderAdded, foldersReordered, folderUpdated } from './channel-entries.js'

/** The folders in their order. */
export const foldersOnWire = (state: RealmState, include_archived: boolean): FolderObject[] =>
  listFolders(state)
    .map(folderOnWire)
    .filter((folder) => include_archived || !folder.is_archived)

const listFolders = (state: RealmState): FolderRow[] =>
  [...state.folders.values()].sort((a, b) => a.position - b.position || a.id - b.id)

/** @param order the place among all folders, archived ones included, from 0 on */
const folderOnWire = ({ position: _, ...folder }: FolderRow, order: number): FolderObject => ({ ...folder, order })

/** Throws BAD_REQUEST for a folder that cannot take channels (2). */
export const checkFolder = (state: RealmState, folder_id: number): void => {
  const folder = state.folders.get(folder_id)
  if (folder === undefined || folder.is_archived) throw errors.invalidFolderId()
}

/** The entry that creates a folder. Throws BAD_REQUEST. */
export const createFolder = (
  state: RealmState,
  creator: UserRow,
  properties: { name: string; description: string },
): NewEntry => {
  const id = state.nextId('channel_folders')
  const folder: FolderRow = {
    id,
    name: validateFolderName(state, properties.name),
    description: properties.description,
    rendered_description: renderDescription(state, creator, properties.description),
    date_created: secondsNow(),
    creator_id: creator.id,
    is_archived: false,
    position: Math.max(0, ...[...state.folders.values()].map(({ position }) => position)) + 1,
  }
  const counter: CounterRow = { name: 'channel_folders', value: id }
  const raised =
    id === 1 ? composeInsert('counters', counter) : composeUpdate('counters', { ...counter, value: id - 1 }, counter)
  return folderAdded({ folder: folderOnWire(folder, state.folders.size) }, [
    composeInsert('channel_folders', folder),
    ...(raised === undefined ? [] : [raised]),
  ])
}

/** The new properties of a folder; an absent one does not change. */
export interface FolderUpdate {
  name?: string | undefined
  description?: string | undefined
  is_archived?: boolean | undefined
}

/** The entry that changes a folder; none when nothing changes. Throws BAD_REQUEST. */
export const updateFolder = (state: RealmState, user: UserRow, folder_id: number, input: FolderUpdate): NewEntry[] => {
  const folder = state.folders.get(folder_id)
  if (folder === undefined) throw errors.invalidFolderId()
  const data: FolderData = {}
  if (input.name !== undefined) data.name = validateFolderName(state, input.name, folder_id)
  if (input.description !== undefined && input.description !== folder.description) {
    data.description = input.description
    data.rendered_description = renderDescription(state, user, input.description)
  }
  if (input.is_archived !== undefined) data.is_archived = input.is_archived
  if (data.is_archived === true && isInUse(state, folder_id)) {
    throw errors.badRequest('Remove the channels from this folder before you archive it.')
  }
  const row = composeUpdate('channel_folders', folder, data)
  return row === undefined ? [] : [folderUpdated({ channel_folder_id: folder_id, data: row.after ?? {} }, [row])]
}

/** The entries that put the folders into this order, archived ones included. Throws BAD_REQUEST. */
export const reorderFolders = (state: RealmState, order: readonly number[]): NewEntry[] => {
  const isComplete = new Set(order).size === order.length && order.length === state.folders.size
  if (!isComplete || !order.every((id) => state.folders.has(id))) {
    throw errors.badRequest('order must contain the ID of each channel folder once, also of archived ones.')
  }
  const rows = order.flatMap((id, position) => {
    const folder = state.folders.get(id)
    return (folder && composeUpdate('channel_folders', folder, { position })) ?? []
  })
  const isChanged = listFolders(state).some(({ id }, i) => id !== order[i])
  return isChanged ? [foldersReordered({ order }, rows)] : []
}

/** Archived channels count: an unarchived channel is in its folder again. */
const isInUse = (state: RealmState, folder_id: number): boolean => {
  for (const channel of state.channels.values()) if (channel.folder_id === folder_id) return true
  return false
}

const validateFolderName = (state: RealmState, input: string, own_id?: number): string => {
  const name = input.trim()
  if (name === '') throw errors.badRequest('A channel folder needs a name.')
  if (state.folders.get(own_id ?? 0)?.name !== name) requireVisibleName(name, 'folder')
  if (findFolderLike(state, name, own_id) !== undefined) {
    throw errors.badRequest('There is a folder with this name already: choose another one.')
  }
  return name
}

const findFolderLike = openNameIndex<FolderRow>({
  tables: ['channel_folders'],
  rows: (state) => state.folders.values(),
  nameOf: ({ name }) => name,
  ignoresCase: true,
})
