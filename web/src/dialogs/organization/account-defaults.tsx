/**
 * The settings that a new account begins with. The fields are those of the settings of the user, so a setting has one
 * label, and one place that offers it.
 */
import { t } from '../../languages/t.js'
import { DisplaySettings } from '../../settings/display-settings.js'
import { NavigationSettings } from '../../settings/navigation-settings.js'
import { NotificationSettings } from '../../settings/notification-settings.js'
import { SettingsOwner } from '../../settings/setting-source.js'

/** The page "Defaults of new accounts". */
export const AccountDefaults = () => (
  <SettingsOwner.Provider value="new accounts">
    <p class="soft-text">
      {t('New accounts begin with these settings. Each user changes their own; existing ones do not change.')}
    </p>
    <DisplaySettings />
    <NavigationSettings />
    <NotificationSettings />
  </SettingsOwner.Provider>
)
