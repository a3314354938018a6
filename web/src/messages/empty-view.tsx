/** What a view without messages says: what would be here, and what the user can do. */
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, directName, topicName, userName } from '../realm/names.js'
import { linkTo } from '../routing/location.js'
import { channelView, conversationOf } from '../routing/views.js'
import type { MessagesView } from './open-window.js'

interface EmptyText {
  title: string
  hint: string
}

/** Fills the place of the messages. */
export const EmptyView = ({ view }: { view: MessagesView }) => {
  const chat = useChat()
  const { title, hint } = describeEmpty(chat, view)
  const conversation = conversationOf(view.terms)
  return (
    <div class="empty-view message-view-note">
      <p class="empty-view-title">{title}</p>
      <p class="soft-text">{hint}</p>
      {conversation?.kind === 'topic' && (
        <p>
          <a href={linkTo(channelView(conversation.channelId))}>
            {t('All messages of #{channel}', { channel: channelName(chat, conversation.channelId) })}
          </a>
        </p>
      )}
    </div>
  )
}

const properties: Record<string, EmptyText> = {
  mentioned: {
    title: t('Nobody has mentioned you yet.'),
    hint: t('Messages with your name, or with a group of yours, are collected here.'),
  },
  starred: {
    title: t('You have no starred messages.'),
    hint: t('Choose the star of a message to keep it here. With the keyboard: select the message and press *.'),
  },
  dm: {
    title: t('You have no direct messages yet.'),
    hint: t('Write one with “New message”, or press x. Only you and the people you write to can read it.'),
  },
  unread: { title: t('You have read everything.'), hint: t('New messages are collected here until you read them.') },
  followed: {
    title: t('You follow no topic with messages.'),
    hint: t('Open the menu of a topic and choose to follow it. Its messages are collected here.'),
  },
  resolved: {
    title: t('No topic is resolved yet.'),
    hint: t(
      'When a question is answered, mark its topic as resolved in the menu of a message. Its messages are collected here.',
    ),
  },
  alerted: {
    title: t('No message has one of your alert words.'),
    hint: t('Messages that contain a word you chose are collected here.'),
  },
}

const describeEmpty = (chat: Chat, { terms }: MessagesView): EmptyText => {
  const isVisitor = chat.ownUserId === undefined
  const conversation = conversationOf(terms)
  if (terms.length === 0) {
    return isVisitor
      ? {
          title: t('There is nothing to read yet.'),
          hint: t('Messages of public channels appear here. Log in to read more.'),
        }
      : {
          title: t('You have no messages yet.'),
          hint: t('Messages of all your channels and conversations appear here.'),
        }
  }
  if (conversation?.kind === 'topic') {
    return {
      title: t('There are no messages in “{topic}”.', { topic: topicName(chat, conversation.topic) }),
      hint: isVisitor
        ? t('The topic was moved or deleted, or nobody has written in it yet.')
        : t('The topic was moved or deleted, or nobody has written in it yet. Write the first message below.'),
    }
  }
  if (conversation?.kind === 'channel') {
    return {
      title: t('There are no messages in #{channel} yet.', { channel: channelName(chat, conversation.channelId) }),
      hint: isVisitor ? t('What is written in the channel appears here.') : t('Begin a topic with “New message”.'),
    }
  }
  if (conversation?.kind === 'direct') {
    const isNote = conversation.userIds.length === 1 && conversation.userIds[0] === chat.ownUserId
    if (isNote) {
      return {
        title: t('You have no notes yet.'),
        hint: t('Write messages to yourself below. Nobody else can read them.'),
      }
    }
    return {
      title: t('You have no messages with {people} yet.', { people: directName(chat, conversation.userIds) }),
      hint: t('Write the first one below. Only the people of this conversation can read it.'),
    }
  }
  const [term] = terms
  if (terms.length === 1 && term?.operator === 'is' && !term.negated) {
    const known = properties[String(term.operand)]
    if (known !== undefined) return known
  }
  if (terms.length === 1 && term?.operator === 'sender' && typeof term.operand === 'number' && !term.negated) {
    return {
      title: t('You can read no message of {name} yet.', { name: userName(chat, term.operand) }),
      hint: t('Messages in your channels and conversations appear here.'),
    }
  }
  return {
    title: t('No message was found.'),
    hint: t('Use fewer or other words, check the spelling, or leave out a condition of the search.'),
  }
}
