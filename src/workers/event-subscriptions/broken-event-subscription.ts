/** Tells the owner of an event subscription that it is broken, in a direct message of the Notification Bot. */
import type { Texts } from '#rules/texts.js'
import type { BrokenReason } from '../../domain/event-subscriptions/event-subscriptions.js'
import { findResponsible } from '../../domain/event-subscriptions/event-subscriptions.js'
import { quoteLiterally } from '../../domain/messages/quoting.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import { loadSubscriptions } from '../../store/event-subscriptions/subscription-rows.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const brokenEventSubscription: JobHandler<'broken_event_subscription'> = async (job) => {
  const { realm, write, payload } = job
  const [found] = await loadSubscriptions(write.sql, realm.id, payload.subscription_id)
  // Meanwhile it may work again, or be deleted.
  if (found === undefined || found.subscription.reason !== payload.reason) return noEffect
  const account = realm.state.users.get(found.subscription.user_id)
  const owner = account === undefined ? undefined : realm.state.users.get(findResponsible(account))
  if (owner?.is_active !== true) return noEffect
  const text = composeText(noticeTexts(realm.state), quoteLiterally(found.subscription.name), payload.reason)
  return composeSendEffect(realm, await collectSends([composeNotice(job, { users: [owner] }, text)]))
}

const composeText = (t: Texts, name: string, reason: BrokenReason): string => {
  switch (reason) {
    case 'failing':
      return t(
        'The receiver of the event subscription {name} has not taken an event for some minutes. It is tried from time to time, and nothing is lost as long as the server keeps the events.',
        { name },
      )
    case 'gone':
      return t(
        'The receiver of the event subscription {name} answered that it wants no more events, so none are sent. Resume the subscription if that is a mistake.',
        { name },
      )
    case 'position_lost':
      return t(
        'The event subscription {name} has stopped: the server does not keep the next events any more. Let it begin with a snapshot, or at a later position.',
        { name },
      )
    case 'credentials_changed':
      return t(
        'The event subscription {name} has stopped because the credentials of its account were changed. Resume it if it is still yours.',
        { name },
      )
  }
}
