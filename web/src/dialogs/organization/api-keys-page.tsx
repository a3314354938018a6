/** The API keys with a name of all accounts, and buttons with which administrators end them. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { describeKey } from '../../settings/api-key-texts.js'
import { ConfirmButton } from '../confirm-button.js'

type Loaded = Result<'GET /realm/api_keys'>

const PAGE_SIZE = 100

/** The page "API keys" of the organization. */
export const ApiKeysPage = () => {
  const chat = useChat()
  const action = useAction()
  const loaded = useSignal<Loaded | undefined>(undefined)
  const loadMore = async () => {
    const shown = loaded.value?.api_keys ?? []
    const next = await chat.client.call('GET /realm/api_keys', { after: shown.at(-1)?.id ?? 0, limit: PAGE_SIZE })
    loaded.value = { ...next, api_keys: [...shown, ...next.api_keys] }
  }
  const end = async (key_id: number) => {
    await chat.client.call('DELETE /realm/api_keys/{key_id}', { key_id })
    const { value } = loaded
    if (value !== undefined) loaded.value = { ...value, api_keys: value.api_keys.filter(({ id }) => id !== key_id) }
  }
  useEffect(() => {
    void action.run(loadMore)
  }, [])
  const { api_keys = [], has_more = false } = loaded.value ?? {}
  return (
    <>
      <p class="soft-text">
        {t('Further keys that users have made for programs. A key that is ended stops working at once.')}
      </p>
      <ActionStatus action={action} />
      {loaded.value !== undefined && api_keys.length === 0 && <p class="soft-text">{t('Nobody has further keys.')}</p>}
      <ul class="dialog-rows" aria-label={t('API keys')}>
        {api_keys.map((key) => {
          const owner = chat.users.value.get(key.user_id)?.full_name ?? ''
          return (
            <li class="dialog-row" key={key.id}>
              <div class="dialog-row-main">
                <p class="dialog-row-title">{t('{name} of {owner}', { name: key.name, owner })}</p>
                <p class="soft-text">{describeKey(key)}</p>
              </div>
              <ConfirmButton
                label={t('End {name}', { name: key.name })}
                confirmLabel={t('End {name} now', { name: key.name })}
                onConfirm={() => action.run(() => end(key.id), t('The key was ended.'))}
              />
            </li>
          )
        })}
      </ul>
      {has_more && (
        <button type="button" class="button" disabled={action.state.value.isBusy} onClick={() => action.run(loadMore)}>
          {t('Show more')}
        </button>
      )}
    </>
  )
}
