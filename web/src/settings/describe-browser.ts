import { t } from '../languages/t.js'

/** Each browser before those whose words it says too. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/**
 * Describes a browser, such as `Firefox on Linux`. It reads what the browser says about itself. For other programs, it
 * returns that text itself.
 */
export const describeBrowser = (userAgent: string): string => {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return userAgent === '' ? t('Unknown program') : userAgent.slice(0, 80)
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
