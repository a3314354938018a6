/** The fields that say where a new message goes: a channel and a topic, or users. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useChat } from '../realm/chat.js'
import { topicName, userName } from '../realm/names.js'
import { Icon } from '../ui/icon.js'
import { optionId, SuggestionList, steer } from '../ui/suggestion-list.js'
import { TextLimit } from '../ui/text-limit.js'
import type { Target } from './compose-target.js'
import { findTopics, findUsers } from './suggestions.js'

interface TargetFormProps {
  target: Target
  onChange: (target: Target) => void
}

const MAX_SUGGESTIONS = 6

/** Shows the fields. */
export const TargetForm = ({ target, onChange }: TargetFormProps) => {
  const name = useId()
  return (
    <div class="target-form">
      <fieldset class="target-kinds">
        <legend class="only-for-screen-readers">Send to</legend>
        <label>
          <input
            type="radio"
            name={name}
            checked={target.kind === 'topic'}
            onChange={() => onChange({ kind: 'topic', channelId: undefined, topic: '' })}
          />
          Channel
        </label>
        <label>
          <input
            type="radio"
            name={name}
            checked={target.kind === 'direct'}
            onChange={() => onChange({ kind: 'direct', userIds: [] })}
          />
          Direct message
        </label>
      </fieldset>
      {target.kind === 'topic' ? (
        <TopicFields target={target} onChange={onChange} />
      ) : (
        <UserField userIds={target.userIds} onChange={(userIds) => onChange({ kind: 'direct', userIds })} />
      )}
    </div>
  )
}

const TopicFields = ({
  target,
  onChange,
}: {
  target: Extract<Target, { kind: 'topic' }>
  onChange: (target: Target) => void
}) => {
  const chat = useChat()
  const channels = [...chat.subscriptions.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .sort((one, other) => one.name.localeCompare(other.name))
  const topics = target.channelId === undefined ? [] : findTopics(chat, target.channelId, target.topic)
  return (
    <>
      <select
        class="text-field target-channel"
        aria-label="Channel"
        {...(target.channelId === undefined && { 'data-first-field': '' })}
        value={target.channelId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...target, channelId: value === '' ? undefined : Number(value) })
        }
      >
        <option value="">Choose a channel</option>
        {channels.map(({ stream_id, name }) => (
          <option key={stream_id} value={stream_id}>
            #{name}
          </option>
        ))}
      </select>
      <SuggestField
        label="Topic"
        placeholder={`Topic (${topicName(chat, '')})`}
        value={target.topic}
        most={chat.organization.value.max_topic_length}
        isFirst={target.channelId !== undefined}
        items={topics.filter((topic) => topic !== target.topic).slice(0, MAX_SUGGESTIONS)}
        keyOf={(topic) => topic}
        render={(topic) => <span class="suggestion-label">{topicName(chat, topic)}</span>}
        onInput={(topic) => onChange({ ...target, topic })}
        onPick={(topic) => onChange({ ...target, topic })}
      />
    </>
  )
}

const UserField = ({
  userIds,
  onChange,
}: {
  userIds: readonly number[]
  onChange: (userIds: readonly number[]) => void
}) => {
  const chat = useChat()
  const query = useSignal('')
  const found =
    query.value === '' ? [] : findUsers(chat, query.value).filter(({ user_id: id }) => !userIds.includes(id))
  return (
    <div class="target-users">
      {userIds.map((id) => (
        <span key={id} class="target-user">
          {userName(chat, id)}
          <button
            type="button"
            aria-label={`Remove ${userName(chat, id)}`}
            onClick={() => onChange(userIds.filter((other) => other !== id))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <SuggestField
        label="Recipients"
        placeholder="Add a person"
        value={query.value}
        isFirst
        items={found.slice(0, MAX_SUGGESTIONS)}
        keyOf={({ user_id }) => String(user_id)}
        render={({ full_name, delivery_email }) => (
          <>
            <span class="suggestion-label">{full_name}</span>
            <span class="suggestion-detail">{delivery_email}</span>
          </>
        )}
        onInput={(text) => {
          query.value = text
        }}
        onPick={({ user_id }) => {
          query.value = ''
          onChange([...userIds, user_id])
        }}
      />
    </div>
  )
}

interface SuggestFieldProps<Item> {
  label: string
  placeholder: string
  value: string
  /** the most characters of the text */
  most?: number | undefined
  /** gets the focus when the form opens */
  isFirst: boolean
  items: readonly Item[]
  keyOf: (item: Item) => string
  render: (item: Item) => ComponentChildren
  onInput: (value: string) => void
  onPick: (item: Item) => void
}

/** A field of one line with completions. */
const SuggestField = <Item,>(props: SuggestFieldProps<Item>) => {
  const { label, placeholder, value, most, isFirst, items, keyOf, render, onInput, onPick } = props
  const isOpen = useSignal(false)
  const chosen = useSignal(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isShown = isOpen.value && items.length > 0
  const pick = (item: Item) => {
    isOpen.value = false
    onPick(item)
  }
  return (
    <div class="suggest-field">
      <input
        class="text-field"
        ref={field}
        dir="auto"
        role="combobox"
        autoComplete="off"
        aria-label={label}
        aria-describedby={most === undefined ? undefined : `${id}-limit`}
        aria-expanded={isShown}
        aria-controls={id}
        aria-activedescendant={isShown ? optionId(id, chosen.value) : undefined}
        placeholder={placeholder}
        value={value}
        {...(isFirst && { 'data-first-field': '' })}
        onInput={(event) => {
          isOpen.value = true
          chosen.value = 0
          onInput(event.currentTarget.value)
        }}
        onBlur={() => {
          isOpen.value = false
        }}
        onKeyDown={(event) => {
          if (!isShown) return
          const action = steer(event.key, chosen.value, items.length)
          if (action === undefined) return
          event.preventDefault()
          if (typeof action === 'number') chosen.value = action
          else if (action === 'close') isOpen.value = false
          else pick(items[Math.min(chosen.value, items.length - 1)] as Item)
        }}
      />
      {most !== undefined && <TextLimit id={`${id}-limit`} field={field} text={value.trim()} most={most} />}
      {isShown && (
        <SuggestionList
          id={id}
          label={label}
          items={items}
          chosen={chosen.value}
          keyOf={keyOf}
          render={render}
          onPick={pick}
        />
      )}
    </div>
  )
}
