/** The state in which another page has the connection, and tells this one what it receives. */
import type { Cursor } from '../connection.js'
import { createDeferred } from '../deferred.js'
import { followPage } from '../follow.js'
import { deleteQueue } from './closing.js'
import type { StateActivity, StreamEvent } from './states.js'
import { MAX_WAITING, receive, type Stream } from './stream.js'

/** Receives what the page that leads tells, until this page leads. */
export const enterFollowing = (stream: Stream, after: Cursor): StateActivity => {
  const { http, route, state, mailbox } = stream
  const ended = createDeferred<StreamEvent>()
  const end = (event: StreamEvent) => {
    follower.close()
    ended.resolve(event)
  }
  const interrupt = () => end({ name: 'interrupted', workedMs: undefined })
  const follower = followPage(http, route.gateway, after, {
    onCursor: (cursor) => readQueue(stream, cursor),
    onEvents(events) {
      receive(stream, events)
      if (mailbox.size > MAX_WAITING) interrupt()
    },
    onState(next) {
      if (next.status === 'open') route.trust(next.transport)
      // It is told several times a second.
      if (JSON.stringify(next) !== JSON.stringify(state.get())) state.set(next)
    },
    onEnd: (reason) => end({ name: 'connectionEnded', end: reason, workedMs: undefined }),
  })
  stream.pages?.ask()
  return { ended: ended.promise, interrupt, takeNews: follower.take }
}

/** Continues with the queue of the page that leads, and deletes that of this page. */
const readQueue = (stream: Stream, cursor: Cursor): void => {
  const { ownQueueId } = stream
  stream.cursor = cursor
  if (ownQueueId === cursor.queueId) return
  stream.ownQueueId = undefined
  if (ownQueueId !== undefined) deleteQueue(stream, ownQueueId)
}
