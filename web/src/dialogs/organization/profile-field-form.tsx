/** The form of one custom field of profiles, of a new one or one that exists. The type of a field never changes. */

import type { Organization } from '@parley/client/realm'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import { type Binding, Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
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

const noOptions: readonly Option[] = [{ value: '1', label: '' }]

interface FieldValues {
  type: number
  name: string
  hint: string
  subtype: string
  pattern: string
  options: readonly Option[]
  isInSummary: boolean
  isRequired: boolean
  isEditable: boolean
}

/** The fields that have their first values again when a field was added. The next one is often of the same type. */
const renewed = ['name', 'hint', 'options', 'isInSummary', 'isRequired', 'isEditable'] as const

/** The form. */
export const ProfileFieldForm = ({ field }: { field?: ProfileField }) => {
  const chat = useChat()
  const service = fieldService(field)
  const form = useForm<FieldValues>({
    values: {
      type: field?.type ?? FieldType.shortText,
      name: field?.name ?? '',
      hint: field?.hint ?? '',
      subtype: service.subtype ?? Object.keys(services(chat.organization.value))[0] ?? CUSTOM,
      pattern: service.url_pattern ?? '',
      options: field?.type === FieldType.options ? fieldOptions(field) : noOptions,
      isInSummary: field?.display_in_profile_summary === true,
      isRequired: field?.required === true,
      isEditable: field?.editable_by_user !== false,
    },
    send: (values) => {
      const params = composeParams(values, field === undefined)
      return field === undefined
        ? chat.client.call('POST /realm/profile_fields', { ...params, field_type: values.type })
        : chat.client.call('PATCH /realm/profile_fields/{field_id}', { ...params, field_id: field.id })
    },
    done: field === undefined ? t('The field was added.') : t('Saved.'),
    renews: field === undefined ? renewed : [],
  })
  const { type } = form.values
  const isService = type === FieldType.externalAccount
  const isNamed = isNamedByServer(form.values)
  return (
    <Form of={form}>
      {field === undefined && (
        <SelectField
          label={t('Type')}
          options={types.map((value) => ({ value, label: fieldTypeName(value) }))}
          {...form.bind('type')}
        />
      )}
      {field === undefined && isService && (
        <SelectField
          label={t('Service')}
          options={[
            ...Object.entries(services(chat.organization.value)).map(([value, { text }]) => ({ value, label: text })),
            { value: CUSTOM, label: t('Another one') },
          ]}
          {...form.bind('subtype')}
        />
      )}
      {!isNamed && (
        <div class="dialog-two-columns">
          <TextField label={t('Name of the field')} most={MOST.name} isRequired {...form.bind('name')} />
          <TextField label={t('Hint for users')} most={MOST.hint} {...form.bind('hint')} />
        </div>
      )}
      {isService && !isNamed && (
        <TextField
          label={t('Address of an account')}
          hint={t('With %(username)s in the place of the name: https://example.com/people/%(username)s')}
          isRequired
          {...form.bind('pattern')}
        />
      )}
      {type === FieldType.options && <OptionFields isNew={field === undefined} {...form.bind('options')} />}
      <div>
        {mayBeInSummary(type) && (
          <CheckField
            label={t('Show it in the summary of a profile')}
            hint={t('At most two fields. Clients show the summary where there is little room.')}
            {...form.bind('isInSummary')}
          />
        )}
        <CheckField label={t('Ask users to fill it in')} {...form.bind('isRequired')} />
        <CheckField label={t('Users may change their own value')} {...form.bind('isEditable')} />
      </div>
      <FormEnd of={form} label={field === undefined ? t('Add the field') : t('Save')} />
    </Form>
  )
}

/** Whether it is a service that the server knows: the server names such a field. */
const isNamedByServer = ({ type, subtype }: FieldValues): boolean =>
  type === FieldType.externalAccount && subtype !== CUSTOM

const composeParams = (values: FieldValues, isNew: boolean) => {
  const isNamed = isNamedByServer(values)
  return {
    ...(isNamed ? {} : { name: values.name.trim(), hint: values.hint.trim() }),
    ...(!isNew && isNamed ? {} : { field_data: composeFieldData(values) }),
    display_in_profile_summary: values.isInSummary && mayBeInSummary(values.type),
    required: values.isRequired,
    editable_by_user: values.isEditable,
  }
}

const composeFieldData = (values: FieldValues) => {
  const { type, subtype, pattern, options } = values
  if (isNamedByServer(values)) return { subtype }
  if (type === FieldType.externalAccount) return { subtype: CUSTOM, url_pattern: pattern.trim() }
  if (type !== FieldType.options) return {}
  const given = options.filter(({ label }) => label.trim() !== '')
  return Object.fromEntries(
    given.map(({ value, label }, index) => [value, { text: label.trim(), order: String(index + 1) }]),
  )
}

/** The server refuses long texts and lists of people there. */
const mayBeInSummary = (type: number): boolean => type !== FieldType.longText && type !== FieldType.people

/** The services that the server knows. */
const services = ({ realm_default_external_accounts = {} }: Organization) => realm_default_external_accounts

/** The options of a list. Their order is that of the fields. */
const OptionFields = ({ value: options, onChange, isNew }: Binding<readonly Option[]> & { isNew: boolean }) => {
  const add = () => {
    const highest = Math.max(0, ...options.map(({ value }) => Number(value) || 0))
    onChange([...options, { value: String(highest + 1), label: '' }])
  }
  return (
    <fieldset class="choice-field">
      <legend class="field-label">{t('Options')}</legend>
      {!isNew && <p class="field-hint">{t('Users who chose an option that you remove have no value afterwards.')}</p>}
      <ul class="option-fields">
        {options.map(({ value, label }, index) => (
          <li key={value} class="option-field">
            <input
              class="text-field"
              aria-label={t('Option {number, number}', { number: index + 1 })}
              value={label}
              onInput={({ currentTarget }) => onChange(options.with(index, { value, label: currentTarget.value }))}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={t('Remove option {number, number}', { number: index + 1 })}
              disabled={options.length === 1}
              onClick={() => onChange(options.toSpliced(index, 1))}
            >
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div class="form-buttons">
        <button type="button" class="button" onClick={add}>
          {t('Add an option')}
        </button>
      </div>
    </fieldset>
  )
}
