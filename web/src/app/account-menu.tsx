/** The button with the user's picture, and the menu that it opens. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { openOverlay } from '../routing/location.js'
import { endSession, showLogIn } from '../session/session.js'
import { switchTheme } from '../theme/appearance.js'
import { isDark } from '../theme/theme.js'
import { Avatar } from '../ui/avatar.js'
import { useDismiss } from '../ui/use-dismiss.js'

/** The menu of the account; for a visitor, the way to the log-in view. */
export const AccountMenu = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useDismiss(root, isOpen)
  const user = chat.ownUserId === undefined ? undefined : chat.users.value.get(chat.ownUserId)
  if (user === undefined) {
    return (
      <button type="button" class="button button-primary" onClick={showLogIn}>
        {t('Log in')}
      </button>
    )
  }
  const entries: { label: string; address: [name: string, ...path: string[]] }[] = [
    { label: t('Settings'), address: ['settings', 'profile'] },
    { label: t('User groups'), address: ['groups', 'all'] },
    { label: t('Users'), address: ['organization', 'users'] },
    { label: t('Organization'), address: ['organization'] },
    { label: t('Apps for phones'), address: ['apps'] },
    { label: t('Keyboard shortcuts'), address: ['keyboard-shortcuts'] },
    { label: t('About Parley'), address: ['about'] },
  ]
  return (
    <div class="menu-anchor" ref={root}>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Account of {name}', { name: user.full_name })}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Avatar user={user} size="small" />
      </button>
      {isOpen.value && (
        <div class="floating-panel account-menu">
          <p class="account-menu-name" dir="auto">
            {user.full_name}
          </p>
          <p class="soft-text">{user.delivery_email ?? user.email}</p>
          {entries.map(({ label, address }) => (
            <button
              key={label}
              type="button"
              class="menu-item"
              onClick={() => {
                isOpen.value = false
                openOverlay(...address)
              }}
            >
              {label}
            </button>
          ))}
          <button type="button" class="menu-item narrow-only" onClick={() => switchTheme(chat)}>
            {isDark() ? t('Light theme') : t('Dark theme')}
          </button>
          <button type="button" class="menu-item" onClick={() => endSession()}>
            {t('Log out')}
          </button>
        </div>
      )}
    </div>
  )
}
