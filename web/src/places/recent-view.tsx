/** The view `#recent`: the conversations of the newest messages, read or not. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { FailureNote, useAction } from '../forms/action.js'
import { language, t } from '../languages/t.js'
import { MenuButton } from '../menus/menu-button.js'
import { menuHandlers } from '../menus/open-menu.js'
import { conversationOfMessage } from '../messages/parts/conversation-bar.js'
import { unreadIds } from '../messages/unread-ids.js'
import { type OpenWindow, useChat } from '../realm/chat.js'
import { conversationName, userName } from '../realm/names.js'
import { countIds } from '../realm/unread.js'
import { linkTo } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Count } from '../ui/count.js'
import { formatNearMoment } from '../ui/times.js'
import { EmptyPlace } from './empty-place.js'
import { arrangeRecent, type RecentRow } from './recent-rows.js'
import { TargetTitle } from './target-title.js'

/** The number of messages that are looked through at first, and with each press of the button. */
const STEP = 400
/** The names that a row shows. */
const SHOWN_SENDERS = 3

/** The list of recent conversations. */
export const RecentView = () => {
  const chat = useChat()
  const window = useSignal<OpenWindow | undefined>(undefined)
  const action = useAction()
  const { isBusy: isLoading, error } = action.state.value
  const words = useSignal('')
  const load = (work: (window: OpenWindow) => Promise<void>) => {
    const opened = window.peek()
    if (opened !== undefined && !action.state.peek().isBusy) void action.run(() => work(opened))
  }
  useEffect(() => {
    const opened = chat.messages([])
    window.value = opened
    load(async () => {
      await opened.jumpTo('newest')
      await opened.loadOlder(STEP)
    })
    return () => opened.close()
  }, [chat])
  const rows = useComputed(() => arrangeRecent(window.value?.view.value.messages ?? []))
  const wanted = words.value.trim().toLowerCase()
  const shown = rows.value.filter((row) => nameOf(row).toLowerCase().includes(wanted))
  const hasOldest = window.value?.view.value.hasOldest === true
  function nameOf({ newest, senderIds }: RecentRow): string {
    const senders = senderIds.map((id) => userName(chat, id)).join(' ')
    return `${conversationName(chat, conversationOfMessage(chat, newest))} ${senders}`
  }
  if (rows.value.length === 0 && error === '') {
    if (isLoading || window.value === undefined) return <p class="place-page soft-text">{t('Loading…')}</p>
    return (
      <EmptyPlace
        icon="history"
        title={t('No conversations yet')}
        text={t('The conversations with the newest messages appear here, also those that you have read.')}
      />
    )
  }
  return (
    <div class="place-page" tabIndex={-1}>
      <div class="place-content">
        <input
          class="text-field"
          type="search"
          placeholder={t('Find a conversation')}
          aria-label={t('Find a conversation')}
          onInput={(event) => {
            words.value = event.currentTarget.value
          }}
        />
        <FailureNote reason={error} />
        {shown.length === 0 && <p class="soft-text">{t('No recent conversation has these words in its name.')}</p>}
        {shown.length > 0 && (
          <ul class="place-list">
            {shown.map((row) => (
              <ConversationRow key={row.key} row={row} />
            ))}
          </ul>
        )}
        {!hasOldest && (
          <button
            type="button"
            class="button"
            disabled={isLoading}
            onClick={() => load((opened) => opened.loadOlder(STEP))}
          >
            {isLoading ? t('Loading…') : t('Show older conversations')}
          </button>
        )}
      </div>
    </div>
  )
}

/** In English, names without `and`. */
const nameList = new Intl.ListFormat(language, { style: 'narrow' })

const ConversationRow = ({ row: { newest, senderIds } }: { row: RecentRow }) => {
  const chat = useChat()
  const conversation = conversationOfMessage(chat, newest)
  const shown = senderIds.slice(0, SHOWN_SENDERS)
  const names = nameList.format(shown.map((id) => userName(chat, id)))
  const others = senderIds.length - shown.length
  const count = countIds(unreadIds(chat, conversation), chat.unread.value)
  return (
    <li class="place-row has-menu">
      <a class="place-main" href={linkTo(conversationView(conversation))} {...menuHandlers(conversation)}>
        {conversation.kind !== 'channel' && <TargetTitle target={conversation} />}
        <span class="place-text" dir="auto">
          {others > 0
            ? t('{count, plural, one {{names} and # more} other {{names} and # more}}', { count: others, names })
            : names}
        </span>
      </a>
      <Count count={count} />
      <time class="place-time" dateTime={new Date(newest.timestamp * 1000).toISOString()}>
        {formatNearMoment(newest.timestamp)}
      </time>
      <MenuButton target={conversation} label={conversationName(chat, conversation)} />
    </li>
  )
}
