import type { Channel } from '@parley/client/realm'
import type { Action } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { mayJoinChannel } from '../../realm/permissions.js'

/**
 * Shows the button with which the user joins or leaves a channel. It shows nothing for a channel that the user may not
 * join.
 */
export const MembershipButton = ({ channel, action }: { channel: Channel; action: Action }) => {
  const chat = useChat()
  const { name, stream_id } = channel
  const isSubscribed = chat.subscriptions.value.has(stream_id)
  if (!isSubscribed && !mayJoinChannel(chat, channel)) return null
  const join = () => chat.client.call('POST /users/me/subscriptions', { subscriptions: [{ name }] })
  const leave = () => chat.client.call('DELETE /users/me/subscriptions', { subscriptions: [name] })
  return (
    <button
      type="button"
      class={isSubscribed ? 'button' : 'button button-primary'}
      aria-label={t(isSubscribed ? 'Leave {name}' : 'Join {name}', { name })}
      onClick={() =>
        action.run(
          isSubscribed ? leave : join,
          isSubscribed ? t('You left #{name}.', { name }) : t('You joined #{name}.', { name }),
        )
      }
    >
      {isSubscribed ? t('Leave') : t('Join')}
    </button>
  )
}
