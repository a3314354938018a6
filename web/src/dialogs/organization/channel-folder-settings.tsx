/** The folders of channels: administrators create, rename, order and archive them. */

import type { Folder } from '@parley/client/realm'
import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
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
      is_archived ? t('{name} is archived.', { name }) : t('{name} is not archived any more.', { name }),
    )
  return (
    <>
      <p class="soft-text">
        {t(
          'The sidebar of every user shows channels in these folders, in this order. The settings of a channel say in which folder it is.',
        )}
      </p>
      {folders.length === 0 && <p class="soft-text">{t('There are no folders yet.')}</p>}
      <ul class="dialog-rows" aria-label={t('Channel folders')}>
        {folders.map((folder, index) => (
          <EditableEntry
            key={folder.id}
            name={folder.name}
            summary={describeChannels(
              countChannels(chat.channels.value.values(), folder.id),
              plainText(folder.rendered_description),
            )}
            place={{ index, count: folders.length, onMove: (to) => move(index, to) }}
            removal={{ label: t('Archive'), confirmLabel: t('Archive {name} now', { name: folder.name }) }}
            onRemove={() => setArchived(folder, true)}
          >
            <FolderForm folder={folder} />
          </EditableEntry>
        ))}
      </ul>
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new folder')}>
        <h3>{t('A new folder')}</h3>
        <FolderForm />
      </section>
      {archived.length > 0 && (
        <section class="dialog-group" aria-label={t('Archived folders')}>
          <h3>{t('Archived folders')}</h3>
          <ul class="dialog-rows">
            {archived.map((folder) => (
              <li key={folder.id} class="dialog-row">
                <p class="dialog-row-main">{folder.name}</p>
                <button
                  type="button"
                  class="button"
                  aria-label={t('Take out of the archive: {name}', { name: folder.name })}
                  onClick={() => setArchived(folder, false)}
                >
                  {t('Take out of the archive')}
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
  [
    t('{count, plural, one {# channel} other {# channels}}', { count }),
    ...(description === '' ? [] : [description]),
  ].join(' · ')

const FolderForm = ({ folder }: { folder?: Folder }) => {
  const { client } = useChat()
  const form = useForm({
    values: { name: folder?.name ?? '', description: folder?.description ?? '' },
    send: ({ name, description }) => {
      const params = { name: name.trim(), description: description.trim() }
      return folder === undefined
        ? client.call('POST /channel_folders/create', params)
        : client.call('PATCH /channel_folders/{channel_folder_id}', { ...params, channel_folder_id: folder.id })
    },
    done: folder === undefined ? t('The folder was created.') : t('Saved.'),
    renews: folder === undefined ? 'all' : [],
  })
  return (
    <Form of={form}>
      <TextField label={t('Name of the folder')} most={MOST.name} isRequired {...form.bind('name')} />
      <TextField label={t('Description')} most={MOST.description} {...form.bind('description')} />
      <FormEnd of={form} label={folder === undefined ? t('Create the folder') : t('Save')} />
    </Form>
  )
}
