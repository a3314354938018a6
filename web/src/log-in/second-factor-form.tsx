/** The second half of a log-in: the form that asks for a code. */
import { useEffect, useRef } from 'preact/hooks'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { endWithCode, secondHalf } from '../session/session.js'
import { CodeField } from './code-field.js'

/** The form. It takes the place of the one for the password, and so the focus. */
export const SecondFactorForm = () => {
  const form = useForm({ values: { code: '' }, send: ({ code }) => endWithCode(code) })
  const part = useRef<HTMLElement>(null)
  useEffect(() => part.current?.querySelector('input')?.focus(), [])
  return (
    <section ref={part} aria-labelledby="second-factor">
      <h2 id="second-factor" class="log-in-part">
        {t('Your account has a second factor.')}
      </h2>
      <Form of={form} class="log-in-form">
        <CodeField {...form.bind('code')} />
        <FormEnd of={form} label={t('Log in')}>
          <button
            type="button"
            class="button"
            onClick={() => {
              secondHalf.value = undefined
            }}
          >
            {t('Back')}
          </button>
        </FormEnd>
        <p class="soft-text">
          {t(
            'Without your app and your recovery codes, ask an administrator of the organization to end the second factor.',
          )}
        </p>
      </Form>
    </section>
  )
}
