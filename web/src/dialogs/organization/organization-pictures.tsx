/** The icon of the organization, and its logos for light and for dark pages. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { FileButton } from '../file-button.js'

interface Picture {
  title: string
  /** the text in its place */
  alt: string
  uploadLabel: string
  /** what the file can be. @param most MiB */
  describeFile: (most: number | undefined) => string
  changed: string
  removeLabel: string
  removed: string
  sample: string
  /** its fields in the store of the organization */
  fields: 'realm_icon' | 'realm_logo' | 'realm_night_logo'
  upload: (client: Chat['client'], file: File) => Promise<unknown>
  remove: (client: Chat['client']) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  {
    title: t('Icon'),
    alt: t('The icon of the organization'),
    uploadLabel: t('Upload an icon'),
    describeFile: (most) => t('An icon of at most {most, number} MiB', { most }),
    changed: t('The icon was changed.'),
    removeLabel: t('Remove the icon'),
    removed: t('The icon was removed.'),
    sample: 'organization-icon',
    fields: 'realm_icon',
    upload: (client, file) => client.upload(file, { path: '/realm/icon' }),
    remove: (client) => client.call('DELETE /realm/icon'),
  },
  {
    title: t('Logo'),
    alt: t('The logo of the organization'),
    uploadLabel: t('Upload a logo'),
    describeFile: (most) => t('A logo of at most {most, number} MiB', { most }),
    changed: t('The logo was changed.'),
    removeLabel: t('Remove the logo'),
    removed: t('The logo was removed.'),
    sample: 'organization-logo light-sample',
    fields: 'realm_logo',
    upload: (client, file) => client.upload(file, { path: '/realm/logo?night=false' }),
    remove: (client) => client.call('DELETE /realm/logo', { night: false }),
  },
  {
    title: t('Logo for the dark theme'),
    alt: t('The logo for the dark theme of the organization'),
    uploadLabel: t('Upload a logo for the dark theme'),
    describeFile: (most) => t('A logo for the dark theme of at most {most, number} MiB', { most }),
    changed: t('The logo for the dark theme was changed.'),
    removeLabel: t('Remove the logo for the dark theme'),
    removed: t('The logo for the dark theme was removed.'),
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

const PictureForm = ({ picture }: { picture: Picture }) => {
  const { title, sample, fields } = picture
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
          <img class={sample} src={organization.value[`${fields}_url`]} alt={picture.alt} />
        )}
        <div class="form-buttons">
          <FileButton
            label={picture.uploadLabel}
            description={picture.describeFile(most)}
            isDisabled={action.state.value.isBusy}
            onChoose={(file) => action.run(() => picture.upload(client, file), picture.changed)}
          />
          {isUploaded && (
            <button
              type="button"
              class="button"
              onClick={() => action.run(() => picture.remove(client), picture.removed)}
            >
              {picture.removeLabel}
            </button>
          )}
        </div>
      </div>
      <ActionStatus action={action} />
    </section>
  )
}
