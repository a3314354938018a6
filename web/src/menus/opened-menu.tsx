/** The menu that is open, with the actions on what it is about. */
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, conversationName, userName } from '../realm/names.js'
import { Menu, type MenuEntry } from '../ui/menu.js'
import { channelEntries } from './channel-entries.js'
import { ColorMenu } from './color-menu.js'
import { MenuDialogs } from './menu-dialogs.js'
import { closeMenu, type MenuTarget, openedMenu } from './open-menu.js'
import { directEntries, everythingEntries, personEntries } from './people-entries.js'
import { topicEntries } from './topic-entries.js'

/** Shows the menu that is open, and the dialog that one of its entries opened. */
export const OpenedMenu = () => {
  const chat = useChat()
  const opened = openedMenu.value
  return (
    <>
      {opened !== undefined && (
        <Menu
          key={JSON.stringify([opened.target, opened.at])}
          label={labelOf(chat, opened.target)}
          groups={entriesOf(chat, opened.target)}
          anchor={opened.anchor}
          at={opened.at}
          onClose={closeMenu}
        />
      )}
      <ColorMenu />
      <MenuDialogs />
    </>
  )
}

const entriesOf = (chat: Chat, target: MenuTarget): MenuEntry[][] => {
  if (target.kind === 'channel') return channelEntries(chat, target.channelId)
  if (target.kind === 'topic') return topicEntries(chat, target)
  if (target.kind === 'direct') return directEntries(chat, target.userIds)
  return target.kind === 'person' ? personEntries(chat, target.userId) : everythingEntries(chat)
}

const labelOf = (chat: Chat, target: MenuTarget): string => {
  if (target.kind === 'everything') return t('All messages')
  if (target.kind === 'person') return userName(chat, target.userId)
  return target.kind === 'channel' ? `#${channelName(chat, target.channelId)}` : conversationName(chat, target)
}
