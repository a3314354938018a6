/** Messages quoted in messages of the system. */

import type { RealmState } from '../log/state.js'
import { channelMessageLink, directMessageLink } from './permalinks.js'

export interface Quoted {
  id: number
  sender_id: number
  channel_id: number | null
  user_ids: readonly number[] | null
  topic: string
  content: string
}

/** Who said what, with a link to where. */
export const quoted = (state: RealmState, message: Quoted): string => {
  const sender = state.users.get(message.sender_id)
  const who = sender === undefined ? 'Somebody' : `@_**${sender.full_name}|${sender.id}**`
  const fence = fenceFor(message.content)
  return `${who} [said](${linkTo(state, message)}):\n${fence}quote\n${message.content}\n${fence}`
}

/** Where it was said, for a sentence; links lead there. */
export const placeOf = (state: RealmState, { id, channel_id, topic }: Quoted): string => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  return channel === undefined ? 'a direct message' : `#**${channel.name}>${topic}@${id}**`
}

/** Where it was said, as an address. */
export const linkTo = (
  state: RealmState,
  { id, channel_id, user_ids, topic }: Omit<Quoted, 'content' | 'sender_id'>,
): string => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  return channel === undefined ? directMessageLink(user_ids ?? [], id) : channelMessageLink(channel, topic, id)
}

/** A fence that nothing in the text closes. */
const fenceFor = (content: string): string => {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
