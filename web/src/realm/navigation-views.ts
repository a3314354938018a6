/**
 * The views that the left column lists: those of the page, and those that the user pinned.
 *
 * 1. A view of the page has its own place and name. The server keeps a row of it only where the user chose whether the
 *    column shows it.
 * 2. A view that the user pinned is a row with a name.
 */
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { parseFragment, type View } from '../routing/fragment.js'
import { viewKey } from '../routing/views.js'
import type { Chat } from './chat.js'

/** A view of the list. */
export interface ListedView {
  /** without `#` */
  fragment: string
  name: string
  /** Whether the column shows it. The others are below "More views". */
  isPinned: boolean
  /** Whether it is a view of the page, whose name nobody changes. */
  isOfPage: boolean
  view: View
}

/** The views of the page, in their order. The server knows `scheduled` and `reminders` only as views with names. */
const viewsOfPage: readonly { fragment: string; name: string; isPinned: boolean; isNamed?: true }[] = [
  { fragment: 'inbox', name: t('Inbox'), isPinned: true },
  { fragment: 'recent', name: t('Recent conversations'), isPinned: true },
  { fragment: 'feed', name: t('All messages'), isPinned: true },
  { fragment: 'narrow/is/mentioned', name: t('Mentions'), isPinned: true },
  { fragment: 'narrow/has/reaction/sender/me', name: t('Reactions to my messages'), isPinned: false },
  { fragment: 'narrow/is/starred', name: t('Starred'), isPinned: true },
  { fragment: 'drafts', name: t('Drafts'), isPinned: true },
  { fragment: 'scheduled', name: t('Scheduled messages'), isPinned: true, isNamed: true },
  { fragment: 'reminders', name: t('Reminders'), isPinned: true, isNamed: true },
]

/** The longest name of a view, in characters. */
export const MAX_VIEW_NAME = 100

/** All views, those of the page first. */
export const listViews = (chat: Chat): ListedView[] => {
  const rows = chat.navigationViews.value
  const ofPage = viewsOfPage.map(({ fragment, name, isPinned }) => ({
    fragment,
    name,
    isPinned: rows.get(fragment)?.is_pinned ?? isPinned,
    isOfPage: true,
    view: readView(chat, fragment),
  }))
  const own = [...rows.values()]
    .filter(({ fragment }) => !ofPage.some((view) => view.fragment === fragment))
    .map(({ fragment, name, is_pinned }) => ({
      fragment,
      name: name ?? fragment,
      isPinned: is_pinned,
      isOfPage: false,
      view: readView(chat, fragment),
    }))
    .sort((one, other) => compareTexts(one.name, other.name))
  return [...ofPage, ...own]
}

const noDialogs: ReadonlySet<string> = new Set()

const readView = (chat: Chat, fragment: string): View => {
  const place = parseFragment(fragment, noDialogs)
  if (place === undefined || !('view' in place)) return { name: 'unknown', fragment }
  const { view } = place
  if (view.name !== 'messages') return view
  // Clients write the user so in the views that are the same for all users.
  const terms = view.terms.map((term) =>
    term.operator === 'sender' && term.operand === 'me' ? { ...term, operand: chat.ownUserId ?? 0 } : term,
  )
  return { ...view, terms }
}

/** The view in the list; undefined: the user has not pinned it. */
export const findListedView = (chat: Chat, view: View): ListedView | undefined => {
  const key = viewKey(view)
  return view.name === 'unknown' ? undefined : listViews(chat).find((listed) => viewKey(listed.view) === key)
}

/** Shows a view in the column, or moves it below "More views". */
export const setPinned = (chat: Chat, { fragment }: ListedView, is_pinned: boolean): Promise<unknown> => {
  if (chat.navigationViews.peek().has(fragment)) {
    return chat.client.call('PATCH /navigation_views/{fragment}', { fragment, is_pinned })
  }
  const { isNamed, name } = viewsOfPage.find((view) => view.fragment === fragment) ?? {}
  return chat.client.call('POST /navigation_views', { fragment, is_pinned, ...(isNamed && name && { name }) })
}
