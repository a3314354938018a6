/** The settings of the sound: which one, and for which messages. */

import type { Action } from '../forms/action.js'
import { t } from '../languages/t.js'
import { playSound } from '../notifications/notification-sound.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'
import { useSettingSource } from './setting-source.js'

const sounds = [
  { value: 'zulip', label: t('Two tones') },
  { value: 'ding', label: t('Bell') },
  { value: 'none', label: t('None') },
]

/** The group "Sound" of the page "Notifications". */
export const SoundSettings = ({ action }: { action: Action }) => {
  const { values } = useSettingSource()
  return (
    <fieldset class="dialog-group">
      <legend>{t('Sound')}</legend>
      <SettingSelect name="notification_sound" label={t('Sound')} options={sounds} action={action} />
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => playSound(String(values.notification_sound))}>
          {t('Play the sound')}
        </button>
      </div>
      <SettingCheck name="enable_sounds" label={t('For direct messages and mentions')} action={action} />
      <SettingCheck
        name="enable_followed_topic_audible_notifications"
        label={t('For followed topics')}
        action={action}
      />
      <SettingCheck
        name="enable_stream_audible_notifications"
        label={t('For other messages of channels')}
        action={action}
      />
    </fieldset>
  )
}
