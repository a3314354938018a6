/**
 * What the user is notified of, and whether this browser may show it. The server sends no notifications to phones, so
 * the page offers none of their settings.
 */
import { useSignal } from '@preact/signals'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
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
        title="Direct messages and mentions"
        action={action}
        settings={[
          { name: 'enable_desktop_notifications', label: 'Notifications of this browser' },
          { name: 'pm_content_in_desktop_notifications', label: 'Show the text of direct messages in them' },
          { name: 'wildcard_mentions_notify', label: 'Also for mentions of everyone' },
          { name: 'enable_offline_email_notifications', label: 'Mails while I am offline' },
        ]}
      />
      <NotificationGroup
        title="Followed topics"
        action={action}
        settings={[
          { name: 'enable_followed_topic_desktop_notifications', label: 'Notifications of this browser' },
          { name: 'enable_followed_topic_email_notifications', label: 'Mails' },
          { name: 'enable_followed_topic_wildcard_mentions_notify', label: 'Also for mentions of everyone' },
        ]}
      />
      <NotificationGroup
        title="Other messages of channels"
        action={action}
        settings={[
          { name: 'enable_stream_desktop_notifications', label: 'Notifications of this browser' },
          { name: 'enable_stream_email_notifications', label: 'Mails' },
        ]}
      />
      <SoundSettings action={action} />
      <section class="dialog-group" aria-label="Following">
        <SettingSelect
          name="automatically_follow_topics_policy"
          label="Follow topics by itself"
          options={[
            { value: 1, label: 'In which I take part' },
            { value: 2, label: 'To which I send a message' },
            { value: 3, label: 'Which I begin' },
            { value: 4, label: 'Never' },
          ]}
          action={action}
        />
        <SettingCheck
          name="automatically_follow_topics_where_mentioned"
          label="Follow topics in which I am mentioned"
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
  default: 'This browser shows no notifications of this page yet.',
  granted: 'This browser shows notifications of this page.',
  denied: 'This browser refuses notifications of this page. Allow them in the settings of the browser for this site.',
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
    new Notification(chat.organization.value.realm_name ?? 'Parley', { body: 'Notifications look like this.' })
  }
  if (!isOwn) return null
  return (
    <section class="dialog-group" aria-label="This browser">
      <p role="status">{permissionTexts[permission.value]}</p>
      {permission.value === 'default' && (
        <div class="form-buttons">
          <button type="button" class="button button-primary" onClick={ask}>
            Allow notifications
          </button>
        </div>
      )}
    </section>
  )
}
