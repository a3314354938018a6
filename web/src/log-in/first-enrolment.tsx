/** The second half of a log-in to an account that must have a second factor: its user sets one up. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { beginEnrolment, confirmEnrolment, enter } from '../session/session.js'
import { ConfirmApp, type Enrolment, NewCodes } from './set-up-app.js'

/** The form, then the recovery codes. */
export const FirstEnrolment = () => {
  const action = useAction()
  const begun = useSignal<Enrolment | undefined>(undefined)
  const codes = useSignal<readonly string[]>([])
  useEffect(() => {
    void action.run(async () => {
      begun.value = await beginEnrolment()
    })
  }, [])
  const confirm = async (enrolment: string, code: string) => {
    codes.value = await confirmEnrolment(enrolment, code)
  }
  return (
    <section class="log-in-form" aria-labelledby="first-enrolment">
      <h2 id="first-enrolment" class="log-in-part">
        {t('Your organization asks for a second factor.')}
      </h2>
      {codes.value.length > 0 ? (
        <NewCodes codes={codes.value} onStored={enter} />
      ) : (
        <>
          <p class="soft-text">
            {t('Install an app for one-time codes (TOTP) on your phone. From now on, a log-in also asks for its code.')}
          </p>
          <ActionStatus action={action} />
          {begun.value !== undefined && <ConfirmApp enrolment={begun.value} onConfirm={confirm} />}
        </>
      )}
    </section>
  )
}
