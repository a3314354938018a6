/** A list of event subscriptions, which follows their state while it is shown. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { SubscriptionLine } from './subscription-line.js'
import type { EventSubscription, SubscriptionList } from './subscription-texts.js'

/** No event tells how far a subscription is: the list asks for it. */
const REFRESH_MS = 4_000

/** The subscriptions that the user may see, and how they are loaded again. */
export interface LoadedSubscriptions {
  readonly list: Signal<SubscriptionList | undefined>
  readonly action: Action
  load(): Promise<void>
}

/** Loads the subscriptions, and again while the component is shown. */
export const useSubscriptions = (): LoadedSubscriptions => {
  const chat = useChat()
  const action = useAction()
  const list = useSignal<SubscriptionList | undefined>(undefined)
  const load = async () => {
    list.value = await chat.client.call('GET /event_subscriptions')
  }
  useEffect(() => {
    void action.run(load)
    // A failure is told where the user does something.
    const timer = setInterval(() => {
      if (!document.hidden) void load().catch(() => {})
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return { list, action, load }
}

interface SubscriptionRowsProps {
  of: LoadedSubscriptions
  isShown: (subscription: EventSubscription) => boolean
  /** whether the user may do everything with it, or only pause and delete it */
  isControlled: (subscription: EventSubscription) => boolean
}

/** The list, and how the last action of its buttons ended. */
export const SubscriptionRows = ({ of, isShown, isControlled }: SubscriptionRowsProps) => {
  const shown = of.list.value?.event_subscriptions.filter(isShown)
  return (
    <>
      {shown?.length === 0 && <p class="soft-text">{t('There are no event subscriptions.')}</p>}
      <ul class="dialog-rows" aria-label={t('Event subscriptions')}>
        {shown?.map((subscription) => (
          <SubscriptionLine
            key={subscription.subscription_id}
            of={subscription}
            isControlled={isControlled(subscription)}
            onChange={(work, done) =>
              of.action.run(async () => {
                await work()
                await of.load()
              }, done)
            }
          />
        ))}
      </ul>
      <ActionStatus action={of.action} />
    </>
  )
}
