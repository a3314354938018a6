/** Leads a stream from state to state. */
import { closeStream } from './closing.js'
import { enterFollowing } from './following.js'
import { enterReading } from './reading.js'
import { enterRegistering } from './registering.js'
import type { State, StateActivity, StreamEvent } from './states.js'
import { isClosed, publishStatus, type Stream } from './stream.js'
import { findNextState } from './transitions.js'
import { enterWaitingForAttempt, enterWaitingForReader } from './waiting.js'

/** Runs a stream until it is closed. A state begins when the one before has ended. */
export const runStream = async (stream: Stream): Promise<void> => {
  let state: State = { name: 'registering' }
  let event: StreamEvent | undefined
  while (!isClosed(stream)) {
    if (state.name === 'closed') return closeStream(stream, state.error)
    if (state.name === 'withoutEvents') {
      return publishStatus(stream, 'closed', { reason: 'Without an account, no events are received.' })
    }
    // A registration is the first part of connecting.
    if (state.name !== 'waitingForAttempt' && event?.name !== 'registered') publishStatus(stream, 'connecting')
    if (isClosed(stream)) return
    stream.current = enterState(stream, state)
    if (state.name === 'waitingForAttempt') {
      publishStatus(stream, 'waiting', { retryAt: Date.now() + state.milliseconds, reason: state.reason })
    }
    event = await stream.current.ended
    stream.current = undefined
    state = findNextState(stream, event)
  }
}

/** Begins what a stream does in a state. */
const enterState = (stream: Stream, state: Exclude<State, { name: 'closed' | 'withoutEvents' }>): StateActivity => {
  switch (state.name) {
    case 'registering':
      return enterRegistering(stream)
    case 'reading':
      return enterReading(stream, state.after)
    case 'following':
      return enterFollowing(stream, state.after)
    case 'waitingForAttempt':
      return enterWaitingForAttempt(state.milliseconds)
    case 'waitingForReader':
      return enterWaitingForReader(stream)
  }
}
