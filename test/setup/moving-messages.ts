/** Moves of messages that are not announced, and messages of some age. */
import { call, ok, type Person, type TestRealm } from './realm.js'

const quietly = (params: Record<string, unknown>) => ({ send_notification_to_new_thread: false, ...params })

export const moveMessage = (by: Person, id: number, params: Record<string, unknown>) =>
  call(by, 'PATCH', `/messages/${id}`, quietly(params))

/** The same, which must succeed. */
export const moveMessageOk = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/messages/${id}`, quietly(params))

/** Makes a message older. */
export const makeOlder = ({ sql, realm_id }: TestRealm, id: number, seconds: number) =>
  sql`update messages set timestamp = timestamp - ${seconds} where realm_id = ${realm_id} and id = ${id}`
