/** What the page is made of, with the licences that must be shown. */
import emojiLicence from '@infolektuell/noto-color-emoji/LICENSE?raw'
import { AddressDialog } from './address-dialog.js'

/** The dialog `#about`. */
const AboutDialog = () => (
  <AddressDialog title="About Parley">
    <p>
      Parley is a chat server with this web client. <a href="/api/docs">Its API</a> is that of Zulip.
    </p>
    <details class="dialog-group">
      <summary>Licence of the emoji font (Noto Color Emoji)</summary>
      <pre class="licence-text">{emojiLicence}</pre>
    </details>
  </AddressDialog>
)

export default AboutDialog
