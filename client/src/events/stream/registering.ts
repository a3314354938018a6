/** The state in which a stream asks for an event queue. */
import type { Snapshot } from '../../kernel/api.js'
import { limitTime } from '../../kernel/http.js'
import { joinOtherPages } from './sharing.js'
import type { StateActivity, StreamEvent } from './states.js'
import type { Stream } from './stream.js'

/** A registration can have to load an organization first. */
const REGISTER_MS = 60_000

/** Registers. Only its answer, and the end of the stream, end this state. */
export const enterRegistering = (stream: Stream): StateActivity => ({
  ended: register(stream).then(
    (): StreamEvent => ({ name: 'registered' }),
    (error: unknown): StreamEvent => ({ name: 'registrationFailed', error }),
  ),
  interrupt() {},
})

const register = async (stream: Stream): Promise<void> => {
  const { http, route, mailbox, closing } = stream
  const values = { client_capabilities: capabilities, ...stream.registration }
  const request = { method: 'POST', path: '/register', values, signal: closing.signal }
  const answer = await limitTime(REGISTER_MS, request, (limited) => http.call(route.gateway, limited))
  const fresh = answer as Snapshot
  // Without an account there is no queue: the snapshot is all that there is.
  const hasQueue = typeof fresh.queue_id === 'string'
  stream.cursor = hasQueue ? { queueId: fresh.queue_id, lastEventId: fresh.last_event_id } : undefined
  stream.ownQueueId = stream.cursor?.queueId
  if (stream.isShared && hasQueue) stream.pages ??= joinOtherPages(stream, fresh.user_id)
  if (stream.hasRegistered) mailbox.put({ type: 'reset', snapshot: fresh })
  else stream.snapshot.resolve(fresh)
  stream.hasRegistered = true
}

/** The forms of data that this library understands. Without them, the server sends the older forms. */
export const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
}
