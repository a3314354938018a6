/** The user's own settings of a channel: muted, pinned, the colour, and what it notifies of. */

import type { Channel, Subscription } from '@parley/client/realm'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ActionStatus, useAction } from '../../forms/action.js'
import { CheckField, SelectField } from '../../forms/fields.js'
import { t } from '../../languages/t.js'
import { channelColors } from '../../realm/channel-colors.js'
import { useChat } from '../../realm/chat.js'
import { MembershipButton } from './membership-button.js'

const notifications = [
  {
    property: 'desktop_notifications',
    label: t('Notifications of this browser'),
    standard: 'enable_stream_desktop_notifications',
  },
  { property: 'email_notifications', label: t('Mails'), standard: 'enable_stream_email_notifications' },
  {
    property: 'wildcard_mentions_notify',
    label: t('Notify of mentions of everyone'),
    standard: 'wildcard_mentions_notify',
  },
] as const

/** The page "For you". */
export const ChannelPersonal = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const action = useAction()
  const subscription = chat.subscriptions.value.get(channel.stream_id)
  if (subscription === undefined) return null
  const set = (property: keyof Subscription, value: boolean | string) =>
    action.run(
      () =>
        chat.client.call('POST /users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: channel.stream_id, property, value }],
        }),
      t('Saved.'),
    )
  return (
    <>
      <CheckField
        label={t('Mute the channel')}
        hint={t('Its messages are not counted as unread, and do not notify. Topics can be unmuted one by one.')}
        value={subscription.is_muted}
        onChange={(value) => set('is_muted', value)}
      />
      <CheckField
        label={t('Pin the channel to the top of the sidebar')}
        value={subscription.pin_to_top}
        onChange={(value) => set('pin_to_top', value)}
      />
      <fieldset class="dialog-group">
        <legend>{t('Notifications')}</legend>
        <div class="dialog-two-columns">
          {notifications.map(({ property, label, standard }) => {
            const isOn = chat.settings.value[standard]
            const value = subscription[property]
            return (
              <SelectField
                key={property}
                label={label}
                value={value === null ? isDefault : value ? 'on' : 'off'}
                options={[
                  ...(value === null
                    ? [{ value: isDefault, label: t(isOn ? 'As in your settings (on)' : 'As in your settings (off)') }]
                    : []),
                  { value: 'on', label: t('On') },
                  { value: 'off', label: t('Off') },
                ]}
                onChange={(chosen) => set(property, chosen === 'on')}
              />
            )
          })}
        </div>
      </fieldset>
      <fieldset class="dialog-group">
        <legend>{t('Colour')}</legend>
        <div class="color-choices">
          {channelColors.map(({ color, name }) => (
            <ColorButton
              key={color}
              color={color}
              name={name}
              isChosen={subscription.color === color}
              onChoose={() => set('color', color)}
            />
          ))}
        </div>
      </fieldset>
      <ActionStatus action={action} />
      <div class="form-buttons">
        <MembershipButton channel={channel} action={action} />
      </div>
    </>
  )
}

/** The value of a setting that the user has not set for this channel. */
const isDefault = 'default'

const ColorButton = (props: { color: string; name: string; isChosen: boolean; onChoose: () => void }) => {
  const { color, name, isChosen, onChoose } = props
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => button.current?.style.setProperty('--choice', color), [color])
  return (
    <button
      type="button"
      class="color-choice"
      ref={button}
      aria-label={name}
      title={name}
      aria-pressed={isChosen}
      onClick={onChoose}
    />
  )
}
