/** The list of all channels that the user may see, with buttons to join and leave. */

import type { Channel } from '@parley/client/realm'
import { useComputed, useSignal } from '@preact/signals'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { bind } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { plainText } from '../../messages/rendered/plain-text.js'
import { useChat } from '../../realm/chat.js'
import { linkTo } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { ChannelMark } from '../../ui/channel-mark.js'
import { VirtualList } from '../../ui/virtual-list.js'
import { MembershipButton } from './membership-button.js'

const ROW_HEIGHT = 56

/** The list of channels. */
export const BrowseChannels = () => {
  const chat = useChat()
  const words = useSignal('')
  const action = useAction()
  const sorted = useComputed(() =>
    [...chat.channels.value.values()]
      .filter(({ is_archived }) => !is_archived)
      .sort((one, other) => compareTexts(one.name, other.name)),
  )
  const wanted = words.value.trim().toLowerCase()
  const channels = sorted.value.filter(({ name, description }) =>
    `${name}\n${description}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <TextField label={t('Search channels')} type="search" {...bind(words)} />
      <ActionStatus action={action} />
      <div class="people-list">
        <VirtualList
          items={channels}
          rowHeight={ROW_HEIGHT}
          label={t('Channels')}
          keyOf={({ stream_id }) => stream_id}
          renderRow={(channel, focus) => <ChannelLine channel={channel} focus={focus} action={action} />}
        />
      </div>
      {channels.length === 0 && (
        <p class="soft-text">{t('No channel has these words in its name or its description.')}</p>
      )}
    </>
  )
}

interface ChannelLineProps {
  channel: Channel
  focus: { tabIndex: number; onFocus: () => void }
  action: Action
}

const ChannelLine = ({ channel, focus, action }: ChannelLineProps) => (
  <div class="dialog-row">
    <div class="dialog-row-main">
      <a class="dialog-row-title" href={linkTo(channelView(channel.stream_id))} {...focus}>
        <ChannelMark channel={channel} />
        <bdi>{channel.name}</bdi>
      </a>
      <p class="soft-text one-line" dir="auto">
        {t('{count, plural, one {# subscriber} other {# subscribers}}', { count: channel.subscriber_count })}
        {channel.description === '' ? '' : ` · ${plainText(channel.rendered_description)}`}
      </p>
    </div>
    <a
      class="button"
      href={`#channels/${channel.stream_id}/settings/general`}
      aria-label={t('About {name}', { name: channel.name })}
    >
      {t('About')}
    </a>
    <MembershipButton channel={channel} action={action} />
  </div>
)
