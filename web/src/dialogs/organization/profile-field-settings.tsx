/** The custom fields of profiles: administrators define, change, order and delete them. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { FieldType, fieldTypeName, type ProfileField, profileFields } from '../../profile/profile-fields.js'
import { useChat } from '../../realm/chat.js'
import { EditableEntry } from '../editable-entry.js'
import { moveEntry } from '../move-buttons.js'
import { ProfileFieldForm } from './profile-field-form.js'

/** The page "Profile fields". */
export const ProfileFieldSettings = () => {
  const chat = useChat()
  const action = useAction()
  const fields = profileFields(chat)
  const move = (from: number, to: number) =>
    action.run(() => {
      const order = moveEntry(fields, from, to).map(({ id }) => id)
      return chat.client.call('PATCH /realm/profile_fields', { order })
    })
  const remove = ({ id: field_id, name }: ProfileField) =>
    action.run(
      () => chat.client.call('DELETE /realm/profile_fields/{field_id}', { field_id }),
      t('{name} was deleted.', { name }),
    )
  return (
    <>
      <p class="soft-text">
        {t('Every profile has these fields, in this order. Users enter their values in their settings.')}
      </p>
      {fields.length === 0 && <p class="soft-text">{t('There are no fields yet.')}</p>}
      <ul class="dialog-rows" aria-label={t('Profile fields')}>
        {fields.map((field, index) => (
          <EditableEntry
            key={field.id}
            name={field.name}
            summary={summarize(field)}
            place={{ index, count: fields.length, onMove: (to) => move(index, to) }}
            removal={{ label: t('Delete'), confirmLabel: t('Delete {name} now', { name: field.name }) }}
            onRemove={() => remove(field)}
          >
            <ProfileFieldForm field={field} />
          </EditableEntry>
        ))}
      </ul>
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new field')}>
        <h3>{t('A new field')}</h3>
        <ProfileFieldForm />
      </section>
    </>
  )
}

/** `List of options · required`. */
const summarize = ({ type, hint, required, editable_by_user, display_in_profile_summary }: ProfileField): string =>
  [
    fieldTypeName(type),
    ...(type === FieldType.externalAccount || hint === '' ? [] : [hint]),
    ...(required ? [t('required')] : []),
    ...(editable_by_user ? [] : [t('only administrators change it')]),
    ...(display_in_profile_summary === true ? [t('in the summary')] : []),
  ].join(' · ')
