/** Whether a message is in a narrow, as far as a client can tell. */
import { canonicalOperator } from '#rules/narrow.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import { isResolved } from '#rules/topics.js'
import type { Message, Narrow, NarrowTerm } from '../kernel/api.js'
import { directKey, isTopicMuted, participants, topicPolicy } from './conversations.js'
import type { Realm } from './types.js'

/** The stores that narrows refer to. */
export type NarrowContext = Pick<Realm, 'users' | 'channels' | 'topicPolicies' | 'subscriptions' | 'self'>

/**
 * Whether a message is in a narrow. Returns undefined when only the server can tell, for example for a search.
 * A message is in the narrow if it fulfils every term.
 */
export const matchesNarrow = (context: NarrowContext, narrow: Narrow, message: Message): boolean | undefined => {
  const results = narrow.map((term) => {
    const matches = matchesTerm(context, term, message)
    return matches === undefined ? undefined : matches !== (term.negated ?? false)
  })
  if (results.includes(false)) return false
  return results.includes(undefined) ? undefined : true
}

/** Whether a narrow has a term of which only the server knows the messages. */
export const needsServer = (context: NarrowContext, narrow: Narrow): boolean =>
  narrow.some((term) => matchesTerm(context, term, anyMessage) === undefined)

const anyMessage = { type: 'stream', subject: '', flags: [] as string[] } as unknown as Message

/** Returns the id of the channel whose messages a narrow shows. Returns undefined for messages of several channels. */
export const channelOfNarrow = (context: NarrowContext, narrow: Narrow): number | undefined => {
  const term = narrow.find((term) => isTerm(term, 'channel'))
  return term === undefined ? undefined : findChannel(context, term.operand)
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

const matchesTerm = (context: NarrowContext, term: NarrowTerm, message: Message): boolean | undefined => {
  const { operand } = term
  const operator = canonicalOperator(term.operator)
  const { type, stream_id, subject, sender_id, flags = [] } = message
  switch (operator) {
    case 'channel':
      return type === 'stream' && stream_id === findChannel(context, operand)
    case 'topic':
      return type === 'stream' && subject.toLowerCase() === String(operand).toLowerCase()
    case 'sender':
      return sender_id === findUser(context, operand)
    case 'dm':
      return type === 'private' && directKey(participants(message)) === conversation(context, operand)
    case 'dm-including':
      return (
        type === 'private' && findUsers(context, operand).every((id) => participants(message).includes(id as number))
      )
    case 'id':
    case 'with':
      return operator === 'id' ? message.id === Number(operand) : undefined
    case 'is':
      return matchesIs(context, String(operand), message, flags)
    case 'in':
      return operand === 'all' ? true : operand === 'home' ? !isMuted(context, message) : undefined
    default:
      return undefined
  }
}

const matchesIs = (
  context: NarrowContext,
  operand: string,
  message: Message,
  flags: readonly string[],
): boolean | undefined => {
  const { type, stream_id = 0, subject } = message
  switch (operand) {
    case 'dm':
    case 'private':
      return type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
      return flags.some((flag) => flag.endsWith('mentioned'))
    case 'alerted':
      return flags.includes('has_alert_word')
    case 'resolved':
      return type === 'stream' && isResolved(subject)
    case 'followed':
      return type === 'stream' && topicPolicy(context, stream_id, subject) === TopicPolicy.followed
    default:
      return undefined
  }
}

const isMuted = (context: NarrowContext, { type, stream_id = 0, subject }: Message): boolean =>
  type === 'stream' && isTopicMuted(context, stream_id, subject)

type Operand = NarrowTerm['operand']

const findChannel = ({ channels }: NarrowContext, operand: Operand): number | undefined => {
  if (typeof operand === 'number') return operand
  const name = String(operand).toLowerCase()
  for (const channel of channels.get().values()) if (channel.name.toLowerCase() === name) return channel.stream_id
  return undefined
}

const findUser = ({ users, self }: NarrowContext, operand: Operand): number | undefined => {
  if (typeof operand === 'number') return operand
  if (operand === 'me') return self.get().user_id
  const email = String(operand).trim().toLowerCase()
  for (const user of users.get().values()) if (user.email.toLowerCase() === email) return user.user_id
  return undefined
}

const findUsers = (context: NarrowContext, operand: Operand): (number | undefined)[] => {
  const list = Array.isArray(operand) ? operand : typeof operand === 'string' ? operand.split(',') : [operand]
  return list.map((one) => findUser(context, one))
}

/** The participants of a direct conversation, of whom the user is one. */
const conversation = (context: NarrowContext, operand: Operand): string | undefined => {
  const ids = findUsers(context, operand)
  return ids.includes(undefined) ? undefined : directKey([...(ids as number[]), context.self.get().user_id])
}
