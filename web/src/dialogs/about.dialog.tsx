/** What the page is made of, with the licences that must be shown. */

import emojiLicence from '@infolektuell/noto-color-emoji/LICENSE?raw'
import { t } from '../languages/t.js'
import { AddressDialog } from './address-dialog.js'

/** The dialog `#about`. */
const AboutDialog = () => (
  <AddressDialog title={t('About Parley')}>
    <p>
      {t.rich('Parley is a chat server with this web client. <link>Its API</link> is that of Zulip.', {
        link: (children) => <a href="/api/docs">{children}</a>,
      })}
    </p>
    <details class="dialog-group">
      <summary>{t('Licence of the emoji font (Noto Color Emoji)')}</summary>
      <pre class="licence-text">{emojiLicence}</pre>
    </details>
  </AddressDialog>
)

export default AboutDialog
