/** The words for API keys with a name, in the settings of an account and of the organization. */
import type { Result } from '@parley/client'
import { t } from '../languages/t.js'
import { formatDate, formatMoment } from '../ui/times.js'

/** An API key with a name. */
export type ApiKey = Result<'GET /users/me/api_keys'>['api_keys'][number]

/** The scopes of keys, and what they permit. */
export const scopeOptions: readonly { value: ApiKey['scope']; label: string }[] = [
  { value: 'read', label: t('Read only') },
  { value: 'write', label: t('Read and write') },
  { value: 'administer', label: t('Everything, also administration') },
]

const dateOf = (timestamp: number) => new Date(timestamp * 1000)

/** What a key permits, when it was used, and when it ends. */
export const describeKey = ({ scope, created_at, expires_at, last_used_at }: ApiKey): string => {
  const label = scopeOptions.find(({ value }) => value === scope)?.label ?? scope
  const use =
    last_used_at === null ? t('never used') : t('last used {moment}', { moment: formatMoment(dateOf(last_used_at)) })
  return [label, use, t('since {date}', { date: formatDate(dateOf(created_at)) }), describeEnd(expires_at)].join(' · ')
}

const describeEnd = (expires_at: number | null): string => {
  if (expires_at === null) return t('does not expire')
  const date = formatDate(dateOf(expires_at))
  return expires_at * 1000 <= Date.now() ? t('expired {date}', { date }) : t('expires {date}', { date })
}
