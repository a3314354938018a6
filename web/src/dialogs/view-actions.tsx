/** What the user can do with the conversation that is open: buttons beside its title. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { TopicPolicy, topicPolicy } from '#rules/topic-policies.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { currentMuting } from '../realm/unread.js'
import { view } from '../routing/location.js'
import { shownConversation } from '../routing/views.js'
import { Icon, type IconName } from '../ui/icon.js'
import { useDismiss } from '../ui/use-dismiss.js'
import './dialogs.css'

/** Shows the buttons of the conversation that is open. It shows nothing for a visitor and for other views. */
export const ViewActions = () => {
  const chat = useChat()
  const conversation = shownConversation(view.value)
  if (chat.ownUserId === undefined || conversation === undefined) return null
  if (conversation.kind === 'direct') {
    const [userId] = conversation.userIds
    if (conversation.userIds.length !== 1) return null
    return (
      <a class="icon-button" href={`#user/${userId}`} aria-label={t('Show the profile')} title={t('Show the profile')}>
        <Icon name="people" />
      </a>
    )
  }
  const { channelId } = conversation
  if (!chat.channels.value.has(channelId)) return null
  return (
    <div class="view-actions">
      {conversation.kind === 'topic' && chat.subscriptions.value.has(channelId) && (
        <TopicMenu key={`${channelId} ${conversation.topic}`} channelId={channelId} topic={conversation.topic} />
      )}
      <a
        class="icon-button"
        href={`#channels/${channelId}/settings`}
        aria-label={t('Settings of the channel')}
        title={t('Settings of the channel')}
      >
        <Icon name="settings" />
      </a>
    </div>
  )
}

const choices = [
  { policy: TopicPolicy.muted, label: t('Mute'), icon: 'mute' },
  { policy: TopicPolicy.inherit, label: t('As the channel'), icon: 'channels' },
  { policy: TopicPolicy.unmuted, label: t('Unmute in the muted channel'), icon: 'check' },
  { policy: TopicPolicy.followed, label: t('Follow'), icon: 'follow' },
] as const satisfies { policy: number; label: string; icon: IconName }[]

/** How the user wants to hear of the topic. */
const TopicMenu = ({ channelId, topic }: { channelId: number; topic: string }) => {
  const chat = useChat()
  const action = useAction()
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useDismiss(root, isOpen)
  const policy = topicPolicy(currentMuting(chat), channelId, topic)
  const isChannelMuted = chat.subscriptions.value.get(channelId)?.is_muted === true
  const offered = choices.filter((choice) => choice.policy !== TopicPolicy.unmuted || isChannelMuted || policy === 2)
  const current = choices.find((choice) => choice.policy === policy) ?? choices[1]
  const choose = async (visibility_policy: 0 | 1 | 2 | 3) => {
    const call = () => chat.client.call('POST /user_topics', { stream_id: channelId, topic, visibility_policy })
    if (!(await action.run(call))) return
    isOpen.value = false
    root.current?.querySelector('button')?.focus()
  }
  return (
    <div class="menu-anchor" ref={root}>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Notifications of the topic: {choice}', { choice: current.label })}
        title={t('Notifications of the topic: {choice}', { choice: current.label })}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name={policy === TopicPolicy.inherit ? 'more' : current.icon} />
      </button>
      {isOpen.value && (
        <div class="floating-panel">
          <div
            role="menu"
            aria-label={t('Notifications of the topic')}
            tabIndex={-1}
            onKeyDown={moveInMenu}
            ref={focusChecked}
          >
            {offered.map((choice) => (
              <button
                key={choice.policy}
                type="button"
                class="menu-item"
                role="menuitemradio"
                aria-checked={choice.policy === policy}
                onClick={() => choose(choice.policy)}
              >
                <Icon name={choice.icon} size={16} /> {choice.label}
              </button>
            ))}
          </div>
          <ActionStatus action={action} />
        </div>
      )}
    </div>
  )
}

/** A menu that opens has the focus on its present choice. */
const focusChecked = (menu: HTMLElement | null): void =>
  menu?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()

const moveInMenu = (event: KeyboardEvent): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role="menuitemradio"]')]
  const index = items.indexOf(document.activeElement as HTMLElement)
  items[(index + step + items.length) % items.length]?.focus()
}
