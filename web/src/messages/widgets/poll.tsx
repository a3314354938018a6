/** A poll in a message: its options, and who voted for them. */

import type { Message } from '@parley/client'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatCount } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { UserNames } from '../../ui/user-name.js'
import { AddField, act, WidgetTitle } from './widget-parts.js'
import { nextNumber, type PollOption, type WidgetState } from './widget-state.js'

/** Shows a poll. */
export const Poll = ({ message, state }: { message: Message; state: Extract<WidgetState, { type: 'poll' }> }) => {
  const chat = useChat()
  const most = Math.max(1, ...state.options.map(({ voters }) => voters.size))
  const keys = state.options.map(({ key }) => key)
  return (
    <section class="widget-frame" aria-label={t('Poll')}>
      <WidgetTitle
        message={message}
        title={state.question || t('Poll')}
        label={t('Question')}
        compose={(question) => ({ type: 'question', question })}
      />
      <ul class="widget-list">
        {state.options.map((option) => (
          <PollRow key={option.key} message={message} option={option} most={most} />
        ))}
      </ul>
      <AddField
        message={message}
        label={t('Add an option')}
        compose={(option) => ({ type: 'new_option', idx: nextNumber(keys, chat.ownUserId ?? 0), option })}
      />
    </section>
  )
}

const PollRow = ({ message, option, most }: { message: Message; option: PollOption; most: number }) => {
  const chat = useChat()
  const bar = useRef<HTMLSpanElement>(null)
  const { key, text, voters } = option
  const hasVoted = chat.ownUserId !== undefined && voters.has(chat.ownUserId)
  useLayoutEffect(() => bar.current?.style.setProperty('width', `${(voters.size / most) * 100}%`), [voters.size, most])
  return (
    <li class="poll-row">
      <button
        type="button"
        class="poll-vote"
        aria-pressed={hasVoted}
        aria-label={t('Vote for {option}: {count, plural, one {# vote} other {# votes}}', {
          option: text,
          count: voters.size,
        })}
        disabled={chat.ownUserId === undefined}
        onClick={() => act(chat, message, { type: 'vote', key, vote: hasVoted ? -1 : 1 })}
      >
        {formatCount(voters.size)}
      </button>
      <div class="poll-option">
        <span class="poll-bar" ref={bar} />
        <span dir="auto">{text}</span>
        {voters.size > 0 && (
          <span class="poll-voters">
            <UserNames userIds={[...voters]} own={t('You')} />
          </span>
        )}
      </div>
    </li>
  )
}
