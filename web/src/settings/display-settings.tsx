/** How the page looks, and how it shows times, emoji and pictures. */

import { languages } from '#rules/languages.js'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'
import { useSettingSource } from './setting-source.js'

/** The page "Display". */
export const DisplaySettings = () => {
  const action = useAction()
  return (
    <>
      <LookGroup action={action} />
      <TimesGroup action={action} />
      <ContentGroup action={action} />
      <WritingGroup action={action} />
      <ActionStatus action={action} />
    </>
  )
}

const themes = [
  { value: 1, label: t('As the system') },
  { value: 3, label: t('Light') },
  { value: 2, label: t('Dark') },
]

/** Choices among numbers. Another program may have chosen one that is not among them. */
const withChosen = (offered: readonly number[], chosen: number, write: (value: number) => string) =>
  [...new Set([...offered, chosen])].sort((a, b) => a - b).map((value) => ({ value, label: write(value) }))

const languageOptions = Object.entries(languages).map(([value, { name }]) => ({ value, label: name, lang: value }))

/** The languages by their own names, so that speakers find theirs on a page that they cannot read. */
const listLanguages = (chosen: string) =>
  languageOptions.some(({ value }) => value === chosen)
    ? languageOptions
    : [...languageOptions, { value: chosen, label: chosen }]

const LookGroup = ({ action }: { action: Action }) => {
  const { isOwn, values } = useSettingSource()
  const { web_font_size_px: size = 16, web_line_height_percent: height = 140, default_language = '' } = values
  return (
    <fieldset class="dialog-group">
      <legend>{t('Look')}</legend>
      <div class="dialog-two-columns">
        {isOwn && (
          // The page loads again in the new language when the event of the change arrives (app/chat-page.tsx).
          <SettingSelect
            name="default_language"
            label={t('Language')}
            options={listLanguages(default_language)}
            action={action}
          />
        )}
        <SettingSelect name="color_scheme" label={t('Theme')} options={themes} action={action} />
        <SettingSelect
          name="web_font_size_px"
          label={t('Size of the text')}
          options={withChosen([12, 14, 16, 18, 20, 24], size, (value) =>
            value === 16 ? t('16 (standard)') : `${value}`,
          )}
          action={action}
        />
        <SettingSelect
          name="web_line_height_percent"
          label={t('Height of lines')}
          options={withChosen([120, 130, 140, 150, 160, 180, 200], height, (value) =>
            value === 140 ? t('140% (standard)') : `${value}%`,
          )}
          action={action}
        />
      </div>
      <SettingCheck name="high_contrast_mode" label={t('High contrast')} action={action} />
      <SettingCheck name="fluid_layout_width" label={t('Use the whole width of a wide screen')} action={action} />
    </fieldset>
  )
}

const TimesGroup = ({ action }: { action: Action }) => {
  const { isOwn, values } = useSettingSource()
  const { timezone = '' } = values
  const zones = [...new Set([...(timezone === '' ? [] : [timezone]), 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const options = zones.sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
  return (
    <fieldset class="dialog-group">
      <legend>{t('Times')}</legend>
      {isOwn && (
        <SettingSelect
          name="timezone"
          label={t('Time zone of my profile and of mails')}
          options={timezone === '' ? [{ value: '', label: t('Not chosen: mails have UTC') }, ...options] : options}
          action={action}
        />
      )}
      <SettingCheck
        name="web_suggest_update_timezone"
        label={t('Suggest the time zone of the browser where it differs')}
        action={action}
      />
      <SettingCheck name="twenty_four_hour_time" label={t('Show times with 24 hours, such as 17:30')} action={action} />
    </fieldset>
  )
}

const ContentGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{t('Emoji and pictures')}</legend>
    <div class="dialog-two-columns">
      <SettingSelect
        name="emojiset"
        label={t('Emoji')}
        options={[
          { value: 'set_a', label: t('Pictures') },
          { value: 'text', label: t('Names, such as :smile:') },
        ]}
        action={action}
      />
      <SettingSelect
        name="web_animate_image_previews"
        label={t('Animated pictures move')}
        options={[
          { value: 'always', label: t('Always') },
          { value: 'on_hover', label: t('Under the pointer') },
          { value: 'never', label: t('Never') },
        ]}
        action={action}
      />
    </div>
    <SettingCheck
      name="display_emoji_reaction_users"
      label={t('Show who reacted when few people did')}
      action={action}
    />
  </fieldset>
)

const WritingGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{t('Writing')}</legend>
    <SettingCheck
      name="enter_sends"
      label={t('Enter sends a message')}
      hint={t('Otherwise Control and Enter send it.')}
      action={action}
    />
    <SettingCheck name="translate_emoticons" label={t('Turn :) into an emoji')} action={action} />
    <SettingCheck
      name="web_navigate_to_sent_message"
      label={t('Go to the conversation in which I sent a message')}
      action={action}
    />
  </fieldset>
)
