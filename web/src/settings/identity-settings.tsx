/** The accounts of providers with which the user logs in: linked and unlinked here. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { formatMoment } from '../ui/times.js'

type Identities = Result<'GET /users/me/identities'>

/** The page "Linked accounts". */
export const IdentitySettings = () => {
  const { client } = useChat()
  const action = useAction()
  const loaded = useSignal<Identities | undefined>(undefined)
  const load = async () => {
    loaded.value = await client.call('GET /users/me/identities')
  }
  useEffect(() => {
    void action.run(load)
  }, [])
  const { identities = [], methods = [] } = loaded.value ?? {}
  const unlink = async (method: string) => {
    await client.call('DELETE /users/me/identities/{method}', { method })
    await load()
  }
  const link = async (provider: string) => {
    const { url } = await client.call('POST /users/me/identities', { provider }, { over: 'http' })
    location.assign(url)
  }
  const others = methods.filter(({ key }) => !identities.some(({ method }) => method === key))
  return (
    <>
      <p class="soft-text">{t('Accounts of other servers with which you log in here.')}</p>
      {loaded.value !== undefined && identities.length === 0 && (
        <p class="soft-text">{t('No account is linked yet.')}</p>
      )}
      <ul class="dialog-rows" aria-label={t('Linked accounts')}>
        {identities.map(({ method, name, email, last_used_at }) => (
          <li key={method} class="dialog-row">
            <div class="dialog-row-main">
              <p class="dialog-row-title">
                <bdi>{name}</bdi>
              </p>
              <p class="soft-text">
                <bdi>{email}</bdi> {t('Last used {time}', { time: formatMoment(new Date(last_used_at * 1000)) })}
              </p>
            </div>
            <ConfirmButton
              label={t('Unlink')}
              confirmLabel={t('Unlink {name} now', { name })}
              onConfirm={() => action.run(() => unlink(method), t('The account was unlinked.'))}
            />
          </li>
        ))}
      </ul>
      <ActionStatus action={action} />
      <div class="form-buttons">
        {others.map(({ key, name }) => (
          <button key={key} type="button" class="button" onClick={() => action.run(() => link(key))}>
            {t('Link {name}', { name })}
          </button>
        ))}
      </div>
    </>
  )
}
