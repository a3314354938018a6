/** The folders of channels: administrators create, rename, order and archive them. */
import type { Folder } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { plainText } from '../../messages/rendered/plain-text.js'
import { useChat } from '../../realm/chat.js'
import { EditableEntry } from '../editable-entry.js'
import { moveEntry } from '../move-buttons.js'

/** The longest name and description, in characters. */
const MOST = { name: 100, description: 1024 }

/** The page "Channel folders". */
export const ChannelFolderSettings = () => {
  const chat = useChat()
  const action = useAction()
  const all = [...chat.folders.value.values()]
  const folders = all.filter(({ is_archived }) => !is_archived)
  const archived = all.filter(({ is_archived }) => is_archived)
  const move = (from: number, to: number) =>
    action.run(() => {
      const order = [...moveEntry(folders, from, to), ...archived].map(({ id }) => id)
      return chat.client.call('PATCH /channel_folders', { order })
    })
  const setArchived = ({ id: channel_folder_id, name }: Folder, is_archived: boolean) =>
    action.run(
      () => chat.client.call('PATCH /channel_folders/{channel_folder_id}', { channel_folder_id, is_archived }),
      is_archived ? `${name} is archived.` : `${name} is not archived any more.`,
    )
  return (
    <>
      <p class="soft-text">
        The sidebar of every user shows channels in these folders, in this order. The settings of a channel say in which
        folder it is.
      </p>
      {folders.length === 0 && <p class="soft-text">There are no folders yet.</p>}
      <ul class="dialog-rows" aria-label="Channel folders">
        {folders.map((folder, index) => (
          <EditableEntry
            key={folder.id}
            name={folder.name}
            summary={describeChannels(
              countChannels(chat.channels.value.values(), folder.id),
              plainText(folder.rendered_description),
            )}
            place={{ index, count: folders.length, onMove: (to) => move(index, to) }}
            removal="Archive"
            onRemove={() => setArchived(folder, true)}
          >
            <FolderForm folder={folder} />
          </EditableEntry>
        ))}
      </ul>
      <ActionNote action={action} />
      <section class="dialog-group" aria-label="A new folder">
        <h3>A new folder</h3>
        <FolderForm />
      </section>
      {archived.length > 0 && (
        <section class="dialog-group" aria-label="Archived folders">
          <h3>Archived folders</h3>
          <ul class="dialog-rows">
            {archived.map((folder) => (
              <li key={folder.id} class="dialog-row">
                <p class="dialog-row-main">{folder.name}</p>
                <button
                  type="button"
                  class="button"
                  aria-label={`Take out of the archive: ${folder.name}`}
                  onClick={() => setArchived(folder, false)}
                >
                  Take out of the archive
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const countChannels = (channels: Iterable<{ folder_id: number | null }>, folderId: number): number => {
  let count = 0
  for (const { folder_id } of channels) if (folder_id === folderId) count += 1
  return count
}

const describeChannels = (count: number, description: string): string =>
  [count === 1 ? '1 channel' : `${count} channels`, ...(description === '' ? [] : [description])].join(' · ')

const FolderForm = ({ folder }: { folder?: Folder }) => {
  const chat = useChat()
  const action = useAction()
  const name = useSignal(folder?.name ?? '')
  const description = useSignal(folder?.description ?? '')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const params = { name: name.value.trim(), description: description.value.trim() }
    const call = () =>
      folder === undefined
        ? chat.client.call('POST /channel_folders/create', params)
        : chat.client.call('PATCH /channel_folders/{channel_folder_id}', { ...params, channel_folder_id: folder.id })
    const isSaved = await action.run(call, folder === undefined ? 'The folder was created.' : 'Saved.')
    if (!isSaved || folder !== undefined) return
    name.value = ''
    description.value = ''
  }
  return (
    <form class="dialog-form" onSubmit={save}>
      <TextField
        label="Name of the folder"
        value={name.value}
        most={MOST.name}
        isRequired
        onChange={(value) => {
          name.value = value
        }}
      />
      <TextField
        label="Description"
        value={description.value}
        most={MOST.description}
        onChange={(value) => {
          description.value = value
        }}
      />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          {folder === undefined ? 'Create the folder' : 'Save'}
        </button>
      </div>
    </form>
  )
}
