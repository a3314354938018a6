/** How the page looks. */
import { ActionStatus, useAction } from '../forms/action.js'
import { SelectField } from '../forms/fields.js'
import { bind } from '../forms/form.js'
import { type Theme, theme } from '../theme/theme.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** The page "Display". */
export const DisplaySettings = () => {
  const action = useAction()
  return (
    <section class="dialog-group" aria-label="Display">
      <SelectField label="Theme of this browser" options={themes} {...bind(theme)} />
      <SettingCheck name="twenty_four_hour_time" label="Show times with 24 hours, such as 17:30" action={action} />
      <SettingCheck
        name="enter_sends"
        label="Enter sends a message"
        hint="Otherwise Control and Enter send it."
        action={action}
      />
      <SettingSelect
        name="desktop_icon_count_display"
        label="Number in the title of the page"
        options={[
          { value: 1, label: 'All unread messages' },
          { value: 2, label: 'Direct messages, mentions and followed topics' },
          { value: 3, label: 'Direct messages and mentions' },
          { value: 4, label: 'None' },
        ]}
        action={action}
      />
      <ActionStatus action={action} />
    </section>
  )
}
