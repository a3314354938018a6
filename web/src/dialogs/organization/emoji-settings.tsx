/** The emoji of the organization: everyone sees them, and users with the permission add some. */

import type { CustomEmoji } from '@parley/client/realm'
import { useRef } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { isAdministrator, mayInOrganization } from '../../realm/permissions.js'
import { ConfirmButton } from '../confirm-button.js'

/** The page "Custom emoji". */
export const EmojiSettings = () => {
  const chat = useChat()
  const action = useAction()
  const emoji = [...chat.emoji.value.values()]
    .filter(({ deactivated }) => !deactivated)
    .sort((one, other) => compareTexts(one.name, other.name))
  return (
    <>
      {mayInOrganization(chat, 'can_add_custom_emoji_group') && <AddEmoji />}
      <ActionStatus action={action} />
      {emoji.length === 0 && <p class="soft-text">{t('There are no custom emoji yet.')}</p>}
      <ul class="dialog-rows" aria-label={t('Custom emoji')}>
        {emoji.map((one) => (
          <EmojiLine key={one.id} emoji={one} action={action} />
        ))}
      </ul>
    </>
  )
}

const EmojiLine = ({ emoji: { name, source_url, author_id }, action }: { emoji: CustomEmoji; action: Action }) => {
  const chat = useChat()
  const remove = () => chat.client.call('DELETE /realm/emoji/{emoji_name}', { emoji_name: name })
  return (
    <li class="dialog-row">
      <img class="custom-emoji" src={source_url} alt="" loading="lazy" />
      <div class="dialog-row-main">
        <p class="dialog-row-title">:{name}:</p>
        {author_id !== null && (
          <p class="soft-text one-line">
            {t.rich('Added by {name}', {}, { name: <bdi>{userName(chat, author_id)}</bdi> })}
          </p>
        )}
      </div>
      {(isAdministrator(chat) || author_id === chat.ownUserId) && (
        <ConfirmButton
          label={t('Deactivate')}
          confirmLabel={t('Deactivate :{name}: now', { name })}
          onConfirm={() => action.run(remove, t(':{name}: is deactivated. Messages that have it keep it.', { name }))}
        />
      )}
    </li>
  )
}

const AddEmoji = () => {
  const chat = useChat()
  const input = useRef<HTMLInputElement>(null)
  const form = useForm({
    values: { name: '' },
    send: async ({ name }) => {
      // The field requires a file, so the browser does not submit the form without one.
      const file = input.current?.files?.[0] as File
      await chat.client.upload(file, { path: `/realm/emoji/${encodeURIComponent(name.trim())}` })
      if (input.current !== null) input.current.value = ''
    },
    done: t('The emoji was added.'),
    renews: 'all',
  })
  return (
    <Form of={form}>
      <div class="dialog-two-columns">
        <TextField
          label={t('Name of the emoji')}
          hint={t('Small letters, digits, dashes and underscores.')}
          isRequired
          {...form.bind('name')}
        />
        <label class="form-field">
          <span class="field-label">{t('Picture')}</span>
          <input
            ref={input}
            class="text-field"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            required
          />
        </label>
      </div>
      <FormEnd of={form} label={t('Add the emoji')} />
    </Form>
  )
}
