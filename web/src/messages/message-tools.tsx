/** The buttons that appear over a message: what can be done with it. */

import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { EmojiPicker } from '../emoji/emoji-picker.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Icon } from '../ui/icon.js'
import { reply, toggleReaction, toggleStar } from './actions/message-calls.js'
import { MessageMenu } from './actions/message-menu.js'
import { hasFlag } from './parts/flags.js'

/** The buttons of a message. */
export const MessageTools = ({ message }: { message: Message }) => {
  const chat = useChat()
  const opened = useSignal<'react' | 'menu' | undefined>(undefined)
  const reactButton = useRef<HTMLButtonElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    opened.value = undefined
  }
  const toggle = (name: 'react' | 'menu') => () => {
    opened.value = opened.value === name ? undefined : name
  }
  if (chat.ownUserId === undefined) return null
  return (
    <div class={opened.value === undefined ? 'message-tools' : 'message-tools message-tools-open'}>
      <button
        type="button"
        class="icon-button"
        ref={reactButton}
        data-tool="react"
        aria-label={t('React')}
        title={t('React')}
        aria-haspopup="dialog"
        aria-expanded={opened.value === 'react'}
        onClick={toggle('react')}
      >
        <Icon name="smile" size={16} />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Reply')}
        title={t('Reply')}
        onClick={() => reply(chat, message)}
      >
        <Icon name="back" size={16} />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-pressed={hasFlag(message, 'starred')}
        aria-label={t('Star')}
        title={t('Star')}
        onClick={() => toggleStar(chat, message)}
      >
        <Icon name="star" size={16} />
      </button>
      <button
        type="button"
        class="icon-button"
        ref={menuButton}
        data-tool="menu"
        aria-label={t('More actions')}
        title={t('More actions')}
        aria-haspopup="menu"
        aria-expanded={opened.value === 'menu'}
        onClick={toggle('menu')}
      >
        <Icon name="more" size={16} />
      </button>
      {opened.value === 'react' && reactButton.current !== null && (
        <EmojiPicker
          anchor={reactButton.current}
          onClose={close}
          onPick={(emoji) => toggleReaction(chat, message, emoji)}
        />
      )}
      {opened.value === 'menu' && menuButton.current !== null && (
        <MessageMenu message={message} anchor={menuButton.current} onClose={close} />
      )}
    </div>
  )
}
