/** The form in which the user changes the custom fields of the own profile. */

import { PeoplePicker } from '../dialogs/people-picker.js'
import { SelectField, TextField } from '../forms/fields.js'
import { Form, FormEnd, isEmpty, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, ownUser } from '../realm/permissions.js'
import { FieldType, fieldOptions, fieldValue, type ProfileField, peopleOf, profileFields } from './profile-fields.js'

/** The form; nothing in an organization without custom fields. Its values are those that the user has changed. */
export const ProfileForm = () => {
  const chat = useChat()
  const user = ownUser(chat)
  const fields = profileFields(chat)
  const form = useForm<Readonly<Record<number, string>>>({
    values: {},
    send: (edited) => {
      const data = fields.flatMap(({ id, type }) => {
        const value = edited[id]
        if (value === undefined) return []
        return [{ id, value: type === FieldType.people ? peopleOf(value) : value.trim() }]
      })
      return chat.client.call('PATCH /users/me/profile_data', { data })
    },
    done: t('Saved.'),
    renews: 'all',
  })
  if (user === undefined || fields.length === 0) return null
  const edited = form.values
  const mayEdit = ({ editable_by_user }: ProfileField) => editable_by_user || isAdministrator(chat)
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('About you')}</h3>
      {fields.map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          isDisabled={!mayEdit(field)}
          value={edited[field.id] ?? fieldValue(user, field)}
          onChange={(value) => form.set({ [field.id]: value })}
        />
      ))}
      <FormEnd
        of={form}
        label={t('Save your profile')}
        isSecondary
        isDisabled={isEmpty(edited) || form.action.state.value.isBusy}
      />
    </Form>
  )
}

interface FieldInputProps {
  field: ProfileField
  value: string
  isDisabled: boolean
  onChange: (value: string) => void
}

const MOST = { short: 50, long: 500 }

const FieldInput = ({ field, value, isDisabled, onChange }: FieldInputProps) => {
  const { name, type } = field
  const isMissing = field.required && value === '' && !isDisabled
  const hint = [
    field.hint,
    ...(isMissing ? [t('Your organization asks you to fill this in.')] : []),
    ...(isDisabled ? [t('Only administrators can change this.')] : []),
  ]
    .filter(Boolean)
    .join(' ')
  const shared = { label: name, value, onChange, isDisabled, ...(hint !== '' && { hint }) }
  switch (type) {
    case FieldType.longText:
      return <TextField {...shared} rows={3} most={MOST.long} />
    case FieldType.options:
      return <SelectField {...shared} options={[{ value: '', label: t('Not chosen') }, ...fieldOptions(field)]} />
    case FieldType.date:
      return <TextField {...shared} type="date" />
    case FieldType.link:
      return <TextField {...shared} type="url" />
    case FieldType.people:
      if (isDisabled) return null
      return (
        <PeoplePicker
          label={name}
          {...(hint !== '' && { hint })}
          value={peopleOf(value)}
          onChange={(userIds) => onChange(userIds.length === 0 ? '' : JSON.stringify(userIds))}
        />
      )
    default:
      return <TextField {...shared} most={MOST.short} />
  }
}
