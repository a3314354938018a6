/** The end of a stream, and of its queue. */
import { ConnectionError } from '../../kernel/errors.js'
import { interrupt, isClosed, publishStatus, type Stream } from './stream.js'

/** Ends the stream from any state. @param error what the iteration throws; nothing if it just ends */
export const closeStream = (stream: Stream, error?: unknown): void => {
  if (isClosed(stream)) return
  const { closing, snapshot, cursor, pages, mailbox } = stream
  closing.abort()
  interrupt(stream)
  publishStatus(stream, 'closed', error instanceof Error ? { reason: error.message } : {})
  snapshot.reject(error ?? new ConnectionError('The stream was closed.'))
  if (cursor !== undefined && error === undefined) void leaveQueue(stream, cursor.queueId)
  else pages?.close()
  mailbox.close(error === undefined ? undefined : { error })
}

/** Deletes the queue, unless other pages read it too. */
const leaveQueue = async (stream: Stream, queueId: string): Promise<void> => {
  const { pages } = stream
  if (pages === undefined || (pages.leads && (await pages.isAlone()))) deleteQueue(stream, queueId)
  pages?.close()
}

/** Deletes a queue that no page reads any more. */
export const deleteQueue = ({ http, route }: Stream, queue_id: string): void => {
  const request = { method: 'DELETE', path: '/events', values: { queue_id } }
  // If this fails, the server deletes the queue when it has not been used for its lifespan.
  http.call(route.gateway, request).catch(() => {})
}
