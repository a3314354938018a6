/** Calls that many tests make to prepare messages and to look at them. */
import { ok, type Person } from './realm.js'

/** Creates a channel with these subscribers. @returns its id */
export const createChannel = async (
  by: Person,
  name: string,
  subscribers: Person[],
  params: Record<string, unknown> = {},
) => {
  await ok(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: subscribers.map(({ user_id }) => user_id),
    send_new_subscription_messages: false,
    ...params,
  })
  return (await ok(by, 'GET', '/get_stream_id', { stream: name })).stream_id
}

/** Sends a channel message. @returns its id */
export const postMessage = async (by: Person, to: string | number, topic: string, content = 'hello'): Promise<number> =>
  (await ok(by, 'POST', '/messages', { type: 'stream', to, topic, content })).id

/** Sends a direct message. @returns its id */
export const sendDirectMessage = async (by: Person, to: Person[], content = 'hello'): Promise<number> =>
  (await ok(by, 'POST', '/messages', { type: 'direct', to: to.map((one) => one.user_id), content })).id

/** Fetches one message as a user sees it. Flags are missing only for spectators, who cannot call this. */
export const fetchMessage = async (by: Person, message_id: number) => {
  const { message } = await ok(by, 'GET', `/messages/${message_id}`)
  return { ...message, flags: message.flags as string[] }
}
