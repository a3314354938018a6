/** The dialog `#apps`: which apps for phones work with this server, and a code that has the address they ask for. */

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { AddressDialog } from '../dialogs/address-dialog.js'
import { CopyField } from '../dialogs/copy-field.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'
import { QrCode } from '../ui/qr-code.js'
import { APPS_STEP } from './known-steps.js'
import './first-use.css'

const StoreLink = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)

/** The dialog. Opening it is the step of the list of first steps. */
const AppsDialog = () => {
  const chat = useChat()
  const { realm_url = location.origin, realm_push_notifications_enabled } = chat.organization.value
  const address = ownUser(chat)?.delivery_email ?? null
  useEffect(() => {
    if (!chat.onboardingSteps.peek().has(APPS_STEP)) return
    chat.client.call('POST /users/me/onboarding_steps', { onboarding_step: APPS_STEP }).catch(() => undefined)
  }, [])
  return (
    <AddressDialog title={t('Apps for phones')}>
      <p>{t('The Zulip app works with this server. The page that you see works in the browser of a phone, too.')}</p>
      <ol class="numbered-points">
        <li>
          {t.rich('Install the app for <android>Android</android> or <ios>iPhone and iPad</ios>.', {
            android: (children) => (
              <StoreLink href="https://play.google.com/store/apps/details?id=com.zulipmobile">{children}</StoreLink>
            ),
            ios: (children) => <StoreLink href="https://apps.apple.com/app/zulip/id1203036395">{children}</StoreLink>,
          })}
        </li>
        <li>
          {t(
            'Open it, and enter the address of this organization. The code has it: scan it with the camera of the phone.',
          )}
        </li>
        <li>
          {address === null
            ? t('Log in as you do here with your password.')
            : t.rich('Log in as {address} with your password.', {}, { address: <bdi>{address}</bdi> })}
        </li>
      </ol>
      <QrCode text={realm_url} label={t('A code with the address {address}', { address: realm_url })} />
      <CopyField label={t('Address of the organization')} value={realm_url} />
      {realm_push_notifications_enabled !== true && (
        <p class="soft-text">
          {t('This server sends no notifications to phones. The app shows new messages when it is open.')}
        </p>
      )}
    </AddressDialog>
  )
}

export default AppsDialog
