/** The list of archived channels that the user may open again. */

import type { Channel } from '@parley/client/realm'
import { ActionStatus, useAction } from '../../forms/action.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { plainText } from '../../messages/rendered/plain-text.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { mayAdministerChannel } from '../../realm/permissions.js'
import { linkTo } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { ChannelMark } from '../../ui/channel-mark.js'
import { VirtualList } from '../../ui/virtual-list.js'

const ROW_HEIGHT = 56

/** The archived channels that the user may open again, by name. */
export const findArchivedChannels = (chat: Chat): Channel[] =>
  [...chat.channels.value.values()]
    .filter((channel) => channel.is_archived && mayAdministerChannel(chat, channel))
    .sort((one, other) => compareTexts(one.name, other.name))

/** The list of archived channels. */
export const ArchivedChannels = () => {
  const chat = useChat()
  const action = useAction()
  const channels = findArchivedChannels(chat)
  const restore = ({ stream_id, name }: Channel) =>
    action.run(
      () => chat.client.call('PATCH /streams/{stream_id}', { stream_id, is_archived: false }),
      t('#{name} is open again.', { name }),
    )
  return (
    <>
      <p class="soft-text">
        {channels.length === 0
          ? t('No channel that you may open again is archived.')
          : t(
              'Nobody can write in an archived channel. When it is opened again, its subscribers have it back as it was.',
            )}
      </p>
      <ActionStatus action={action} />
      <div class="people-list">
        <VirtualList
          items={channels}
          rowHeight={ROW_HEIGHT}
          label={t('Archived channels')}
          keyOf={({ stream_id }) => stream_id}
          renderRow={(channel, focus) => (
            <div class="dialog-row">
              <div class="dialog-row-main">
                <a class="dialog-row-title" href={linkTo(channelView(channel.stream_id))} {...focus}>
                  <ChannelMark channel={channel} />
                  <bdi>{channel.name}</bdi>
                </a>
                <p class="soft-text one-line" dir="auto">
                  {plainText(channel.rendered_description)}
                </p>
              </div>
              <button
                type="button"
                class="button"
                aria-label={t('Take out of the archive: {name}', { name: channel.name })}
                onClick={() => restore(channel)}
              >
                {t('Take out of the archive')}
              </button>
            </div>
          )}
        />
      </div>
    </>
  )
}
