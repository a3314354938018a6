/** Moves of messages without notices, and older messages. */
import { call, ok, type Person, type TestRealm } from './realm.js'

const quietly = (params: Record<string, unknown>) => ({ send_notification_to_new_thread: false, ...params })

/** Moves a message without notices. */
export const moveMessage = (by: Person, id: number, params: Record<string, unknown>) =>
  call(by, 'PATCH', `/messages/${id}`, quietly(params))

/** Moves a message without notices. Fails if the server refuses. */
export const moveMessageOk = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/messages/${id}`, quietly(params))

/** Moves the timestamp of a message into the past. */
export const makeOlder = ({ sql, realm_id }: TestRealm, id: number, seconds: number) =>
  sql`update messages set timestamp = timestamp - ${seconds} where realm_id = ${realm_id} and id = ${id}`
