import type { Target } from '../compose/compose-target.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { channelName, directName, topicName } from '../realm/names.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'

/** The name of the conversation to which a text goes. */
export const TargetTitle = ({ target }: { target: Target }) => {
  const chat = useChat()
  if (target.kind === 'direct') {
    return (
      <span class="place-title">
        <Icon name="direct" size={16} />
        <span dir="auto">{target.userIds.length === 0 ? t('No recipient yet') : directName(chat, target.userIds)}</span>
      </span>
    )
  }
  const channel = target.channelId === undefined ? undefined : chat.channels.value.get(target.channelId)
  if (target.channelId === undefined) return <span class="place-title">{t('No channel yet')}</span>
  return (
    <span class="place-title">
      {channel !== undefined && <ChannelMark channel={channel} />}
      <span dir="auto">{channelName(chat, target.channelId)}</span>
      <Icon name="right" size={12} />
      <span dir="auto">{topicName(chat, target.topic)}</span>
    </span>
  )
}
