/** The mark of unread messages in the icon of the page, and on the icon of the installed application. */
import plainIcon from '../icons/icon.svg'
import markedIcon from '../icons/icon-unread.svg'

let shown = 0

/** Marks the icon while messages are unread. @param unread the number in the title */
export const markIcon = (unread: number): void => {
  if (unread === shown) return
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (icon !== null && unread > 0 !== shown > 0) icon.href = unread > 0 ? markedIcon : plainIcon
  shown = unread
  // Only some browsers have badges, and only for an installed page.
  if (!('setAppBadge' in navigator)) return
  const isSet = unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()
  isSet.catch(() => undefined)
}
