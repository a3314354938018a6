/** Fields that change one setting of the user, or of new accounts, as soon as they are used. */

import type { Action } from '../forms/action.js'
import { CheckField, SelectField, type SelectOption } from '../forms/fields.js'
import { t } from '../languages/t.js'
import { type SettingName, useSettingSource } from './setting-source.js'

interface SettingCheckProps {
  name: SettingName
  label: string
  hint?: string
  action: Action
}

/** A setting that is on or off. It shows nothing for a setting that new accounts do not have. */
export const SettingCheck = ({ name, label, hint, action }: SettingCheckProps) => {
  const { values, change } = useSettingSource()
  if (values[name] === undefined) return null
  return (
    <CheckField
      label={label}
      {...(hint !== undefined && { hint })}
      value={values[name] === true}
      onChange={(value) => action.run(() => change(name, value), t('Saved.'))}
    />
  )
}

interface SettingSelectProps<Value extends string | number> {
  name: SettingName
  label: string
  options: readonly SelectOption<Value>[]
  action: Action
}

/** A setting that has one of a few values. It shows nothing for a setting that new accounts do not have. */
export const SettingSelect = <Value extends string | number>(props: SettingSelectProps<Value>) => {
  const { name, label, options, action } = props
  const { values, change } = useSettingSource()
  if (values[name] === undefined) return null
  return (
    <SelectField
      label={label}
      value={values[name] as Value}
      options={options}
      onChange={(value) => action.run(() => change(name, value), t('Saved.'))}
    />
  )
}
