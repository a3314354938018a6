/** The icon of the organization, and its logos for light and for dark pages. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { FileButton } from '../file-button.js'

interface Picture {
  title: string
  /** what it is called in a sentence */
  name: string
  /** what is uploaded */
  wanted: string
  sample: string
  /** its fields in the store of the organization */
  fields: 'realm_icon' | 'realm_logo' | 'realm_night_logo'
  upload: (client: Chat['client'], file: File) => Promise<unknown>
  remove: (client: Chat['client']) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  {
    title: t('Icon'),
    name: 'icon',
    wanted: 'an icon',
    sample: 'organization-icon',
    fields: 'realm_icon',
    upload: (client, file) => client.upload(file, { path: '/realm/icon' }),
    remove: (client) => client.call('DELETE /realm/icon'),
  },
  {
    title: t('Logo'),
    name: 'logo',
    wanted: 'a logo',
    sample: 'organization-logo light-sample',
    fields: 'realm_logo',
    upload: (client, file) => client.upload(file, { path: '/realm/logo?night=false' }),
    remove: (client) => client.call('DELETE /realm/logo', { night: false }),
  },
  {
    title: t('Logo for the dark theme'),
    name: 'logo for the dark theme',
    wanted: 'a logo for the dark theme',
    sample: 'organization-logo dark-sample',
    fields: 'realm_night_logo',
    upload: (client, file) => client.upload(file, { path: '/realm/logo?night=true' }),
    remove: (client) => client.call('DELETE /realm/logo', { night: true }),
  },
]

/** The pictures, each with the buttons that change it. */
export const OrganizationPictures = () => (
  <>
    {pictures.map((picture) => (
      <PictureForm key={picture.fields} picture={picture} />
    ))}
  </>
)

const PictureForm = ({ picture: { title, name, wanted, sample, fields, upload, remove } }: { picture: Picture }) => {
  const { client, organization } = useChat()
  const action = useAction()
  const { max_icon_file_size_mib, max_logo_file_size_mib } = organization.value
  const isUploaded = organization.value[`${fields}_source`] === 'U'
  const most = fields === 'realm_icon' ? max_icon_file_size_mib : max_logo_file_size_mib
  return (
    <section class="dialog-group" aria-label={title}>
      <h3>{title}</h3>
      <div class="user-card-head organization-picture">
        {/* There is a default icon, and no default logo. */}
        {(isUploaded || fields === 'realm_icon') && (
          <img
            class={sample}
            src={organization.value[`${fields}_url`]}
            alt={t('The {name} of the organization', { name })}
          />
        )}
        <div class="form-buttons">
          <FileButton
            label={t('Upload {wanted}', { wanted })}
            description={`${wanted.replace(/^a/, 'A')} of at most ${most} MiB`}
            isDisabled={action.state.value.isBusy}
            onChoose={(file) => action.run(() => upload(client, file), t('The {name} was changed.', { name }))}
          />
          {isUploaded && (
            <button
              type="button"
              class="button"
              onClick={() => action.run(() => remove(client), t('The {name} was removed.', { name }))}
            >
              Remove the {name}
            </button>
          )}
        </div>
      </div>
      <ActionStatus action={action} />
    </section>
  )
}
