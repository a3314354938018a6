/** The form of one custom field of profiles, of a new one or one that exists. The type of a field never changes. */
import type { Organization } from '@parley/client/realm'
import { type Signal, useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../../forms/action.js'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import {
  FieldType,
  fieldOptions,
  fieldService,
  fieldTypeName,
  type ProfileField,
} from '../../profile/profile-fields.js'
import { useChat } from '../../realm/chat.js'
import { Icon } from '../../ui/icon.js'

/** The longest name and hint, in characters. */
const MOST = { name: 40, hint: 80 }

const types: readonly number[] = Object.values(FieldType)

/** A service with an address of its own pattern. */
const CUSTOM = 'custom'

interface Option {
  value: string
  label: string
}

/** The form. */
export const ProfileFieldForm = ({ field }: { field?: ProfileField }) => {
  const chat = useChat()
  const action = useAction()
  const type = useSignal(field?.type ?? FieldType.shortText)
  const name = useSignal(field?.name ?? '')
  const hint = useSignal(field?.hint ?? '')
  const service = fieldService(field)
  const subtype = useSignal(service.subtype ?? Object.keys(services(chat.organization.value))[0] ?? CUSTOM)
  const pattern = useSignal(service.url_pattern ?? '')
  const options = useSignal<readonly Option[]>(
    field?.type === FieldType.options ? fieldOptions(field) : [{ value: '1', label: '' }],
  )
  const isInSummary = useSignal(field?.display_in_profile_summary === true)
  const isRequired = useSignal(field?.required === true)
  const isEditable = useSignal(field?.editable_by_user !== false)
  const isService = type.value === FieldType.externalAccount
  // The server names the field of a service that it knows.
  const isNamed = isService && subtype.value !== CUSTOM

  const composeFieldData = () => {
    if (isNamed) return { subtype: subtype.value }
    if (isService) return { subtype: CUSTOM, url_pattern: pattern.value.trim() }
    if (type.value !== FieldType.options) return {}
    const given = options.value.filter(({ label }) => label.trim() !== '')
    return Object.fromEntries(
      given.map(({ value, label }, index) => [value, { text: label.trim(), order: String(index + 1) }]),
    )
  }
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const params = {
      ...(isNamed ? {} : { name: name.value.trim(), hint: hint.value.trim() }),
      ...(field !== undefined && isNamed ? {} : { field_data: composeFieldData() }),
      display_in_profile_summary: isInSummary.value && mayBeInSummary(type.value),
      required: isRequired.value,
      editable_by_user: isEditable.value,
    }
    const call = () =>
      field === undefined
        ? chat.client.call('POST /realm/profile_fields', { ...params, field_type: type.value })
        : chat.client.call('PATCH /realm/profile_fields/{field_id}', { ...params, field_id: field.id })
    const isSaved = await action.run(call, field === undefined ? 'The field was added.' : 'Saved.')
    if (!isSaved || field !== undefined) return
    name.value = ''
    hint.value = ''
    options.value = [{ value: '1', label: '' }]
    isInSummary.value = false
    isRequired.value = false
    isEditable.value = true
  }
  return (
    <form class="dialog-form" onSubmit={save}>
      {field === undefined && (
        <SelectField
          label="Type"
          value={type.value}
          options={types.map((value) => ({ value, label: fieldTypeName(value) }))}
          onChange={set(type)}
        />
      )}
      {field === undefined && isService && (
        <SelectField
          label="Service"
          value={subtype.value}
          options={[
            ...Object.entries(services(chat.organization.value)).map(([value, { text }]) => ({ value, label: text })),
            { value: CUSTOM, label: 'Another one' },
          ]}
          onChange={set(subtype)}
        />
      )}
      {!isNamed && (
        <div class="dialog-two-columns">
          <TextField label="Name of the field" value={name.value} most={MOST.name} isRequired onChange={set(name)} />
          <TextField label="Hint for users" value={hint.value} most={MOST.hint} onChange={set(hint)} />
        </div>
      )}
      {isService && !isNamed && (
        <TextField
          label="Address of an account"
          hint="With %(username)s in the place of the name: https://example.com/people/%(username)s"
          value={pattern.value}
          isRequired
          onChange={set(pattern)}
        />
      )}
      {type.value === FieldType.options && <OptionFields options={options} isNew={field === undefined} />}
      <div>
        {mayBeInSummary(type.value) && (
          <CheckField
            label="Show it in the summary of a profile"
            hint="At most two fields. Clients show the summary where there is little room."
            isChecked={isInSummary.value}
            onChange={set(isInSummary)}
          />
        )}
        <CheckField label="Ask users to fill it in" isChecked={isRequired.value} onChange={set(isRequired)} />
        <CheckField label="Users may change their own value" isChecked={isEditable.value} onChange={set(isEditable)} />
      </div>
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          {field === undefined ? 'Add the field' : 'Save'}
        </button>
      </div>
    </form>
  )
}

const set =
  <T,>(signal: Signal<T>) =>
  (value: T) => {
    signal.value = value
  }

/** The server refuses long texts and lists of people there. */
const mayBeInSummary = (type: number): boolean => type !== FieldType.longText && type !== FieldType.people

/** The services that the server knows. */
const services = ({ realm_default_external_accounts = {} }: Organization) => realm_default_external_accounts

/** The options of a list. Their order is that of the fields. */
const OptionFields = ({ options, isNew }: { options: Signal<readonly Option[]>; isNew: boolean }) => {
  const add = () => {
    const highest = Math.max(0, ...options.value.map(({ value }) => Number(value) || 0))
    options.value = [...options.value, { value: String(highest + 1), label: '' }]
  }
  return (
    <fieldset class="choice-field">
      <legend class="field-label">Options</legend>
      {!isNew && <p class="field-hint">Users who chose an option that you remove have no value afterwards.</p>}
      <ul class="option-fields">
        {options.value.map(({ value, label }, index) => (
          <li key={value} class="option-field">
            <input
              class="text-field"
              aria-label={`Option ${index + 1}`}
              value={label}
              onInput={({ currentTarget }) => {
                options.value = options.value.with(index, { value, label: currentTarget.value })
              }}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove option ${index + 1}`}
              disabled={options.value.length === 1}
              onClick={() => {
                options.value = options.value.toSpliced(index, 1)
              }}
            >
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div class="form-buttons">
        <button type="button" class="button" onClick={add}>
          Add an option
        </button>
      </div>
    </fieldset>
  )
}
