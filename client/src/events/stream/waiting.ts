/** The states in which a stream has no connection and waits: for its next attempt, or for its reader. */
import { type Activity, pause, untilInterrupted } from '../activity.js'
import type { StateActivity, StreamEvent } from './states.js'
import { MAX_WAITING, type Stream } from './stream.js'

/** Waits before the next attempt, unless it is interrupted. */
export const enterWaitingForAttempt = (milliseconds: number): StateActivity => {
  const waiting = pause(milliseconds)
  return { ...waiting, ended: waiting.ended.then((): StreamEvent => ({ name: 'attemptDue' })) }
}

/** Waits until half of the events that may wait are taken. Another page leads meanwhile, if there is one. */
export const enterWaitingForReader = (stream: Stream): StateActivity => {
  const { pages, mailbox } = stream
  let reading: Activity<void> | undefined
  const noteTaken = () => {
    if (mailbox.size <= MAX_WAITING / 2) reading?.interrupt()
  }
  const waitForReader = async (): Promise<StreamEvent> => {
    if (pages?.leads === true && !(await pages.isAlone())) pages.yield()
    reading = untilInterrupted()
    noteTaken()
    await reading.ended
    return { name: 'readerTook' }
  }
  return { ended: waitForReader(), interrupt: () => reading?.interrupt(), noteTaken }
}
