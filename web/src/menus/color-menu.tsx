/** The colours of a channel, in the place of its menu. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { channelColors } from '../realm/channel-colors.js'
import { useChat } from '../realm/chat.js'
import { moveInMenu } from '../ui/move-in-menu.js'
import { Popup } from '../ui/popup.js'
import { attempt } from '../ui/status-line.js'
import { coloredChannel } from './menu-dialog.js'
import './color-menu.css'

/** Shows the colours, if the user asked for them. */
export const ColorMenu = () => {
  const opened = coloredChannel.value
  return opened === undefined ? null : <Colors {...opened} />
}

const close = (): void => {
  coloredChannel.value = undefined
}

const Colors = ({ channelId, anchor }: { channelId: number; anchor: HTMLElement }) => {
  const chat = useChat()
  const list = useRef<HTMLDivElement>(null)
  const current = chat.subscriptions.value.get(channelId)?.color
  useLayoutEffect(() => {
    const items = list.current
    for (const item of items?.querySelectorAll<HTMLElement>('button') ?? [])
      item.style.setProperty('--choice', item.dataset.color ?? '')
    ;(items?.querySelector<HTMLElement>('[aria-checked="true"]') ?? items?.querySelector('button'))?.focus()
  }, [])
  const choose = (color: string) => {
    close()
    anchor.focus()
    void attempt(
      chat.client.call('POST /users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channelId, property: 'color', value: color }],
      }),
    )
  }
  return (
    <Popup anchor={anchor} label={t('Colour of the channel')} role="menu" onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The keys belong to the menu around it. */}
      <div class="color-menu" ref={list} onKeyDown={(event) => moveInMenu(event, close)}>
        {channelColors.map(({ color, name }) => (
          <button
            key={color}
            type="button"
            class="color-menu-item"
            role="menuitemradio"
            aria-checked={color === current}
            aria-label={name}
            title={name}
            data-color={color}
            onClick={() => choose(color)}
          />
        ))}
      </div>
    </Popup>
  )
}
