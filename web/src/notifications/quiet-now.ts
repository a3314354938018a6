import type { Realm } from '@parley/client/realm'
import { quietUntil } from '#rules/quiet-hours.js'
import { secondsNow } from '#rules/time.js'
import { ownTimeZone } from '../ui/times.js'

/** Whether the user has quiet hours now. An account without a time zone has that of the browser. */
export const isQuietNow = (realm: Pick<Realm, 'settings' | 'users' | 'self'>): boolean => {
  const { timezone = '' } = realm.users.get().get(realm.self.get().user_id) ?? {}
  return quietUntil(realm.settings.get(), secondsNow(), timezone === '' ? ownTimeZone() : timezone) !== undefined
}
