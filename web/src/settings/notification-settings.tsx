/**
 * What the user is notified of, and whether this browser may show it. The server sends no notifications to phones, so
 * the page offers none of their settings.
 */

import { useSignal } from '@preact/signals'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { QuietHoursSettings } from './quiet-hours.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'
import { useSettingSource } from './setting-source.js'
import { SoundSettings } from './sound-settings.js'

/** The page "Notifications". */
export const NotificationSettings = () => {
  const action = useAction()
  return (
    <>
      <BrowserPermission />
      <NotificationGroup
        title={t('Direct messages and mentions')}
        action={action}
        settings={[
          { name: 'enable_desktop_notifications', label: t('Notifications of this browser') },
          { name: 'pm_content_in_desktop_notifications', label: t('Show the text of direct messages in them') },
          { name: 'wildcard_mentions_notify', label: t('Also for mentions of everyone') },
          { name: 'enable_offline_email_notifications', label: t('Mails while I am offline') },
        ]}
      />
      <NotificationGroup
        title={t('Followed topics')}
        action={action}
        settings={[
          { name: 'enable_followed_topic_desktop_notifications', label: t('Notifications of this browser') },
          { name: 'enable_followed_topic_email_notifications', label: t('Mails') },
          { name: 'enable_followed_topic_wildcard_mentions_notify', label: t('Also for mentions of everyone') },
        ]}
      />
      <NotificationGroup
        title={t('Other messages of channels')}
        action={action}
        settings={[
          { name: 'enable_stream_desktop_notifications', label: t('Notifications of this browser') },
          { name: 'enable_stream_email_notifications', label: t('Mails') },
        ]}
      />
      <SoundSettings action={action} />
      <section class="dialog-group" aria-label={t('Following')}>
        <SettingSelect
          name="automatically_follow_topics_policy"
          label={t('Follow topics by itself')}
          options={[
            { value: 1, label: t('In which I take part') },
            { value: 2, label: t('To which I send a message') },
            { value: 3, label: t('Which I begin') },
            { value: 4, label: t('Never') },
          ]}
          action={action}
        />
        <SettingCheck
          name="automatically_follow_topics_where_mentioned"
          label={t('Follow topics in which I am mentioned')}
          action={action}
        />
      </section>
      <ActionStatus action={action} />
      <QuietHoursSettings />
    </>
  )
}

type Setting = Pick<Parameters<typeof SettingCheck>[0], 'name' | 'label'>

const NotificationGroup = (props: { title: string; settings: Setting[]; action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{props.title}</legend>
    {props.settings.map(({ name, label }) => (
      <SettingCheck key={name} name={name} label={label} action={props.action} />
    ))}
  </fieldset>
)

const permissionTexts: Record<NotificationPermission, string> = {
  default: t('This browser shows no notifications of this page yet.'),
  granted: t('This browser shows notifications of this page.'),
  denied: t(
    'This browser refuses notifications of this page. Allow them in the settings of the browser for this site.',
  ),
}

/** Asks the browser for its permission. Browsers show the question only after a click. */
const BrowserPermission = () => {
  const chat = useChat()
  const isKnown = typeof Notification !== 'undefined'
  const permission = useSignal<NotificationPermission>(isKnown ? Notification.permission : 'denied')
  const { isOwn } = useSettingSource()
  const ask = async () => {
    permission.value = await Notification.requestPermission()
    if (permission.value !== 'granted') return
    new Notification(chat.organization.value.realm_name ?? 'Parley', { body: t('Notifications look like this.') })
  }
  if (!isOwn) return null
  return (
    <section class="dialog-group" aria-label={t('This browser')}>
      <p role="status">{permissionTexts[permission.value]}</p>
      {permission.value === 'default' && (
        <div class="form-buttons">
          <button type="button" class="button button-primary" onClick={ask}>
            {t('Allow notifications')}
          </button>
        </div>
      )}
    </section>
  )
}
