/** The form in which the user changes the custom fields of the own profile. */
import { useSignal } from '@preact/signals'
import { PeoplePicker } from '../dialogs/people-picker.js'
import { ActionNote, useAction } from '../forms/action.js'
import { SelectField, TextField } from '../forms/fields.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, ownUser } from '../realm/permissions.js'
import { FieldType, fieldOptions, fieldValue, type ProfileField, peopleOf, profileFields } from './profile-fields.js'

/** The form; nothing in an organization without custom fields. */
export const ProfileForm = () => {
  const chat = useChat()
  const action = useAction()
  /** what the user changed and did not save, by the id of the field */
  const edited = useSignal<ReadonlyMap<number, string>>(new Map())
  const user = ownUser(chat)
  const fields = profileFields(chat)
  if (user === undefined || fields.length === 0) return null
  const mayEdit = ({ editable_by_user }: ProfileField) => editable_by_user || isAdministrator(chat)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const data = fields
      .filter(({ id }) => edited.value.has(id))
      .map(({ id, type }) => {
        const value = edited.value.get(id) ?? ''
        return { id, value: type === FieldType.people ? peopleOf(value) : value.trim() }
      })
    if (await action.run(() => chat.client.call('PATCH /users/me/profile_data', { data }), 'Saved.')) {
      edited.value = new Map()
    }
  }
  return (
    <form class="dialog-form dialog-group" onSubmit={save}>
      <h3>About you</h3>
      {fields.map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          isDisabled={!mayEdit(field)}
          value={edited.value.get(field.id) ?? fieldValue(user, field)}
          onChange={(value) => {
            edited.value = new Map(edited.value).set(field.id, value)
          }}
        />
      ))}
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button" type="submit" disabled={edited.value.size === 0 || action.state.value.isBusy}>
          Save your profile
        </button>
      </div>
    </form>
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
    ...(isMissing ? ['Your organization asks you to fill this in.'] : []),
    ...(isDisabled ? ['Only administrators can change this.'] : []),
  ]
    .filter(Boolean)
    .join(' ')
  const shared = { label: name, value, onChange, isDisabled, ...(hint !== '' && { hint }) }
  switch (type) {
    case FieldType.longText:
      return <TextField {...shared} rows={3} most={MOST.long} />
    case FieldType.options:
      return <SelectField {...shared} options={[{ value: '', label: 'Not chosen' }, ...fieldOptions(field)]} />
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
          chosen={peopleOf(value)}
          onChange={(userIds) => onChange(userIds.length === 0 ? '' : JSON.stringify(userIds))}
        />
      )
    default:
      return <TextField {...shared} most={MOST.short} />
  }
}
