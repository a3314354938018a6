/**
 * Registers a stream (SSE or WebSocket) with the hub, sends it the backlog, then attaches it to the hub.
 *
 * The backlog is sent in bounded parts, and between two parts the gateway waits until the client has read enough. When
 * a part is the last one, the client is attached in the same tick, so no event is lost or sent twice. One that was
 * ended meanwhile, because its queue has a newer reader, is not attached: it would end that one.
 */

import { insertMissedEphemeral, loadBacklog } from '../../store/events/backlog.js'
import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/event-queues.js'
import type { Sql } from '../../store/sql.js'
import type { Client } from './connected-client.js'
import type { Hub } from './hub.js'

export interface CatchUp {
  sql: Sql
  realm: Realm
  hub: Hub
  queue: Queue
  last_event_id: number
  client: Client
  /** Called once, before the first event, after the first part of the backlog was loaded. */
  begin?(): void
  isOpen(): boolean
  /** Resolves when the connection's send buffer has space. */
  ready(): Promise<void>
}

/** Sends the backlog, then attaches the client. Returns early when the connection closes. Throws LogTrimmedError. */
export const catchUp = async (stream: CatchUp): Promise<void> => {
  if (!stream.hub.register(stream.client)) return
  try {
    await sendBacklog(stream)
  } catch (error) {
    stream.hub.detach(stream.client)
    throw error
  }
}

const sendBacklog = async (stream: CatchUp): Promise<void> => {
  const isReading = () => stream.isOpen() && stream.hub.findReader(stream.queue.id) === stream.client
  let lastId = stream.last_event_id
  let hasBegun = false
  for (;;) {
    const backlog = await loadBacklog(stream.sql, stream.realm, stream.queue, lastId)
    if (!isReading()) return
    if (!hasBegun) stream.begin?.()
    hasBegun = true
    const events = insertMissedEphemeral(backlog, stream.hub, stream.queue, lastId)
    for (const { id, json } of events) stream.client.push(id, json)
    lastId = Math.max(backlog.cursor, events.at(-1)?.id ?? 0)
    stream.client.lastId = lastId
    if (backlog.isComplete) return stream.hub.attach(stream.client)
    await stream.ready()
    if (!isReading()) return
  }
}
