/** A menu of actions beside an element, or where the pointer is. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'
import { moveInMenu } from './move-in-menu.js'
import { type Point, Popup } from './popup.js'
import './menu.css'

/** A line of a menu. */
export interface MenuEntry {
  label: string
  icon: IconName
  /** the key that does the same, which screens without a mouse do not show */
  hint?: string
  isDanger?: boolean
  run(): unknown
}

interface MenuProps {
  label: string
  /** lines between two groups are drawn; a group without entries is left out */
  groups: readonly (readonly MenuEntry[])[]
  /** has the focus again when the menu is closed */
  anchor: HTMLElement
  at?: Point | undefined
  onClose: () => void
}

/** Shows the menu. Arrow keys, Home and End move, Escape and Tab close it. */
export const Menu = ({ label, groups, anchor, at, onClose }: MenuProps) => {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), [])
  return (
    <Popup anchor={anchor} at={at} label={label} role="menu" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The keys belong to the menu around it. */}
      <div
        class="popup-menu"
        ref={list}
        onKeyDown={(event) => moveInMenu(event, onClose)}
        onContextMenu={(event) => event.preventDefault()}
      >
        {groups
          .filter((entries) => entries.length > 0)
          .map((entries, index) => (
            <div key={entries[0]?.label} class={index > 0 ? 'menu-group' : undefined}>
              {entries.map(({ label, icon, hint, isDanger, run }) => (
                <button
                  key={label}
                  type="button"
                  class={isDanger === true ? 'menu-item menu-item-danger' : 'menu-item'}
                  role="menuitem"
                  onClick={() => {
                    onClose()
                    anchor.focus()
                    void run()
                  }}
                >
                  <Icon name={icon} size={16} />
                  <span class="menu-label">{label}</span>
                  {hint !== undefined && <kbd>{hint}</kbd>}
                </button>
              ))}
            </div>
          ))}
      </div>
    </Popup>
  )
}
