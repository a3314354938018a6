import type { Channel } from '@parley/client/realm'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Icon } from './icon.js'
import './channel-mark.css'

/** Shows the sign of a channel in its colour. It is a lock for a private channel, and a globe for a web-public one. */
export const ChannelMark = ({ channel, size = 16 }: { channel: Channel; size?: number }) => {
  const element = useRef<HTMLSpanElement>(null)
  const color = useChat().subscriptions.value.get(channel.stream_id)?.color
  useLayoutEffect(() => {
    if (color === undefined) element.current?.style.removeProperty('--channel-color')
    else element.current?.style.setProperty('--channel-color', color)
  }, [color])
  const icon = channel.invite_only ? 'lock' : channel.is_web_public ? 'globe' : 'channels'
  return (
    <span class="channel-mark" ref={element}>
      <Icon name={icon} size={size} />
      {channel.invite_only && <span class="only-for-screen-readers">{t('Private channel')} </span>}
    </span>
  )
}
