/** The roles of accounts, in words. */
import { t } from '../languages/t.js'

const roleNames: Readonly<Record<number, string>> = {
  100: t('Owner'),
  200: t('Administrator'),
  300: t('Moderator'),
  400: t('Member'),
  600: t('Guest'),
}

/** All roles, the strongest first. */
export const roles = Object.keys(roleNames).map(Number)

/** The name of a role. */
export const roleName = (role: number): string => roleNames[role] ?? t('Member')
