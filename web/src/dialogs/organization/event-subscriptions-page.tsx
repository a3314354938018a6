/** The event subscriptions of all accounts. Administrators see how far they are, pause them and delete them. */
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { SubscriptionRows, useSubscriptions } from '../event-subscriptions/subscription-list.js'

/** The page "Event subscriptions". */
export const EventSubscriptionsPage = () => {
  const chat = useChat()
  const isControlled = ({ user_id }: { user_id: number }) =>
    user_id === chat.ownUserId || chat.users.value.get(user_id)?.is_bot === true
  return (
    <>
      <p class="soft-text">
        {t(
          'Programs to which the server delivers the events of an account. You can pause and delete those of other people, but not read where they lead.',
        )}
      </p>
      <SubscriptionRows of={useSubscriptions()} isShown={() => true} isControlled={isControlled} />
    </>
  )
}
