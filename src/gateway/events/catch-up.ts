/**
 * Catching up a lasting connection (SSE, WebSocket), and handing it over to the hub.
 *
 * The backlog goes out in bounded parts, waiting for the client between them; when a part is the last one, the client
 * is attached in the same tick, so nothing is lost between and nothing comes twice.
 */

import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/queues.js'
import type { Sql } from '../../store/sql.js'
import { backlogOf, withMissed } from './backlog.js'
import type { Client } from './connected-client.js'
import type { Hub } from './hub.js'

export interface Stream {
  sql: Sql
  realm: Realm
  hub: Hub
  queue: Queue
  last_event_id: number
  client: Client
  /** Called once when it is certain that the queue can be served. */
  begin?(): void
  isOpen(): boolean
  /** Resolves when the connection can take more. */
  ready(): Promise<void>
}

/** Sends what the client missed, then attaches it. Returns early when the connection closes. Throws LogTrimmed. */
export const catchUp = async (stream: Stream): Promise<void> => {
  let lastId = stream.last_event_id
  let begun = false
  for (;;) {
    const backlog = await backlogOf(stream.sql, stream.realm, stream.queue, lastId)
    if (!stream.isOpen()) return
    if (!begun) stream.begin?.()
    begun = true
    const pieces = withMissed(backlog, stream.hub, stream.queue, lastId)
    for (const { id, text } of pieces) stream.client.push(id, text)
    lastId = Math.max(backlog.upTo, pieces.at(-1)?.id ?? 0)
    stream.client.lastId = lastId
    if (backlog.complete) return stream.hub.attach(stream.client)
    await stream.ready()
    if (!stream.isOpen()) return
  }
}
