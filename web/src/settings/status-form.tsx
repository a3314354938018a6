/** The form of the user's status: an emoji and a text, which everyone sees beside the name. */

import { useSignal } from '@preact/signals'
import { EmojiMark } from '../emoji/emoji-mark.js'
import { EmojiPicker } from '../emoji/emoji-picker.js'
import { SelectField, TextField } from '../forms/fields.js'
import { type Binding, Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { DateTimeField, formatLocal, parseLocal } from '../ui/date-time-field.js'
import { Icon } from '../ui/icon.js'
import { endTime, type StatusEnd, statusEnds } from './status-end.js'

/** The emoji of a status. */
interface StatusEmoji {
  name: string
  code: string
  type: string
  url?: string
}

interface StatusValues {
  text: string
  emoji: StatusEmoji | undefined
  end: StatusEnd
  endAt: string
}

/** Statuses that are offered. */
const offered = [
  { name: 'working_on_it', code: '1f6e0', text: t('Busy') },
  { name: 'calendar', code: '1f4c5', text: t('In a meeting') },
  { name: 'bus', code: '1f68c', text: t('Commuting') },
  { name: 'hurt', code: '1f915', text: t('Out sick') },
  { name: 'palm_tree', code: '1f334', text: t('Vacationing') },
  { name: 'house', code: '1f3e0', text: t('Working remotely') },
  { name: 'office', code: '1f3e2', text: t('At the office') },
].map(({ text, ...emoji }) => ({ text, emoji: { ...emoji, type: 'unicode_emoji' } }))

const MAX_STATUS_LENGTH = 60

/** The form of the status. */
export const StatusForm = () => {
  const chat = useChat()
  const status = chat.ownUserId === undefined ? undefined : chat.statuses.value.get(chat.ownUserId)
  const knownEnd = status?.scheduled_end_time
  const form = useForm<StatusValues>({
    values: {
      text: status?.status_text ?? '',
      emoji:
        status?.emoji_name === undefined
          ? undefined
          : { name: status.emoji_name, code: status.emoji_code ?? '', type: status.reaction_type ?? '' },
      end: knownEnd === undefined ? 'never' : 'at',
      endAt: formatLocal(knownEnd === undefined ? Date.now() + 3_600_000 : knownEnd * 1000),
    },
    send: ({ text, emoji, end, endAt }) =>
      chat.client.call('POST /users/me/status', {
        status_text: text,
        emoji_name: emoji?.name ?? '',
        ...(emoji !== undefined && { emoji_code: emoji.code, reaction_type: emoji.type }),
        scheduled_end_time: isNoStatus(text, emoji) ? null : endTime(end, parseLocal(endAt)),
      }),
    done: t('Saved.'),
  })
  const save = (text: string, emoji: StatusEmoji | undefined) => {
    form.set({ text, emoji, ...(isNoStatus(text, emoji) && { end: 'never' }) })
    return form.submit()
  }
  return (
    <Form of={form} class="dialog-form dialog-group" onSubmit={() => save(form.values.text.trim(), form.values.emoji)}>
      <h3>{t('Status')}</h3>
      <div class="status-fields">
        <EmojiButton {...form.bind('emoji')} />
        <TextField label={t('Text')} most={MAX_STATUS_LENGTH} {...form.bind('text')} />
      </div>
      <div class="dialog-two-columns">
        <SelectField label={t('It ends')} options={statusEnds} {...form.bind('end')} />
        {form.values.end === 'at' && <DateTimeField label={t('Ends at')} {...form.bind('endAt')} />}
      </div>
      <div class="form-buttons">
        {offered.map((each) => (
          <button
            key={each.text}
            type="button"
            class="button status-suggestion"
            onClick={() => save(each.text, each.emoji)}
          >
            <EmojiMark {...each.emoji} isDrawn /> {each.text}
          </button>
        ))}
      </div>
      <FormEnd of={form} label={t('Set the status')} isDisabled={false}>
        {status !== undefined && (
          <button type="button" class="button" onClick={() => save('', undefined)}>
            {t('Clear the status')}
          </button>
        )}
      </FormEnd>
    </Form>
  )
}

const isNoStatus = (text: string, emoji: StatusEmoji | undefined): boolean => text === '' && emoji === undefined

const EmojiButton = ({ value: emoji, onChange }: Binding<StatusEmoji | undefined>) => {
  const anchor = useSignal<HTMLElement | undefined>(undefined)
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label={
          emoji === undefined
            ? t('Choose an emoji')
            : t('Change the emoji {emoji}', { emoji: emoji.name.replaceAll('_', ' ') })
        }
        aria-expanded={anchor.value !== undefined}
        onClick={({ currentTarget }) => {
          anchor.value = anchor.value === undefined ? currentTarget : undefined
        }}
      >
        {emoji === undefined ? <Icon name="smile" /> : <EmojiMark {...emoji} isDrawn />}
      </button>
      {anchor.value !== undefined && (
        <EmojiPicker
          anchor={anchor.value}
          onPick={onChange}
          onClose={() => {
            anchor.value?.focus()
            anchor.value = undefined
          }}
        />
      )}
    </>
  )
}
