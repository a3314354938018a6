/** Offers the time zone of the browser, where the account has one with another time. */

import { effect, untracked } from '@preact/signals'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { endStatus, type Status, say } from '../ui/status-line.js'
import { hasSameTime, ownTimeZone } from '../ui/times.js'

/** Suggests it when the page opens, and when the settings change. @returns a function that ends this */
export const suggestTimeZone = (chat: Chat): (() => void) => {
  let said: Status | undefined
  let last: string | undefined
  return effect(() => {
    const { timezone = '', web_suggest_update_timezone: isWanted } = chat.settings.value
    if (last === `${timezone} ${isWanted}`) return
    last = `${timezone} ${isWanted}`
    untracked(() => {
      if (said !== undefined) endStatus(said)
      said = undefined
      const own = ownTimeZone()
      if (chat.ownUserId === undefined || isWanted === false || hasSameTime(own, timezone || 'UTC')) return
      said = {
        text: t('The time zone of this browser is {browserTimeZone}, and that of your profile {profileTimeZone}.', {
          browserTimeZone: own,
          profileTimeZone: timezone || 'UTC',
        }),
        action: {
          label: t('Use {timeZone}', { timeZone: own }),
          run: () => chat.client.call('PATCH /settings', { timezone: own }),
        },
      }
      say(said)
    })
  })
}
