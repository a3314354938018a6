/** Fields that change one setting of the organization as soon as they are used. */

import type { Params } from '@parley/client'
import type { Action } from '../../forms/action.js'
import { CheckField, SelectField } from '../../forms/fields.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { isOwner } from '../../realm/permissions.js'

type Changes = Params<'PATCH /realm'>
type SettingName = keyof Changes & string

/** A setting, and who may change it. */
interface SettingProps {
  name: SettingName
  label: string
  action: Action
  hint?: string
  /** Whether only owners change it. Others see it. */
  isForOwners?: boolean
}

/** Changes settings of the organization with an action. */
export const useOrganizationUpdate = (action: Action) => {
  const { client } = useChat()
  return (changes: Changes) => action.run(() => client.call('PATCH /realm', changes), t('Saved.'))
}

/** The value, the hint and the change of a setting. */
const useSetting = ({ name, action, hint, isForOwners = false }: SettingProps) => {
  const chat = useChat()
  const update = useOrganizationUpdate(action)
  const isDisabled = isForOwners && !isOwner(chat)
  const said = [hint, ...(isDisabled ? [t('Only owners change this.')] : [])].filter(Boolean).join(' ')
  return {
    value: (chat.organization.value as Readonly<Record<string, unknown>>)[`realm_${name}`],
    change: (value: unknown) => update({ [name]: value }),
    shown: { isDisabled, ...(said !== '' && { hint: said }) },
  }
}

interface CheckProps extends SettingProps {
  /** Whether the box is checked when the setting is off. */
  isInverted?: boolean
}

/** A setting that is on or off. */
export const OrganizationCheck = (props: CheckProps) => {
  const { label, isInverted = false } = props
  const { value, change, shown } = useSetting(props)
  return (
    <CheckField
      label={label}
      {...shown}
      value={(value === true) !== isInverted}
      onChange={(isChecked) => change(isChecked !== isInverted)}
    />
  )
}

interface SelectProps<Value extends string | number> extends SettingProps {
  options: readonly { value: Value; label: string }[]
}

/** A setting that has one of a few values. */
export const OrganizationSelect = <Value extends string | number>(props: SelectProps<Value>) => {
  const { label, options } = props
  const { value, change, shown } = useSetting(props)
  return <SelectField label={label} {...shown} value={value as Value} options={options} onChange={change} />
}

interface LimitProps extends SettingProps {
  /** the limits that are offered besides none and the present one */
  offered: readonly number[]
  /** how a limit is read */
  format: (limit: number) => string
}

const UNLIMITED = 'unlimited'

/** A setting that is a time, or no limit. */
export const OrganizationLimit = (props: LimitProps) => {
  const { label, offered, format } = props
  const { value, change, shown } = useSetting(props)
  const limits = new Set([...offered, ...(typeof value === 'number' ? [value] : [])])
  const options = [...limits]
    .sort((one, other) => one - other)
    .map((limit) => ({ value: String(limit), label: format(limit) }))
  return (
    <SelectField
      label={label}
      {...shown}
      value={value === null ? UNLIMITED : String(value)}
      options={[...options, { value: UNLIMITED, label: t('No limit') }]}
      onChange={(chosen) => change(chosen === UNLIMITED ? UNLIMITED : Number(chosen))}
    />
  )
}
