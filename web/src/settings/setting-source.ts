/** Whose settings the fields of the settings show and change: those of the user, or those of new accounts. */
import type { Params } from '@parley/client'
import type { SettingDefaults, UserSettings } from '@parley/client/realm'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useChat } from '../realm/chat.js'

/** Says it to the fields inside. The page of the organization has the fields of new accounts. */
export const SettingsOwner = createContext<'user' | 'new accounts'>('user')

export type SettingName = keyof UserSettings & keyof Params<'PATCH /settings'>

interface SettingSource {
  readonly isOwn: boolean
  /** New accounts have no value of some settings, such as the time zone. */
  readonly values: Partial<UserSettings>
  change(name: SettingName, value: unknown): Promise<unknown>
}

/** The settings that the fields here show. */
export const useSettingSource = (): SettingSource => {
  const { client, settings, settingDefaults } = useChat()
  return useContext(SettingsOwner) === 'user'
    ? {
        isOwn: true,
        values: settings.value,
        change: (name, value) => client.call('PATCH /settings', { [name]: value }),
      }
    : {
        isOwn: false,
        values: settingDefaults.value satisfies SettingDefaults,
        change: (name, value) => client.call('PATCH /realm/user_settings_defaults', { [name]: value }),
      }
}
