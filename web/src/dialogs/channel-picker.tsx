/** A field in which the user chooses channels by their names. */

import type { Channel } from '@parley/client/realm'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { channelName } from '../realm/names.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Picker } from './picker.js'

interface ChannelPickerProps {
  label: string
  value: readonly number[]
  onChange: (channelIds: number[]) => void
  isOffered: (channel: Channel) => boolean
  hint?: string
}

/** The field. It offers channels at once. */
export const ChannelPicker = ({ label, value: chosen, onChange, isOffered, hint }: ChannelPickerProps) => {
  const chat = useChat()
  return (
    <Picker
      label={label}
      {...(hint !== undefined && { hint })}
      placeholder={t('Channel')}
      chosen={chosen.map((id) => ({ key: String(id), name: channelName(chat, id) }))}
      find={(words) =>
        [...chat.channels.value.values()]
          .filter((channel) => isOffered(channel) && channel.name.toLowerCase().includes(words.trim().toLowerCase()))
          .sort((one, other) => compareTexts(one.name, other.name))
          .map((channel) => ({
            key: String(channel.stream_id),
            name: channel.name,
            picture: <ChannelMark channel={channel} />,
          }))
      }
      onChange={(keys) => onChange(keys.map(Number))}
    />
  )
}
