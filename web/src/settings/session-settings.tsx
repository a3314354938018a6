/** The browsers in which the account is logged in, and buttons to log them out. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { endSession } from '../session/session.js'
import { formatMoment } from '../ui/times.js'
import { describeBrowser } from './describe-browser.js'

type Session = Result<'GET /sessions'>['sessions'][number]

/** The page "Browsers". */
export const SessionSettings = () => {
  const chat = useChat()
  const action = useAction()
  const sessions = useSignal<Session[] | undefined>(undefined)
  const fetchSessions = async () => {
    sessions.value = (await chat.client.call('GET /sessions')).sessions
  }
  const end = async (ended: readonly Session[]) => {
    for (const { id } of ended) await chat.client.call('DELETE /sessions/{session_id}', { session_id: id })
    await fetchSessions()
  }
  useEffect(() => {
    void action.run(fetchSessions)
  }, [])
  const others = sessions.value?.filter(({ is_current }) => !is_current) ?? []
  return (
    <>
      <p class="soft-text">
        {t('The browsers in which you are logged in. A browser that is ended is logged out at once.')}
      </p>
      <ActionStatus action={action} />
      <ul class="dialog-rows">
        {sessions.value?.map((session) => (
          <SessionLine
            key={session.id}
            session={session}
            isBusy={action.state.value.isBusy}
            onEnd={() => action.run(() => end([session]), t('Ended.'))}
          />
        ))}
      </ul>
      <div class="form-buttons">
        {others.length > 0 && (
          <button
            type="button"
            class="button"
            disabled={action.state.value.isBusy}
            onClick={() => action.run(() => end(others), t('All other browsers were logged out.'))}
          >
            {t('End all others')}
          </button>
        )}
        <button type="button" class="button" onClick={() => action.run(endSession)}>
          {t('Log out of this browser')}
        </button>
      </div>
    </>
  )
}

interface SessionLineProps {
  session: Session
  isBusy: boolean
  onEnd: () => void
}

const SessionLine = ({ session, isBusy, onEnd }: SessionLineProps) => {
  const name = describeBrowser(session.user_agent)
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="dialog-row-title">
          {name}
          {session.is_current && <span class="soft-text"> {t('(this browser)')}</span>}
        </p>
        <p class="soft-text">
          {t('{address} · last used {lastUse} · since {begin}', {
            address: session.ip,
            lastUse: formatMoment(new Date(session.last_used_at * 1000)),
            begin: formatMoment(new Date(session.created_at * 1000)),
          })}
        </p>
      </div>
      {!session.is_current && (
        <button
          type="button"
          class="button"
          aria-label={t('End {browser}', { browser: name })}
          disabled={isBusy}
          onClick={onEnd}
        >
          {t('End')}
        </button>
      )}
    </li>
  )
}
