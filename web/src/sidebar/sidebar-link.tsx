import type { ComponentChildren } from 'preact'
import type { Count as Counted } from '../realm/unread.js'
import type { View } from '../routing/fragment.js'
import { linkTo, view } from '../routing/location.js'
import { viewKey } from '../routing/views.js'
import { Count } from '../ui/count.js'
import { Icon, type IconName } from '../ui/icon.js'

interface SidebarLinkProps {
  view: View
  label: string
  count: Counted
  icon?: IconName
  /** in place of the icon */
  mark?: ComponentChildren
  /** follows the label */
  detail?: ComponentChildren
  isMuted?: boolean
  isSoft?: boolean
  className?: string
}

/** A line of the sidebar that opens a view. */
export const SidebarLink = ({
  view: target,
  label,
  count,
  icon,
  mark,
  detail,
  isMuted,
  isSoft,
  className,
}: SidebarLinkProps) => {
  const isCurrent = viewKey(view.value) === viewKey(target)
  const classes = [
    'sidebar-link',
    isMuted && 'sidebar-link-muted',
    count.unread > 0 && 'sidebar-link-unread',
    className,
  ]
  return (
    <li>
      <a class={classes.filter(Boolean).join(' ')} href={linkTo(target)} {...(isCurrent && { 'aria-current': 'page' })}>
        {icon !== undefined && <Icon name={icon} size={16} />}
        {mark}
        <span class="sidebar-label" dir="auto">
          {label}
          {detail}
        </span>
        {isMuted === true && <span class="only-for-screen-readers"> (muted)</span>}
        <Count count={count} isSoft={isSoft === true || isMuted === true} />
      </a>
    </li>
  )
}
