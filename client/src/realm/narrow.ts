/** Whether a message is in a narrow, as far as a client can tell. */
import {
  type Condition,
  canonicalOperator,
  type Directory,
  namesChannel,
  type Problem,
  replaceEmptyTopicName,
  resolveTerm,
} from '#rules/narrow.js'
import { isOnlyForServer, matchesAll, type NarrowedMessage } from '#rules/narrow-matching.js'
import type { Message, Narrow, NarrowTerm } from '../kernel/api.js'
import { participants, topicPolicy } from './conversations.js'
import type { Realm } from './types.js'

/** The stores that narrows refer to. */
export type NarrowContext = Pick<Realm, 'users' | 'channels' | 'topicPolicies' | 'subscriptions' | 'self'>

/**
 * Whether a message is in a narrow. Returns undefined when only the server can tell, for example for a search.
 * A message is in the narrow if it fulfils every term.
 */
export const matchesNarrow = (context: NarrowContext, narrow: Narrow, message: Message): boolean | undefined =>
  matchesAll(resolveAll(context, narrow), readMessage(context, message))

/** Whether a narrow has a term of which only the server knows the messages. */
export const needsServer = (context: NarrowContext, narrow: Narrow): boolean =>
  resolveAll(context, narrow).some(isOnlyForServer)

/** Returns the id of the channel whose messages a narrow shows. Returns undefined for messages of several channels. */
export const channelOfNarrow = (context: NarrowContext, narrow: Narrow): number | undefined => {
  const term = narrow.find((term) => isTerm(term, 'channel'))
  return term === undefined || Array.isArray(term.operand) ? undefined : findChannel(context, term.operand)
}

/**
 * Whether a narrow shows messages of all public channels. These include channels to which the user is not subscribed.
 */
export const showsAllPublic = (narrow: Narrow): boolean => narrow.some((term) => isTerm(term, 'channels'))

/** Whether a term requires what this operator names. */
const isTerm = ({ operator, negated }: NarrowTerm, name: string): boolean =>
  negated !== true && canonicalOperator(operator) === name

/** Whether messages enter or leave a narrow when they are moved. A move gives them another topic or channel. */
export const dependsOnPlace = (narrow: Narrow): boolean =>
  narrow.some(({ operator, operand }) => {
    if (operator === 'is') return operand === 'resolved' || operand === 'followed' || operand === 'muted'
    return ['channel', 'topic', 'in', 'channels'].includes(canonicalOperator(operator))
  })

/** Whether a narrow shows messages by this flag. The user sets the flag, or editing sets it. */
export const dependsOnFlag = (narrow: Narrow, flag: string): boolean =>
  narrow.some(({ operator, operand }) => operator === 'is' && operand === flag)

/** The conditions of the terms that filter something, and what is wrong with those that this user cannot name. */
const resolveAll = (context: NarrowContext, narrow: Narrow): (Condition | Problem)[] => {
  const [directory, inChannel] = [readDirectory(context), namesChannel(narrow)]
  return replaceEmptyTopicName(narrow).flatMap((term) => resolveTerm(directory, term, inChannel) ?? [])
}

/** Reads the stores as the rules need them. */
const readDirectory = (context: NarrowContext): Directory => ({
  self: context.self.get().user_id,
  findChannel: (named) => findChannel(context, named),
  findUser: (named) => findUser(context, named),
  listChannels: (kind) =>
    [...context.channels.get().values()]
      .filter(({ invite_only, is_web_public }) => !invite_only && (kind === 'public' || is_web_public))
      .map(({ stream_id }) => stream_id),
})

/** Reads a message as the rules need it. */
const readMessage = (context: NarrowContext, message: Message): NarrowedMessage => {
  const { id, type, sender_id, stream_id, subject, flags = [] } = message
  const channel_id = type === 'stream' ? stream_id : undefined
  return {
    id,
    sender_id,
    channel_id,
    topic: subject,
    user_ids: channel_id === undefined ? participants(message).sort((a, b) => a - b) : [],
    flags,
    policy: channel_id === undefined ? undefined : topicPolicy(context, channel_id, subject),
    isChannelMuted: channel_id !== undefined && context.subscriptions.get().get(channel_id)?.is_muted === true,
  }
}

const findChannel = ({ channels }: NarrowContext, named: string | number): number | undefined => {
  if (typeof named === 'number') return named
  const name = named.toLowerCase()
  for (const channel of channels.get().values()) if (channel.name.toLowerCase() === name) return channel.stream_id
  return undefined
}

/** A user can be named by each of the addresses that this user sees. */
const findUser = ({ users }: NarrowContext, named: string | number): number | undefined => {
  if (typeof named === 'number') return named
  const address = named.toLowerCase()
  for (const { user_id, email, delivery_email } of users.get().values())
    if (email.toLowerCase() === address || delivery_email?.toLowerCase() === address) return user_id
  return undefined
}
