/** The form of the user's status: an emoji and a text, which everyone sees beside the name. */
import { useSignal } from '@preact/signals'
import { EmojiMark } from '../emoji/emoji-mark.js'
import { EmojiPicker } from '../emoji/emoji-picker.js'
import { ActionNote, useAction } from '../forms/action.js'
import { SelectField, TextField } from '../forms/fields.js'
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

/** Statuses that are offered. */
const offered = [
  { name: 'working_on_it', code: '1f6e0', text: 'Busy' },
  { name: 'calendar', code: '1f4c5', text: 'In a meeting' },
  { name: 'bus', code: '1f68c', text: 'Commuting' },
  { name: 'hurt', code: '1f915', text: 'Out sick' },
  { name: 'palm_tree', code: '1f334', text: 'Vacationing' },
  { name: 'house', code: '1f3e0', text: 'Working remotely' },
  { name: 'office', code: '1f3e2', text: 'At the office' },
].map(({ text, ...emoji }) => ({ text, emoji: { ...emoji, type: 'unicode_emoji' } }))

const MAX_STATUS_LENGTH = 60

/** The form of the status. */
export const StatusForm = () => {
  const chat = useChat()
  const action = useAction()
  const status = chat.ownUserId === undefined ? undefined : chat.statuses.value.get(chat.ownUserId)
  const text = useSignal(status?.status_text ?? '')
  const emoji = useSignal<StatusEmoji | undefined>(
    status?.emoji_name === undefined
      ? undefined
      : { name: status.emoji_name, code: status.emoji_code ?? '', type: status.reaction_type ?? '' },
  )
  const knownEnd = status?.scheduled_end_time
  const end = useSignal<StatusEnd>(knownEnd === undefined ? 'never' : 'at')
  const endAt = useSignal(formatLocal(knownEnd === undefined ? Date.now() + 3_600_000 : knownEnd * 1000))
  const save = (status_text: string, chosen: StatusEmoji | undefined) => {
    text.value = status_text
    emoji.value = chosen
    const isEmpty = status_text === '' && chosen === undefined
    if (isEmpty) end.value = 'never'
    const params = {
      status_text,
      emoji_name: chosen?.name ?? '',
      ...(chosen !== undefined && { emoji_code: chosen.code, reaction_type: chosen.type }),
      scheduled_end_time: isEmpty ? null : endTime(end.value, parseLocal(endAt.value)),
    }
    return action.run(() => chat.client.call('POST /users/me/status', params), 'Saved.')
  }
  return (
    <form
      class="dialog-form dialog-group"
      onSubmit={(event) => {
        event.preventDefault()
        void save(text.value.trim(), emoji.value)
      }}
    >
      <h3>Status</h3>
      <div class="status-fields">
        <EmojiButton
          emoji={emoji.value}
          onChange={(chosen) => {
            emoji.value = chosen
          }}
        />
        <TextField
          label="Text"
          most={MAX_STATUS_LENGTH}
          value={text.value}
          onChange={(value) => {
            text.value = value
          }}
        />
      </div>
      <div class="dialog-two-columns">
        <SelectField
          label="It ends"
          value={end.value}
          options={statusEnds}
          onChange={(value) => {
            end.value = value
          }}
        />
        {end.value === 'at' && (
          <DateTimeField
            label="Ends at"
            value={endAt.value}
            onChange={(value) => {
              endAt.value = value
            }}
          />
        )}
      </div>
      <div class="form-buttons">
        {offered.map((each) => (
          <button
            key={each.text}
            type="button"
            class="button status-suggestion"
            onClick={() => save(each.text, each.emoji)}
          >
            <EmojiMark {...each.emoji} /> {each.text}
          </button>
        ))}
      </div>
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit">
          Set the status
        </button>
        {status !== undefined && (
          <button type="button" class="button" onClick={() => save('', undefined)}>
            Clear the status
          </button>
        )}
      </div>
    </form>
  )
}

const EmojiButton = (props: { emoji: StatusEmoji | undefined; onChange: (emoji: StatusEmoji) => void }) => {
  const { emoji, onChange } = props
  const anchor = useSignal<HTMLElement | undefined>(undefined)
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label={emoji === undefined ? 'Choose an emoji' : `Change the emoji ${emoji.name.replaceAll('_', ' ')}`}
        aria-expanded={anchor.value !== undefined}
        onClick={({ currentTarget }) => {
          anchor.value = anchor.value === undefined ? currentTarget : undefined
        }}
      >
        {emoji === undefined ? <Icon name="smile" /> : <EmojiMark {...emoji} />}
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
