/** The view in which the page begins, and to which the name of the organization leads. */
import { t } from '../languages/t.js'
import type { View } from '../routing/fragment.js'
import type { Chat } from './chat.js'

const views: Readonly<Record<string, { view: View; label: string }>> = {
  inbox: { view: { name: 'inbox' }, label: t('Open the inbox') },
  recent_topics: { view: { name: 'recent' }, label: t('Open the recent conversations') },
  all_messages: { view: { name: 'messages', terms: [] }, label: t('Read all messages') },
}

/** The home view that the user chose; all messages for a visitor, who has no other view of everything. */
const home = ({ ownUserId, settings }: Chat) =>
  views[ownUserId === undefined ? 'all_messages' : (settings.value.web_home_view ?? 'inbox')] ?? views.inbox

/** The home view. */
export const homeView = (chat: Chat): View => home(chat)?.view ?? { name: 'inbox' }

/** What a button that leads there says. */
export const homeLabel = (chat: Chat): string => home(chat)?.label ?? ''
