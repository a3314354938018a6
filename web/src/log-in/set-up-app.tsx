/** The parts of setting a second factor up, which the settings and the log-in show alike. */
import { CopyField } from '../dialogs/copy-field.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { QrCode } from '../ui/qr-code.js'
import './second-factor.css'

/** What the server gives for the app. */
export interface Enrolment {
  secret: string
  uri: string
  enrolment: string
}

/** What the app reads, and the field for its first code. */
export const ConfirmApp = ({
  enrolment: { secret, uri, enrolment },
  onConfirm,
}: {
  enrolment: Enrolment
  onConfirm: (enrolment: string, code: string) => Promise<unknown>
}) => {
  const form = useForm({ values: { code: '' }, send: ({ code }) => onConfirm(enrolment, code) })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Set up an app')}</h3>
      <p>{t('Read this code with the app, or type the key into it.')}</p>
      <QrCode text={uri} label={t('Code for the app')} />
      <CopyField label={t('Key for the app')} value={secret} />
      <TextField
        label={t('Code')}
        hint={t('The six digits that the app shows now.')}
        autocomplete="one-time-code"
        isRequired
        {...form.bind('code')}
      />
      <FormEnd of={form} label={t('Confirm')} />
    </Form>
  )
}

/** New recovery codes, until the user says that they are stored. */
export const NewCodes = ({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) => (
  <section class="dialog-group" aria-labelledby="recovery-codes">
    <h3 id="recovery-codes">{t('Your recovery codes')}</h3>
    <p>
      {t(
        'Store them where you find them without your phone: on paper, or in a password manager. They are shown only now. Each of them logs you in once if you lose your app.',
      )}
    </p>
    <ol class="recovery-codes" dir="ltr">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
    <CopyField label={t('All recovery codes')} value={codes.join(' ')} />
    <div class="form-buttons">
      <button type="button" class="button button-primary" onClick={onStored}>
        {t('I have stored them')}
      </button>
    </div>
  </section>
)
