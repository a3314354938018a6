/** Turning off all mails about missed messages, by the link in such a mail. */
import { subscriptionUpdated } from '../../channels/subscription-entries.js'
import { composeUpdate } from '../../log/row-changes.js'
import type { Step } from '../../log/steps.js'
import { type Account, setSettings } from '../../users/accounts/account-changes.js'

/** The path of the page on which a user turns these mails off. @param token identifies the account, and is signed */
export const unsubscribePath = (token: string): string => `/accounts/unsubscribe/${token}`

/**
 * Turns off every setting by which the account gets these mails. They are the general settings, and those of channels.
 */
export const stopMissedMail = (account: Account): Step[] => [
  setSettings(account, {
    enable_offline_email_notifications: false,
    enable_stream_email_notifications: false,
    enable_followed_topic_email_notifications: false,
    enable_followed_topic_wildcard_mentions_notify: false,
  }),
  (state) =>
    [...state.userSubscriptions(account.id)].flatMap(([channel_id, settings]) => {
      const row = { user_id: account.id, channel_id, ...settings }
      if (!settings.active || settings.email_notifications !== true) return []
      const change = composeUpdate('subscriptions', row, { email_notifications: false })
      const data = { user_id: account.id, stream_id: channel_id, property: 'email_notifications', value: false }
      return change === undefined ? [] : [subscriptionUpdated(data, [change])]
    }),
]
