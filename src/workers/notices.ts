/** Messages of the Notification Bot: what all jobs that send them share. */
import type { ChannelRow, UserRow } from '../domain/rows.js'
import type { Send } from '../store/combiner.js'
import { compose, type Destination } from '../store/messages.js'
import type { Assignment } from './work.js'

/** How an account is named in a notice: silently, so that it notifies nobody. */
export const mention = (user: UserRow): string => `@_**${user.full_name}|${user.id}**`

export const channelLink = (channel: ChannelRow): string => `#**${channel.name}**`

/** A message from the Notification Bot, not stored yet. */
export const notice = (
  { writer, realm, guard }: Pick<Assignment<never>, 'writer' | 'realm' | 'guard'>,
  to: Destination,
  content: string,
): Promise<Send> => {
  const sender = realm.state.notificationBot()
  if (sender === undefined) throw new Error(`realm ${realm.id} has no notification bot`)
  return compose(writer, realm, guard, { sender, to, content, client: 'Internal' })
}
