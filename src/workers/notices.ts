/** Messages of the Notification Bot: what all jobs that send them share. */
import { ApiError } from '../domain/errors.js'
import type { ChannelRow, UserRow } from '../domain/rows.js'
import type { Send } from '../store/combiner.js'
import { compose, type Destination } from '../store/messages/sending.js'
import type { Assignment } from './work.js'

/** How an account is named in a notice: silently, so that it notifies nobody. */
export const mention = (user: UserRow): string => `@_**${user.full_name}|${user.id}**`

export const channelLink = (channel: ChannelRow): string => `#**${channel.name}**`

/**
 * A message from the Notification Bot, not stored yet; undefined when it cannot be sent. A refusal does not depend on
 * how often it is tried, and must not keep the others of the job waiting.
 */
export const notice = async (
  { writer, realm, guard }: Pick<Assignment<never>, 'writer' | 'realm' | 'guard'>,
  to: Destination,
  content: string,
): Promise<Send | undefined> => {
  const sender = realm.state.notificationBot()
  if (sender === undefined) throw new Error(`realm ${realm.id} has no notification bot`)
  try {
    return await compose(writer, realm, guard, { sender, to, content, client: 'Internal' })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The notices that can be sent. */
export const sendable = async (notices: readonly (Promise<Send | undefined> | undefined)[]): Promise<Send[]> =>
  (await Promise.all(notices)).filter((send) => send !== undefined)
