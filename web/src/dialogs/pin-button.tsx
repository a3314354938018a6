import { t } from '../languages/t.js'
import { viewTitle } from '../messages/view-title.js'
import { useChat } from '../realm/chat.js'
import { findListedView, MAX_VIEW_NAME } from '../realm/navigation-views.js'
import { linkTo, openOverlay, view } from '../routing/location.js'
import { Icon } from '../ui/icon.js'
import { attempt, say } from '../ui/status-line.js'

/**
 * The button that pins the open view to the sidebar under its title. For a view that is there, it opens the settings of
 * the sidebar. Views of the page have none.
 */
export const PinButton = () => {
  const chat = useChat()
  const shown = view.value
  if (chat.ownUserId === undefined || shown.name !== 'messages') return null
  const listed = findListedView(chat, shown)
  if (listed?.isOfPage === true) return null
  const pin = () => {
    // Without the message at which the view was opened.
    const fragment = linkTo({ name: 'messages', terms: shown.terms }).slice(1)
    const name = [...viewTitle(chat, shown)].slice(0, MAX_VIEW_NAME).join('')
    const remove = () => chat.client.call('DELETE /navigation_views/{fragment}', { fragment })
    return attempt(
      chat.client
        .call('POST /navigation_views', { fragment, is_pinned: true, name })
        .then(() =>
          say({ text: t('“{name}” is in the sidebar.', { name }), action: { label: t('Undo'), run: remove } }),
        ),
    )
  }
  const label =
    listed === undefined ? t('Pin the view to the sidebar') : t('Pinned as “{name}”: change it', { name: listed.name })
  return (
    <button
      type="button"
      class="icon-button pin-button"
      aria-label={label}
      title={label}
      aria-pressed={listed !== undefined}
      onClick={() => (listed === undefined ? pin() : openOverlay('settings', 'sidebar'))}
    >
      <Icon name="pin" />
    </button>
  )
}
