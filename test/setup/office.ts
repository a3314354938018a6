/** What tests about messages do again and again: people, channels, messages, and refusals to compare with. */

import { setRealm } from './change.js'
import { type call, newRealm, ok, type Person, type TestRealm } from './realm.js'

/** Settings of people who follow no topic by taking part in it: what they are told is what happened. */
export const followingNothing = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
}

/** Members of these names, who follow nothing by themselves, in a realm whose channels start empty. */
export const office = async (...names: string[]): Promise<{ realm: TestRealm; people: Person[] }> => {
  const realm = await newRealm()
  const people = await realm.people(...names.map((full_name) => ({ full_name, settings: followingNothing })))
  await setRealm(realm, { send_channel_events_messages: false })
  return { realm, people }
}

/** Makes a channel with these members; its id. */
export const channel = async (by: Person, name: string, members: Person[], params: Record<string, unknown> = {}) => {
  await ok(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: members.map(({ user_id }) => user_id),
    send_new_subscription_messages: false,
    ...params,
  })
  return (await ok(by, 'GET', '/get_stream_id', { stream: name })).stream_id
}

export const post = async (by: Person, to: string | number, topic: string, content = 'hello'): Promise<number> =>
  (await ok(by, 'POST', '/messages', { type: 'stream', to, topic, content })).id

export const write = async (by: Person, to: Person[], content = 'hello'): Promise<number> =>
  (await ok(by, 'POST', '/messages', { type: 'direct', to: to.map((one) => one.user_id), content })).id

/** A message as a user sees it. Only spectators get messages without flags. */
export const read = async (by: Person, message_id: number) => {
  const { message } = await ok(by, 'GET', `/messages/${message_id}`)
  return { ...message, flags: message.flags as string[] }
}

export const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return { status, code: body.code, msg: body.msg }
}

export const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, code, msg })
