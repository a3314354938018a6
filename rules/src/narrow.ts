/**
 * Narrows: filters on messages. A message is in a narrow if it fulfils all terms.
 *
 * `resolveTerm` finds what a term names. The result is a condition on ids, topics and flags. The server turns
 * conditions into SQL (store/messages/narrow/conditions.ts), and narrow-matching.ts decides them for one message.
 *
 * Source: protocol/messages.md 1.
 */
import { emptyTopicName } from './topics.js'

/** What a term says after its operator. */
export type Operand = string | number | readonly number[]

/** One term of a narrow. */
export interface Term {
  readonly operator: string
  readonly operand: Operand
  readonly negated?: boolean
}

/** The canonical names of narrow operators by their other names. */
const operators: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  pm_with: 'dm',
  group_pm_with: 'group-pm-with',
}

/** Returns the canonical name of a narrow operator. */
export const canonicalOperator = (input: string): string =>
  Object.hasOwn(operators, input) ? (operators[input] ?? input) : input

/** The canonical name of the term's operator. */
export const termOperator = ({ operator }: Pick<Term, 'operator'>): string => canonicalOperator(operator)

/** Whether a term names a channel. In such a narrow it does not count that a channel is muted. */
export const namesChannel = (terms: readonly Pick<Term, 'operator'>[]): boolean =>
  terms.some((term) => termOperator(term) === 'channel')

/** Older clients send the display name of the empty topic. Only the first topic term is converted. */
export const replaceEmptyTopicName = <T extends Term>(terms: readonly T[]): T[] => {
  const first = terms.findIndex((term) => term.operator === 'topic')
  return terms.map((term, i) => (i === first && term.operand === emptyTopicName ? { ...term, operand: '' } : term))
}

/** What a message can have. */
const parts = ['attachment', 'image', 'link', 'reaction'] as const

/** The test of one term. */
export type Test =
  | { test: 'channel'; channel_ids: readonly number[] }
  | { test: 'topic'; topic: string }
  | { test: 'resolved' }
  | { test: 'direct' }
  /** the conversation of exactly these users, ids ascending; null matches no conversation */
  | { test: 'conversation'; user_ids: readonly number[] | null }
  | { test: 'direct-with'; user_id: number; groupsOnly: boolean }
  | { test: 'sender'; user_id: number }
  /** mentions this user by name, and the user received the message */
  | { test: 'mentions'; user_id: number }
  | { test: 'id'; message_id: number }
  /** a flag of the reader; `mentioned` stands for all flags of mentions */
  | { test: 'flag'; flag: 'starred' | 'mentioned' | 'has_alert_word' }
  | { test: 'unread' }
  /** in a muted topic or channel; in a narrow to a channel, only the policies of its topics decide */
  | { test: 'muted'; inChannel: boolean }
  /** in a topic that the reader follows */
  | { test: 'followed' }
  | { test: 'has'; what: (typeof parts)[number] }
  /** `text` as it was typed */
  | { test: 'search'; text: string }

/** The test of a term, and whether a message must fail it. */
export type Condition = Test & { negated: boolean }

/** What a term names wrongly: an operator, an operand, or something that does not exist for the reader. */
export type Problem = 'operator' | 'channel' | 'channels' | 'user' | 'users' | 'message' | 'has' | 'in' | 'is'

/** Finds the channels and users that a reader can name. */
export interface Directory {
  /** undefined: a caller without an account */
  readonly self: number | undefined
  findChannel(named: string | number): number | undefined
  findUser(named: string | number): number | undefined
  /** the channels that are not private, or those that are web-public */
  listChannels(kind: 'public' | 'web-public'): number[]
}

/**
 * Finds the condition of a term. Returns undefined for a term that filters nothing.
 * @param inChannel whether the narrow has a term for a channel
 */
export const resolveTerm = (directory: Directory, term: Term, inChannel: boolean): Condition | Problem | undefined => {
  const test = resolveTest(directory, term, inChannel)
  if (test === undefined || typeof test === 'string') return test
  const { operator, negated = false } = term
  // `home` is what is not muted.
  return { ...test, negated: operator === 'in' ? !negated : negated }
}

const resolveTest = (directory: Directory, term: Term, inChannel: boolean): Test | Problem | undefined => {
  const { operand } = term
  const operator = termOperator(term)
  switch (operator) {
    case 'channel': {
      const id = isOne(operand) ? directory.findChannel(operand) : undefined
      return id === undefined ? 'channel' : { test: 'channel', channel_ids: [id] }
    }
    case 'channels':
      if (operand !== 'public' && operand !== 'web-public') return 'channels'
      return { test: 'channel', channel_ids: directory.listChannels(operand) }
    case 'topic':
      return { test: 'topic', topic: String(operand) }
    case 'dm':
      return resolveConversation(directory, operand)
    case 'dm-including':
    case 'group-pm-with':
    case 'sender':
    case 'mentions': {
      const user_id = isOne(operand) ? directory.findUser(operand) : undefined
      if (user_id === undefined) return 'user'
      if (operator === 'sender' || operator === 'mentions') return { test: operator, user_id }
      return { test: 'direct-with', user_id, groupsOnly: operator === 'group-pm-with' }
    }
    case 'id':
      return resolveMessageId(operand)
    case 'is':
      return resolveIsOperand(operand, inChannel)
    case 'has': {
      const what = parts.find((part) => part === operand)
      return what === undefined ? 'has' : { test: 'has', what }
    }
    case 'in':
      if (operand === 'all') return undefined
      return operand === 'home' && directory.self !== undefined ? { test: 'muted', inChannel } : 'in'
    case 'near':
      return undefined
    case 'search':
      return { test: 'search', text: String(operand) }
    default:
      return 'operator'
  }
}

const isOne = (operand: Operand): operand is string | number => typeof operand !== 'object'

const resolveIsOperand = (operand: Operand, inChannel: boolean): Test | Problem => {
  switch (operand) {
    case 'dm':
    case 'private':
      return { test: 'direct' }
    case 'starred':
    case 'mentioned':
      return { test: 'flag', flag: operand }
    case 'alerted':
      return { test: 'flag', flag: 'has_alert_word' }
    case 'unread':
      return { test: 'unread' }
    case 'resolved':
      return { test: 'resolved' }
    case 'muted':
      return { test: 'muted', inChannel }
    case 'followed':
      return { test: 'followed' }
    default:
      return 'is'
  }
}

/** The conversation of the named users and the reader. Addresses are separated by commas. */
const resolveConversation = ({ self, findUser }: Directory, operand: Operand): Test | Problem => {
  if (typeof operand === 'number') return 'users'
  const named = typeof operand === 'string' ? operand.split(',').map((address) => address.trim()) : operand
  const ids = new Set<number>()
  for (const one of named) {
    if (one === '') continue
    const id = findUser(one)
    if (id === undefined) return 'users'
    ids.add(id)
  }
  if (ids.size === 0 || self === undefined) return { test: 'conversation', user_ids: null }
  return { test: 'conversation', user_ids: [...ids.add(self)].sort((a, b) => a - b) }
}

/** Existing clients use ids of 32 bits, so a larger id in a term is an error. */
const MAX_MESSAGE_ID = 2_147_483_647

const resolveMessageId = (operand: Operand): Test | Problem => {
  const id = typeof operand === 'number' || /^\d+$/.test(String(operand)) ? Number(operand) : Number.NaN
  return id >= 0 && id <= MAX_MESSAGE_ID ? { test: 'id', message_id: id } : 'message'
}
