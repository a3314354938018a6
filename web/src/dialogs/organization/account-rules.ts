/** Who gets a new account at the first log-in with a provider. */
import { t } from '../../languages/t.js'

export type Creates = 'everyone' | 'invited' | 'nobody'

/** The rules, for a select field. */
export const accountRules: { value: Creates; label: string }[] = [
  { value: 'everyone', label: t('Everyone with an account at the provider') },
  { value: 'invited', label: t('People who were invited to their address') },
  { value: 'nobody', label: t('Nobody: only accounts that exist') },
]
