/** Decides what the page shows: the log-in view, or the chat of the user or the visitor. */

import { ApiError } from '@parley/client'
import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { LogIn } from '../log-in/log-in.js'
import { codePlaygrounds } from '../messages/rendered/playgrounds.js'
import { type Chat, ChatContext } from '../realm/chat.js'
import { openChat } from '../realm/open-chat.js'
import { leaveSession, resumeSession, type Session, session } from '../session/session.js'
import { followAppearance } from '../theme/appearance.js'
import { uses24Hours } from '../ui/times.js'
import { ChatPage } from './chat-page.js'

const chat = signal<Chat | undefined>(undefined)
const failure = signal('')

/** The whole page. */
export const App = () => {
  const current = session.value
  const { state } = current
  useEffect(() => {
    if (state === 'unknown') {
      resumeSession().catch(showFailure)
      return
    }
    if (state === 'logged-out') return
    return connect(current, state)
  }, [current])
  if (failure.value !== '') return <Failure message={failure.value} />
  if (state === 'logged-out') return <LogIn />
  if (chat.value === undefined) return <Opening />
  return (
    <ChatContext.Provider value={chat.value}>
      <ChatPage />
    </ChatContext.Provider>
  )
}

/** Opens the chat of a session; the returned function closes it. */
const connect = (current: Session, state: 'user' | 'visitor'): (() => void) => {
  let isCurrent = true
  let stopDrawing = () => {}
  let stopAppearance = () => {}
  openChat(state, (reason) => showEnd(current, reason)).then((opened) => {
    if (!isCurrent) return opened.close()
    stopDrawing = effect(() => {
      uses24Hours.value = opened.settings.value.twenty_four_hour_time === true
      codePlaygrounds.value = opened.organization.value.realm_playgrounds ?? []
    })
    stopAppearance = followAppearance(opened)
    chat.value = opened
  }, showFailure)
  return () => {
    isCurrent = false
    stopDrawing()
    stopAppearance()
    chat.value?.close()
    chat.value = undefined
  }
}

/** The events have ended: without a session the user logs in again, after anything else the page is loaded again. */
const showEnd = (ended: Session, reason: Error): void => {
  if (reason instanceof ApiError && reason.status === 401) leaveSession(ended).catch(showFailure)
  else showFailure(reason)
}

const showFailure = (error: Error): void => {
  failure.value = error.message
}

const Opening = () => (
  <main class="opening-page" aria-busy="true">
    <p class="soft-text">{t('Opening…')}</p>
  </main>
)

const Failure = ({ message }: { message: string }) => (
  <main class="opening-page">
    <h1>{t('The page cannot be opened')}</h1>
    <p role="alert">{message}</p>
    <button type="button" class="button button-primary" onClick={() => location.reload()}>
      {t('Try again')}
    </button>
  </main>
)
