import { useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'
import { type MenuTarget, openedMenu, toggleMenu } from './open-menu.js'
import './menus.css'

interface MenuButtonProps {
  target: MenuTarget
  /** whose actions they are */
  label: string
  tabIndex?: number
}

/**
 * The button at the end of a line that opens its menu. It is in sight while the pointer or the focus is on the line.
 */
export const MenuButton = ({ target, label, tabIndex }: MenuButtonProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = openedMenu.value !== undefined && openedMenu.value.anchor === button.current
  return (
    <button
      type="button"
      class="icon-button row-menu-button"
      ref={button}
      aria-label={t('Actions for {name}', { name: label })}
      title={t('Actions')}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      tabIndex={tabIndex}
      onClick={({ currentTarget }) => toggleMenu(target, currentTarget)}
    >
      <Icon name="more" size={16} />
    </button>
  )
}
