/** A form that says who has each of several permissions: of a channel, of a group, or of the organization. */

import type { Organization, UserGroup } from '@parley/client/realm'
import { type ComponentChildren, Fragment } from 'preact'
import { SelectField } from '../forms/fields.js'
import { Form, FormEnd, isEmpty, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { describeHolders, groupName, groupValueOf, holdersOf } from '../realm/groups.js'
import type { GroupValue } from '../realm/permissions.js'
import { HoldersPicker } from './holders-picker.js'

type Rule = NonNullable<Organization['server_supported_permission_settings']>['realm'][string]

/** A permission that the form shows. */
export interface Permission<Name extends string> {
  name: Name
  label: string
  /** what stands above it, where a group of permissions begins */
  heading?: string
  /** why the user cannot change it, if so */
  fixedBecause?: string | undefined
}

/** New values of permissions, each with the one that the user saw. */
export type PermissionChanges<Name extends string> = Partial<Record<Name, { new: GroupValue; old: GroupValue }>>

interface PermissionsFormProps<Name extends string> {
  permissions: readonly Permission<Name>[]
  /** what the server lets each permission be */
  rules: Readonly<Record<string, Rule>>
  values: Readonly<Record<Name, GroupValue>>
  save: (changes: PermissionChanges<Name>) => Promise<unknown>
  /** what stands above the fields */
  children?: ComponentChildren
}

/** The form. Its values are the permissions that the user changed and did not save. */
export const PermissionsForm = <Name extends string>(props: PermissionsFormProps<Name>) => {
  const { permissions, rules, values, save, children } = props
  const form = useForm<Partial<Record<Name, GroupValue>>>({
    values: {},
    send: (edited) =>
      save(
        Object.fromEntries(
          Object.entries(edited).map(([name, value]) => [name, { new: value, old: values[name as Name] }]),
        ) as PermissionChanges<Name>,
      ),
    done: t('Saved.'),
    renews: 'all',
  })
  const edited = form.values
  return (
    <Form of={form}>
      {children}
      {permissions.map((permission) => (
        <Fragment key={permission.name}>
          {permission.heading !== undefined && <h3>{permission.heading}</h3>}
          <PermissionField
            permission={permission}
            rule={rules[permission.name]}
            value={edited[permission.name] ?? values[permission.name]}
            onChange={(value) => form.set({ [permission.name]: value } as typeof edited)}
          />
        </Fragment>
      ))}
      <FormEnd
        of={form}
        label={t('Save the permissions')}
        isDisabled={isEmpty(edited) || form.action.state.value.isBusy}
      />
    </Form>
  )
}

interface PermissionFieldProps {
  permission: Permission<string>
  rule: Rule | undefined
  value: GroupValue
  onChange: (value: GroupValue) => void
}

const PermissionField = ({ permission: { label, fixedBecause }, rule, value, onChange }: PermissionFieldProps) => {
  const chat = useChat()
  const holders = holdersOf(chat, value)
  if (fixedBecause !== undefined) {
    return (
      <div>
        <p class="field-label">{label}</p>
        <p>{describeHolders(chat, holders)}</p>
        <p class="field-hint">{fixedBecause}</p>
      </div>
    )
  }
  if (rule?.require_system_group === true) {
    const groups = [...chat.groups.value.values()].filter((group) => isPermitted(group, rule))
    return (
      <SelectField
        label={label}
        value={typeof value === 'number' ? value : 0}
        options={groups.map((group) => ({ value: group.id, label: groupName(group) }))}
        onChange={onChange}
      />
    )
  }
  return (
    <HoldersPicker
      label={label}
      withPeople
      value={holders}
      isOffered={(group) => group.name !== 'role:nobody' && isPermitted(group, rule)}
      onChange={(chosen) => onChange(groupValueOf(chosen))}
    />
  )
}

/** Whether the server lets the group have the permission. It tells only which groups of roles may. */
const isPermitted = ({ name, is_system_group }: UserGroup, rule: Rule | undefined): boolean => {
  if (!is_system_group) return rule?.require_system_group !== true
  if (rule !== undefined && rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(name)
  if (name === 'role:internet') return rule?.allow_internet_group === true
  if (name === 'role:everyone') return rule?.allow_everyone_group === true
  return name !== 'role:nobody' || rule?.allow_nobody_group === true
}
