/** Closes the user's account: the server deactivates it. */

import { useSignal } from '@preact/signals'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'

/** The section. Its form asks for the address of the account, so that nobody closes it by mistake. */
export const CloseAccount = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const address = ownUser(chat)?.delivery_email ?? ownUser(chat)?.email ?? ''
  const form = useForm({
    values: { address: '' },
    send: async (values) => {
      requireSame(values.address, address)
      await chat.client.call('DELETE /users/me')
    },
  })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Close the account')}</h3>
      <p class="soft-text">
        {t(
          'You are logged out everywhere, and so are your bots. Your messages stay. Only an administrator can open the account again.',
        )}
      </p>
      {isOpen.value ? (
        <>
          <TextField
            label={t('Write {address} to confirm', { address })}
            type="email"
            isRequired
            {...form.bind('address')}
          />
          <FormEnd of={form} label={t('Close my account')} isSecondary>
            <button
              type="button"
              class="button"
              onClick={() => {
                isOpen.value = false
              }}
            >
              {t('Keep it')}
            </button>
          </FormEnd>
        </>
      ) : (
        <div class="form-buttons">
          <button
            type="button"
            class="button"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {t('Close my account…')}
          </button>
        </div>
      )}
    </Form>
  )
}

const requireSame = (input: string, address: string): void => {
  if (input.trim().toLowerCase() === address.toLowerCase()) return
  throw new Error(t('This is not the address of your account, which is {address}.', { address }))
}
