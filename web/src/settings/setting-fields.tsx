/** Fields that change one setting of the user as soon as they are used. */
import type { Params } from '@parley/client'
import type { UserSettings } from '@parley/client/realm'
import type { Action } from '../forms/action.js'
import { CheckField, SelectField } from '../forms/fields.js'
import { useChat } from '../realm/chat.js'

type SettingName = keyof UserSettings & keyof Params<'PATCH /settings'>

interface SettingCheckProps {
  name: SettingName
  label: string
  hint?: string
  action: Action
}

/** A setting that is on or off. */
export const SettingCheck = ({ name, label, hint, action }: SettingCheckProps) => {
  const chat = useChat()
  return (
    <CheckField
      label={label}
      {...(hint !== undefined && { hint })}
      value={chat.settings.value[name] === true}
      onChange={(value) => action.run(() => chat.client.call('PATCH /settings', { [name]: value }), 'Saved.')}
    />
  )
}

interface SettingSelectProps<Value extends string | number> {
  name: SettingName
  label: string
  options: readonly { value: Value; label: string }[]
  action: Action
}

/** A setting that has one of a few values. */
export const SettingSelect = <Value extends string | number>(props: SettingSelectProps<Value>) => {
  const { name, label, options, action } = props
  const chat = useChat()
  return (
    <SelectField
      label={label}
      value={chat.settings.value[name] as Value}
      options={options}
      onChange={(value) => action.run(() => chat.client.call('PATCH /settings', { [name]: value }), 'Saved.')}
    />
  )
}
