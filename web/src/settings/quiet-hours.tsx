/** The quiet hours: when nothing notifies the user. They belong to the account, so all browsers have them. */

import { isQuietDay, type QuietHours } from '#rules/quiet-hours.js'
import { CheckField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'
import { ClockField } from '../ui/clock-field.js'
import { ownTimeZone, weekDayNames } from '../ui/times.js'
import { useSettingSource } from './setting-source.js'

/** The group "Quiet hours" of the page "Notifications". New accounts begin without them. */
export const QuietHoursSettings = () => (useSettingSource().isOwn ? <QuietHoursForm /> : null)

const QuietHoursForm = () => {
  const chat = useChat()
  const stored = chat.settings.value
  const zone = ownUser(chat)?.timezone ?? ''
  const form = useForm({
    values: {
      quiet_hours_enabled: stored.quiet_hours_enabled,
      quiet_hours_start: stored.quiet_hours_start,
      quiet_hours_end: stored.quiet_hours_end,
      quiet_hours_days: stored.quiet_hours_days,
      usesThisZone: zone === '',
    },
    send: ({ usesThisZone, ...hours }) =>
      chat.client.call('PATCH /settings', { ...hours, ...(usesThisZone && { timezone: ownTimeZone() }) }),
    done: t('Saved.'),
  })
  const { quiet_hours_enabled: isOn, quiet_hours_start: start, quiet_hours_end: end } = form.values
  const isElsewhere = zone !== '' && zone !== ownTimeZone()
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Quiet hours')}</h3>
      <CheckField
        label={t('Do not notify me at these times')}
        hint={t(
          'No notification and no sound. Mails about missed messages wait until the end. Nothing is marked as read.',
        )}
        {...form.bind('quiet_hours_enabled')}
      />
      {isOn && (
        <>
          <div class="dialog-two-columns">
            <ClockField label={t('From')} {...form.bind('quiet_hours_start')} />
            <ClockField
              label={t('To')}
              {...(end <= start && { hint: t('on the next day') })}
              {...form.bind('quiet_hours_end')}
            />
          </div>
          <DaysField {...form.bind('quiet_hours_days')} />
          <p class="soft-text">
            {t.rich('In the time zone {timeZone}.', {}, { timeZone: <bdi>{zone === '' ? ownTimeZone() : zone}</bdi> })}
          </p>
          {isElsewhere && (
            <CheckField
              label={t('Change the time zone of my account to that of this browser, {timeZone}', {
                timeZone: ownTimeZone(),
              })}
              {...form.bind('usesThisZone')}
            />
          )}
        </>
      )}
      <FormEnd of={form} label={t('Save the quiet hours')} isSecondary />
    </Form>
  )
}

interface DaysFieldProps {
  value: number
  onChange: (days: number) => void
}

const DaysField = ({ value, onChange }: DaysFieldProps) => {
  const hours: Pick<QuietHours, 'quiet_hours_days'> = { quiet_hours_days: value }
  return (
    <fieldset class="choice-field">
      <legend class="field-label">{t('They begin on')}</legend>
      <div class="week-days">
        {weekDayNames().map((name, day) => (
          <CheckField
            key={name}
            label={name}
            value={isQuietDay(hours, day)}
            onChange={() => onChange(value ^ (1 << day))}
          />
        ))}
      </div>
    </fieldset>
  )
}
