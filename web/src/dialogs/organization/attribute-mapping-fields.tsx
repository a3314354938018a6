/** The fields of a mapping: what the claims of a provider say about role, groups and profile of an account. */

import type { ComponentChildren } from 'preact'
import { SelectField, type SelectOption, TextField } from '../../forms/fields.js'
import type { Binding } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { profileFields } from '../../profile/profile-fields.js'
import { useChat } from '../../realm/chat.js'
import { roleName } from '../../realm/roles.js'
import { Icon } from '../../ui/icon.js'

type Reference = number | string

interface RoleRule {
  attribute: string
  value: string
  role: string
}

interface GroupRule {
  attribute: string
  value: string
  group: Reference
}

interface FieldRule {
  attribute: string
  field: Reference
}

/** A mapping, as the API has it. */
export interface Mapping {
  applies: 'every_log_in' | 'first_log_in'
  roles: readonly RoleRule[]
  other_role: string | null
  groups: readonly GroupRule[]
  profile_fields: readonly FieldRule[]
}

const noMapping: Mapping = { applies: 'every_log_in', roles: [], other_role: null, groups: [], profile_fields: [] }

/** The mapping among the options of a provider. */
export const readMapping = (options: Readonly<Record<string, unknown>>): Mapping => ({
  ...noMapping,
  ...(options.mapping as Partial<Mapping> | undefined),
})

/** The roles, as the API names them in a mapping. */
const roles: readonly SelectOption<string>[] = [
  { value: 'owner', label: roleName(100) },
  { value: 'administrator', label: roleName(200) },
  { value: 'moderator', label: roleName(300) },
  { value: 'member', label: roleName(400) },
  { value: 'guest', label: roleName(600) },
]

const KEEP = ''

/** The fields, below a heading that opens them. */
export const AttributeMappingFields = ({ value: mapping, onChange }: Binding<Mapping>) => {
  const chat = useChat()
  const set = (changes: Partial<Mapping>) => onChange({ ...mapping, ...changes })
  const groups = [...chat.groups.value.values()]
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .map(({ id, name }): SelectOption<Reference> => ({ value: id, label: name }))
  const fields = profileFields(chat).map(({ id, name }): SelectOption<Reference> => ({ value: id, label: name }))
  const count = mapping.roles.length + mapping.groups.length + mapping.profile_fields.length
  return (
    <details class="mapping" open={count > 0}>
      <summary>{t('From the provider')}</summary>
      <p class="field-hint">
        {t(
          'What the provider says about a user can decide about the role, the groups and the profile here. Write claims as the provider names them; a dot leads into a claim: realm_access.roles',
        )}
      </p>
      <Lines
        title={t('Roles')}
        addLabel={t('Add a line for a role')}
        lines={mapping.roles}
        newLine={{ attribute: mapping.roles.at(-1)?.attribute ?? '', value: '', role: 'member' }}
        onChange={(lines) => set({ roles: lines })}
      >
        {(line, change) => (
          <>
            <ClaimField {...claimBinding(line, change)} />
            <ValueField {...valueBinding(line, change)} />
            <SelectField
              label={t('Role')}
              options={roles}
              value={line.role}
              onChange={(role) => change({ ...line, role })}
            />
          </>
        )}
      </Lines>
      {mapping.roles.length > 0 && (
        <SelectField
          label={t('Role of users to whom no line applies')}
          hint={t('Owners lose their role only if a line says who is an owner. The last owner stays one.')}
          options={[{ value: KEEP, label: t('It stays as it is') }, ...roles.filter(({ value }) => value !== 'owner')]}
          value={mapping.other_role ?? KEEP}
          onChange={(role) => set({ other_role: role === KEEP ? null : role })}
        />
      )}
      <Lines
        title={t('User groups')}
        hint={t('Users without the value are removed from the group. Groups without a line stay as they are.')}
        addLabel={t('Add a line for a group')}
        lines={mapping.groups}
        newLine={groups[0] && { attribute: mapping.groups.at(-1)?.attribute ?? '', value: '', group: groups[0].value }}
        onChange={(lines) => set({ groups: lines })}
      >
        {(line, change) => (
          <>
            <ClaimField {...claimBinding(line, change)} />
            <ValueField {...valueBinding(line, change)} />
            <SelectField
              label={t('User group')}
              options={withValue(groups, line.group)}
              value={line.group}
              onChange={(group) => change({ ...line, group })}
            />
          </>
        )}
      </Lines>
      <Lines
        title={t('Profile fields')}
        addLabel={t('Add a line for a profile field')}
        lines={mapping.profile_fields}
        newLine={fields[0] && { attribute: '', field: fields[0].value }}
        onChange={(lines) => set({ profile_fields: lines })}
      >
        {(line, change) => (
          <>
            <ClaimField {...claimBinding(line, change)} />
            <SelectField
              label={t('Profile field')}
              options={withValue(fields, line.field)}
              value={line.field}
              onChange={(field) => change({ ...line, field })}
            />
          </>
        )}
      </Lines>
      {count > 0 && (
        <SelectField
          label={t('When this applies')}
          options={times}
          value={mapping.applies}
          onChange={(applies) => set({ applies })}
        />
      )}
    </details>
  )
}

const times: readonly SelectOption<Mapping['applies']>[] = [
  { value: 'every_log_in', label: t('At each log-in') },
  { value: 'first_log_in', label: t('At the first log-in only') },
]

/** The options, with one for a value that the organization has no more. */
const withValue = (options: readonly SelectOption<Reference>[], value: Reference) =>
  options.some((option) => option.value === value) ? options : [...options, { value, label: String(value) }]

const claimBinding = <L extends { attribute: string }>(line: L, change: (line: L) => void): Binding<string> => ({
  value: line.attribute,
  onChange: (attribute) => change({ ...line, attribute }),
})

const valueBinding = <L extends { value: string }>(line: L, change: (line: L) => void): Binding<string> => ({
  value: line.value,
  onChange: (value) => change({ ...line, value }),
})

const ClaimField = (binding: Binding<string>) => <TextField label={t('Claim')} isRequired {...binding} />
const ValueField = (binding: Binding<string>) => <TextField label={t('Value')} isRequired {...binding} />

interface LinesProps<L> {
  title: string
  hint?: string
  addLabel: string
  lines: readonly L[]
  /** undefined: the organization has nothing that a line could name */
  newLine: L | undefined
  onChange: (lines: readonly L[]) => void
  children: (line: L, change: (line: L) => void) => ComponentChildren
}

/** Lines of fields, with buttons that add and remove them. */
const Lines = <L,>({ title, hint, addLabel, lines, newLine, onChange, children }: LinesProps<L>) => (
  <fieldset class="choice-field">
    <legend class="field-label">{title}</legend>
    {hint !== undefined && lines.length > 0 && <p class="field-hint">{hint}</p>}
    {lines.map((line, index) => (
      // biome-ignore lint/a11y/useSemanticElements: A fieldset has a border and a legend.
      <div key={index} class="mapping-line" role="group" aria-label={t('Line {number, number}', { number: index + 1 })}>
        {children(line, (changed) => onChange(lines.with(index, changed)))}
        <button
          type="button"
          class="icon-button"
          aria-label={t('Remove line {number, number}', { number: index + 1 })}
          onClick={() => onChange(lines.toSpliced(index, 1))}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
    ))}
    {newLine === undefined ? (
      <p class="field-hint">{t('The organization has none yet.')}</p>
    ) : (
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => onChange([...lines, newLine])}>
          {addLabel}
        </button>
      </div>
    )}
  </fieldset>
)
