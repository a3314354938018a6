/** The event subscriptions of the user and of their bots. */
import { NewSubscription } from '../dialogs/event-subscriptions/new-subscription.js'
import { SubscriptionRows, useSubscriptions } from '../dialogs/event-subscriptions/subscription-list.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'

/** The page "Event subscriptions". */
export const EventSubscriptionSettings = () => {
  const chat = useChat()
  const subscriptions = useSubscriptions()
  const { list, load } = subscriptions
  const own = [...chat.users.value.values()]
    .filter(
      ({ user_id, is_bot, bot_owner_id }) => user_id === chat.ownUserId || (is_bot && bot_owner_id === chat.ownUserId),
    )
    .sort((one, other) => Number(one.is_bot) - Number(other.is_bot) || compareTexts(one.full_name, other.full_name))
  const isOwn = ({ user_id }: { user_id: number }) => own.some((one) => one.user_id === user_id)
  const active = own.filter(({ is_active }) => is_active).map(({ user_id }) => user_id)
  return (
    <>
      <p class="soft-text">
        {t(
          'The server delivers events of your account, or of a bot, to a program: in order, and again after every fault until the program has confirmed them.',
        )}
      </p>
      <SubscriptionRows of={subscriptions} isShown={isOwn} isControlled={isOwn} />
      {list.value !== undefined && <NewSubscription of={list.value} accountIds={active} onCreate={load} />}
    </>
  )
}
