/** The name of the open view in the bar: in one line or, on small screens, with the topic in a line of its own. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { useMentions } from '../messages/parts/mentions.js'
import { RenderedLine } from '../messages/parts/rendered-line.js'
import { RenderedMessage } from '../messages/rendered/rendered-message.js'
import { viewTitle } from '../messages/view-title.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import type { View } from '../routing/fragment.js'
import { linkTo, view } from '../routing/location.js'
import { type Conversation, channelView, shownConversation, viewKey } from '../routing/views.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'
import { Popup } from '../ui/popup.js'
import { UserName, UserNames } from '../ui/user-name.js'
import './view-heading.css'

/** The heading. What a small screen cuts off is in a panel, which the name of the view opens. */
export const ViewHeading = () => {
  const chat = useChat()
  const shown = view.value
  const conversation = shownConversation(shown)
  const description = descriptionOf(chat, conversation)
  return (
    <>
      {conversation?.kind === 'direct' ? (
        <DirectHeading key={viewKey(shown)} userIds={conversation.userIds} />
      ) : (
        <PlaceHeading key={viewKey(shown)} view={shown} conversation={conversation} />
      )}
      {description !== '' && <RenderedLine class="view-description" html={description} />}
    </>
  )
}

type Place = Exclude<Conversation, { kind: 'direct' }>

/** The description as HTML; '' if there is none. */
const descriptionOf = (chat: Chat, conversation: Conversation | undefined): string =>
  conversation === undefined || conversation.kind === 'direct'
    ? ''
    : (chat.channels.value.get(conversation.channelId)?.rendered_description ?? '')

/** The names of the others open their cards. */
const DirectHeading = ({ userIds }: { userIds: number[] }) => {
  const chat = useChat()
  return (
    <>
      <h1 class="view-title" dir="auto">
        {userIds.length === 1 && userIds[0] === chat.ownUserId ? (
          t.rich('{name} (you)', {}, { name: <UserNames userIds={userIds} /> })
        ) : (
          <UserNames userIds={userIds} />
        )}
      </h1>
      {userIds.length > 1 && (
        <Details
          label={t('All participants')}
          class="icon-button"
          name={<Icon name="people" />}
          content={
            <ul class="view-people">
              {userIds.map((userId) => (
                <li key={userId}>
                  <UserName userId={userId} />
                </li>
              ))}
            </ul>
          }
        />
      )}
    </>
  )
}

const PlaceHeading = ({ view: shown, conversation }: { view: View; conversation: Place | undefined }) => {
  const chat = useChat()
  const title = viewTitle(chat, shown)
  const isSearch = shown.name === 'messages' && shown.terms.some(({ operator }) => operator === 'search')
  const isLong = conversation !== undefined || isSearch
  const heading = (content: ComponentChildren) => (
    <h1 class="view-title" dir="auto">
      {content}
    </h1>
  )
  if (!isLong) return heading(title)
  return (
    <Details
      label={t('Name of the view')}
      class="view-name"
      title={title}
      name={conversation?.kind === 'topic' ? <TopicPath {...conversation} /> : title}
      content={conversation === undefined ? <p dir="auto">{title}</p> : <PlaceDetails place={conversation} />}
      wrap={heading}
    />
  )
}

const TopicPath = ({ channelId, topic }: { channelId: number; topic: string }) => {
  const chat = useChat()
  return (
    <>
      <span class="view-channel" dir="auto">
        #{channelName(chat, channelId)}
      </span>
      <span class="view-separator"> › </span>
      <bdi class="view-topic">{topicName(chat, topic)}</bdi>
    </>
  )
}

const PlaceDetails = ({ place }: { place: Place }) => {
  const chat = useChat()
  const channel = chat.channels.value.get(place.channelId)
  const description = descriptionOf(chat, place)
  const mentions = useMentions(chat)
  return (
    <>
      <p class="view-place">
        {channel !== undefined && <ChannelMark channel={channel} />}
        <a href={linkTo(channelView(place.channelId))} dir="auto">
          {channelName(chat, place.channelId)}
        </a>
      </p>
      {place.kind === 'topic' && (
        <p class="view-place-topic" dir="auto">
          {topicName(chat, place.topic)}
        </p>
      )}
      {description !== '' && (
        <div class="soft-text" dir="auto">
          <RenderedMessage html={description} mentions={mentions} />
        </div>
      )}
    </>
  )
}

interface DetailsProps {
  label: string
  class: string
  title?: string
  /** the content of the button */
  name: ComponentChildren
  /** the content of the panel */
  content: ComponentChildren
  /** puts the button into another element */
  wrap?: (button: ComponentChildren) => ComponentChildren
}

/** A button, and the panel that it opens. */
const Details = ({ label, class: buttonClass, title, name, content, wrap = (each) => each }: DetailsProps) => {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen.value) panel.current?.focus()
  }, [isOpen.value])
  const isIcon = title === undefined
  return (
    <>
      {wrap(
        <button
          type="button"
          class={buttonClass}
          ref={button}
          dir="auto"
          {...(isIcon && { 'aria-label': label })}
          title={title ?? label}
          aria-haspopup="dialog"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {name}
        </button>,
      )}
      {isOpen.value && button.current !== null && (
        <Popup
          anchor={button.current}
          label={label}
          role="dialog"
          onClose={() => {
            isOpen.value = false
          }}
        >
          <div class="view-details" ref={panel} tabIndex={-1}>
            {content}
          </div>
        </Popup>
      )}
    </>
  )
}
