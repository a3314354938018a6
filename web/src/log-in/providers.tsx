/**
 * Buttons that lead to the providers with whose accounts users log in.
 *
 * A desktop app shows this page without the browser in which the user is logged in at the provider. So the log-in goes
 * on in that browser, and the user carries a text back. Only this page knows the key that decrypts it.
 */

import { useSignal } from '@preact/signals'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { type ExternalMethod, logInWithToken } from '../session/session.js'

/** The buttons. */
export const Providers = ({ methods }: { methods: readonly ExternalMethod[] }) => {
  const pad = useSignal<string | undefined>(undefined)
  if (methods.length === 0) return null
  if (!/Electron/.test(navigator.userAgent)) {
    return (
      <div class="log-in-form">
        {methods.map(({ name, display_name, login_url }) => (
          <a key={name} class="button log-in-provider" href={login_url}>
            {t('Log in with {provider}', { provider: display_name })}
          </a>
        ))}
      </div>
    )
  }
  const open = (login_url: string) => {
    const bytes = crypto.getRandomValues(new Uint8Array(PAD_BYTES))
    pad.value = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    window.open(`${login_url}?desktop_flow_otp=${pad.value}`, '_blank', 'noopener')
  }
  return (
    <div class="log-in-form">
      {methods.map(({ name, display_name, login_url }) => (
        <button key={name} type="button" class="button log-in-provider" onClick={() => open(login_url)}>
          {t('Log in with {provider}', { provider: display_name })}
        </button>
      ))}
      {pad.value !== undefined && <CarriedText pad={pad.value} />}
    </div>
  )
}

const PAD_BYTES = 32
const NONCE_BYTES = 12

/** The field for the text that the browser shows after the log-in. */
const CarriedText = ({ pad }: { pad: string }) => {
  const form = useForm({
    values: { text: '' },
    send: async ({ text }) => logInWithToken(await decrypt(pad, text)),
  })
  return (
    <Form of={form}>
      <TextField
        label={t('Text from the browser')}
        hint={t('Log in in the browser that has opened. Then paste here the text that it shows.')}
        isRequired
        {...form.bind('text')}
      />
      <FormEnd of={form} label={t('Go on')} />
    </Form>
  )
}

const readHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

/** Decrypts the text. Throws an Error in words for the user. */
const decrypt = async (pad: string, text: string): Promise<string> => {
  const bytes = readHex(text.trim())
  try {
    const key = await crypto.subtle.importKey('raw', readHex(pad), 'AES-GCM', false, ['decrypt'])
    const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, NONCE_BYTES) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(NONCE_BYTES)))
  } catch (cause) {
    throw new Error(t('This is not the text that the browser shows. Copy all of it.'), { cause })
  }
}
