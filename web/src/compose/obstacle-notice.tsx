/** Why the user cannot write here, in the place of the text field. */

import type { Channel } from '@parley/client/realm'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import type { Obstacle } from '../realm/posting.js'
import { say, succeeds } from '../ui/status-line.js'
import { focusCompose } from './compose-target.js'

interface ObstacleNoticeProps {
  obstacle: Obstacle
  /** lets the user write without joining, where that is permitted */
  onWrite?: () => void
}

/** Shows the reason, and the way out. */
export const ObstacleNotice = ({ obstacle: { text, join, isAdvice }, onWrite }: ObstacleNoticeProps) => {
  const chat = useChat()
  const enter = async ({ name }: Channel) => {
    const isJoined = await succeeds(chat.client.call('POST /users/me/subscriptions', { subscriptions: [{ name }] }))
    if (!isJoined) return
    say({ text: t('You joined {channel}.', { channel: `#${name}` }) })
    focusCompose()
  }
  return (
    <div class="compose-obstacle">
      <p class="compose-obstacle-text" role="status">
        {text}
      </p>
      {join !== undefined && (
        <button
          type="button"
          class="button button-primary"
          data-first-field=""
          aria-label={t('Join {channel}', { channel: join.name })}
          onClick={() => enter(join)}
        >
          {t('Join')}
        </button>
      )}
      {isAdvice === true && onWrite !== undefined && (
        <button type="button" class="button" onClick={onWrite}>
          {t('Write without joining')}
        </button>
      )}
    </div>
  )
}
