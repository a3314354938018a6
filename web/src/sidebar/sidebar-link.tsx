import type { ComponentChildren } from 'preact'
import { formatCount } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { MenuButton } from '../menus/menu-button.js'
import { type MenuTarget, menuHandlers } from '../menus/open-menu.js'
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
  /** how many entries the view has, where these are not unread messages */
  tally?: number
  isMuted?: boolean
  isSoft?: boolean
  className?: string
  /** can prevent that the address of the view is followed */
  onClick?: (event: MouseEvent) => void
  /** what the menu of the line is about */
  menu?: MenuTarget
}

/** A line of the sidebar that opens a view. */
export const SidebarLink = ({
  view: target,
  label,
  count,
  icon,
  mark,
  detail,
  tally = 0,
  isMuted,
  isSoft,
  className,
  onClick,
  menu,
}: SidebarLinkProps) => {
  const isCurrent = viewKey(view.value) === viewKey(target)
  const classes = [
    'sidebar-link',
    isMuted && 'sidebar-link-muted',
    count.unread > 0 && 'sidebar-link-unread',
    className,
  ]
  return (
    <li class={menu === undefined ? 'sidebar-row' : 'sidebar-row has-menu'}>
      <a
        class={classes.filter(Boolean).join(' ')}
        href={linkTo(target)}
        {...(isCurrent && { 'aria-current': 'page' })}
        {...(onClick !== undefined && { onClick })}
        {...(menu !== undefined && menuHandlers(menu))}
      >
        {icon !== undefined && <Icon name={icon} size={16} />}
        {mark}
        <span class="sidebar-label" dir="auto">
          {label}
          {detail}
        </span>
        {isMuted === true && <span class="only-for-screen-readers"> {t('(muted)')}</span>}
        {tally > 0 && <span class="count-badge count-badge-soft">{formatCount(tally)}</span>}
        <Count count={count} isSoft={isSoft === true || isMuted === true} />
      </a>
      {menu !== undefined && <MenuButton target={menu} label={label} />}
    </li>
  )
}
