/** Shows the menu that is open, and the dialog that an entry of it opens. Their code is loaded with the first menu. */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { say } from '../ui/status-line.js'
import { closeMenu, openedMenu } from './open-menu.js'

const loaded = signal<typeof import('./opened-menu.js') | undefined>(undefined)

const load = async (): Promise<void> => {
  try {
    loaded.value = await import('./opened-menu.js')
  } catch {
    closeMenu()
    say({ text: t('The menu cannot be loaded. Check your connection, and try again.'), isFailure: true })
  }
}

/** The place of menus in the page. */
export const MenuHost = () => {
  const isWanted = openedMenu.value !== undefined
  useEffect(() => {
    if (isWanted && loaded.peek() === undefined) void load()
  }, [isWanted])
  // A menu belongs to the page in which it was opened.
  useEffect(() => closeMenu, [])
  const parts = loaded.value
  return parts === undefined ? null : <parts.OpenedMenu />
}
