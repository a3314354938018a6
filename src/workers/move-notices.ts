/**
 * Says in the topics concerned that messages were moved, or a topic resolved (messages.md 4.5).
 */
import { channelMessageLink } from '../domain/messages/permalinks.js'
import type { ChannelRow } from '../domain/rows.js'
import { mention, notice, sendable } from './notices.js'
import type { Work } from './work.js'

export const moveNotices: Work<'move_notices'> = async (assignment) => {
  const { state } = assignment.realm
  const { actor_id, old, new: now, resolves, notify, first_id, count, takes_all, into_empty } = assignment.payload
  const actor = state.users.get(actor_id)
  const [from, to] = [state.channels.get(old.channel_id), state.channels.get(now.channel_id)]
  if (actor === undefined || from === undefined || to === undefined) return { sends: [] }
  const by = mention(actor)
  const say = (channel: ChannelRow, topic: string, content: string) =>
    notice(assignment, { channel: channel.id, topic }, content)
  if (resolves !== null) {
    const sends = [say(to, now.topic, `${by} has marked this topic as ${resolves}.`)]
    return { sends: await sendable(sends) }
  }
  const gone = `to ${topicLink(to, now.topic)} by ${by}.`
  const come = `moved here from ${topicLink(from, old.topic)} by ${by}.`
  const messages = count === 1 ? 'A message was' : `${count} messages were`
  return {
    sends: await sendable([
      notify.old_thread
        ? say(from, old.topic, takes_all ? `This topic was moved ${gone}` : `${messages} moved from this topic ${gone}`)
        : undefined,
      notify.new_thread ? say(to, now.topic, `${comer(to)} ${come}`) : undefined,
    ]),
  }

  function comer(channel: ChannelRow): string {
    if (takes_all && into_empty) return 'This topic was'
    // Within a channel whose history is protected, some who read the notice came too late for the message.
    const isEverybodys = channel.history_public_to_subscribers || from?.id !== channel.id
    if (count > 1 || !isEverybodys) return messages
    return `[A message](${channelMessageLink(channel, now.topic, first_id)}) was`
  }
}

const topicLink = (channel: ChannelRow, topic: string): string => `#**${channel.name}>${topic}**`
