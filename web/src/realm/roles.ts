/** The roles of accounts, in words. */
const roleNames: Readonly<Record<number, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
}

/** All roles, the strongest first. */
export const roles = Object.keys(roleNames).map(Number)

/** The name of a role. */
export const roleName = (role: number): string => roleNames[role] ?? 'Member'
