/** The user's bots: making them, their keys, and deactivating them. */

import type { User } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { CopyField } from '../dialogs/copy-field.js'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { SelectField, TextField } from '../forms/fields.js'
import { Form, SubmitButton, useForm } from '../forms/form.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, mayInOrganization } from '../realm/permissions.js'
import { Avatar } from '../ui/avatar.js'

/** The types of bots, as the API numbers them. */
const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const

const typeNames: Readonly<Record<number, string>> = {
  [BotType.generic]: t('Program with the rights of a member'),
  [BotType.incomingWebhook]: t('Program that only sends messages'),
  [BotType.outgoingWebhook]: t('Server that is called when the bot is mentioned'),
}

/** The page "Bots". */
export const BotSettings = () => {
  const chat = useChat()
  const action = useAction()
  const bots = [...chat.users.value.values()]
    .filter(({ is_bot, bot_owner_id }) => is_bot && bot_owner_id === chat.ownUserId)
    .sort((one, other) => compareTexts(one.full_name, other.full_name))
  const types = [
    ...(mayInOrganization(chat, 'can_create_bots_group') ? [BotType.generic, BotType.outgoingWebhook] : []),
    ...(mayInOrganization(chat, 'can_create_write_only_bots_group') ? [BotType.incomingWebhook] : []),
  ]
  return (
    <>
      {bots.length === 0 && <p class="soft-text">{t('You have no bots.')}</p>}
      <ul class="dialog-rows" aria-label={t('Your bots')}>
        {bots.map((bot) => (
          <BotLine key={bot.user_id} bot={bot} action={action} />
        ))}
      </ul>
      <ActionStatus action={action} />
      {types.length > 0 && <CreateBot types={types} />}
    </>
  )
}

const BotLine = ({ bot, action }: { bot: User; action: Action }) => {
  const chat = useChat()
  const key = useSignal('')
  const { user_id, full_name, email, is_active } = bot
  const showKey = () =>
    action.run(async () => {
      const { bots } = await chat.client.call('GET /bots')
      key.value = bots.find(({ username }) => username === email)?.api_key ?? ''
    })
  const renew = () =>
    action.run(async () => {
      key.value = (await chat.client.call('POST /bots/{bot_id}/api_key/regenerate', { bot_id: user_id })).api_key
    }, t('The former key is not valid any more.'))
  const deactivate = () =>
    action.run(
      () => chat.client.call('DELETE /bots/{bot_id}', { bot_id: user_id }),
      t('{name} is deactivated.', { name: full_name }),
    )
  const reactivate = () =>
    action.run(
      () => chat.client.call('POST /users/{user_id}/reactivate', { user_id }),
      t('{name} is active again.', { name: full_name }),
    )
  return (
    <li class="bot-entry">
      <div class="people-line">
        <Avatar user={bot} size="small" />
        <a href={`#user/${user_id}`}>
          <bdi>{full_name}</bdi>
        </a>
        <span class="soft-text">{is_active ? '' : t('Deactivated')}</span>
      </div>
      <p class="soft-text">
        {email} · {typeNames[bot.bot_type ?? BotType.generic]}
      </p>
      {is_active && key.value !== '' && <CopyField label={t('Key of {name}', { name: full_name })} value={key.value} />}
      {/* biome-ignore lint/a11y/useSemanticElements: A fieldset has a border and a legend. */}
      <div class="form-buttons" role="group" aria-label={full_name}>
        {is_active && key.value === '' && (
          <button type="button" class="button" onClick={showKey}>
            {t('Show the key')}
          </button>
        )}
        {is_active && (
          <>
            <ConfirmButton label={t('Make a new key')} confirmLabel={t('Replace the key now')} onConfirm={renew} />
            <ConfirmButton label={t('Deactivate')} confirmLabel={t('Deactivate it now')} onConfirm={deactivate} />
          </>
        )}
        {!is_active && isAdministrator(chat) && (
          <button type="button" class="button" onClick={reactivate}>
            {t('Reactivate')}
          </button>
        )}
      </div>
    </li>
  )
}

/** The longest name, in characters. */
const MAX_NAME_LENGTH = 100

const CreateBot = ({ types }: { types: readonly number[] }) => {
  const chat = useChat()
  const created = useSignal<{ name: string; key: string } | undefined>(undefined)
  const form = useForm({
    values: { name: '', shortName: '', type: types[0] ?? BotType.generic, address: '' },
    send: async ({ name, shortName, type, address }) => {
      const { api_key } = await chat.client.call('POST /bots', {
        full_name: name.trim(),
        short_name: shortName.trim(),
        bot_type: type,
        ...(type === BotType.outgoingWebhook && {
          payload_url: JSON.stringify(address.trim()),
          service_name: shortName.trim(),
        }),
      })
      created.value = { name: name.trim(), key: api_key }
    },
    done: ({ name }) => t('{name} was created.', { name: name.trim() }),
    renews: ['name', 'shortName'],
  })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('A new bot')}</h3>
      <div class="dialog-two-columns">
        <TextField label={t('Name of the bot')} isRequired most={MAX_NAME_LENGTH} {...form.bind('name')} />
        <TextField
          label={t('Short name')}
          hint={t('The first part of its address.')}
          isRequired
          {...form.bind('shortName')}
        />
      </div>
      <SelectField
        label={t('Kind')}
        options={types.map((value) => ({ value, label: typeNames[value] ?? '' }))}
        {...form.bind('type')}
      />
      {form.values.type === BotType.outgoingWebhook && (
        <TextField label={t('Address of the server')} type="url" isRequired {...form.bind('address')} />
      )}
      <ActionStatus action={form.action} />
      {created.value !== undefined && (
        <CopyField label={t('Key of the new bot {name}', { name: created.value.name })} value={created.value.key} />
      )}
      <div class="form-buttons">
        <SubmitButton of={form} label={t('Create the bot')} />
      </div>
    </Form>
  )
}
