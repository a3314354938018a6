/** The roles of accounts. Source: protocol/permissions.md 1. */
import type { Account, Organization } from './organization.js'
import { DAY, secondsNow } from './time.js'

/** A smaller number has more power. */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

/** Whether the account is an owner: the strongest role. */
export const isOwner = (user: Pick<Account, 'role'>): boolean => user.role <= Role.owner
/** Each role includes the weaker ones: an owner is an administrator, too. */
export const isAdministrator = (user: Pick<Account, 'role'>): boolean => user.role <= Role.administrator
/** Whether the account is a moderator or has a stronger role. */
export const isModerator = (user: Pick<Account, 'role'>): boolean => user.role <= Role.moderator
/** Whether the account is a guest, the role with the fewest rights. */
export const isGuest = (user: Pick<Account, 'role'>): boolean => user.role >= Role.guest

/** Moderators and above, and members past the waiting period of the organization. */
export const isFullMember = (
  { settings }: { settings: Pick<Organization['settings'], 'waiting_period_threshold'> },
  user: Pick<Account, 'role' | 'date_joined'>,
  now = secondsNow(),
): boolean => {
  if (isGuest(user)) return false
  return isModerator(user) || now - user.date_joined >= settings.waiting_period_threshold * DAY
}
