/**
 * The narrow of a registration: the message events that a queue receives.
 *
 * It is a language of its own, for old clients and bots: pairs of operator and operand, all of which must match.
 * Source: protocol/messages.md 1.1, protocol/events.md 6.
 */

import { isResolved } from '#rules/topics.js'
import type { Profile } from '../../log/profile.js'
import { errors } from '../../protocol/errors.js'
import { Flag } from '../flags.js'
import type { MessageObject } from '../message.js'
import { checkTerms } from './narrow.js'

const operators: Readonly<Record<string, string>> = {
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
  sender: 'sender',
  is: 'is',
}

/**
 * The canonical form of a narrow, so that equal ones share a profile.
 * Throws BAD_REQUEST for an operator or operand that event queues do not support.
 */
export const parseEventNarrow = (narrow: readonly (readonly [string, string])[]): Profile['narrow'] => {
  checkTerms(narrow)
  return narrow.map(([operator, operand]) => {
    const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (known === undefined) throw errors.badRequest('Events cannot be narrowed by {operator}.', { operator })
    if (known === 'is' && operand === 'followed')
      throw errors.badRequest('Events cannot be narrowed to {operand}.', { operand })
    return [known, known === 'is' ? operand : operand.toLowerCase()] as const
  })
}

/**
 * Whether a queue with this narrow receives the message.
 * @param message as the queue's client sees it: the topic is compared under its name for this client
 * @param flags the recipient's flags, as bits
 */
export const matchesNarrow = (narrow: Profile['narrow'], message: MessageObject, flags: number): boolean =>
  narrow.every(([operator, operand]) => {
    switch (operator) {
      case 'channel':
        return message.type === 'stream' && (message.display_recipient as string).toLowerCase() === operand
      case 'topic':
        return message.type === 'stream' && message.subject.toLowerCase() === operand
      case 'sender':
        return message.sender_email.toLowerCase() === operand
      default:
        return matchesIs(operand, message, flags)
    }
  })

const matchesIs = (operand: string, message: MessageObject, flags: number): boolean => {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.type === 'private'
    case 'starred':
      return (flags & Flag.starred) !== 0
    case 'unread':
      return (flags & Flag.read) === 0
    case 'mentioned':
    case 'alerted':
      return (flags & Flag.mentioned) !== 0
    case 'resolved':
      return message.type === 'stream' && isResolved(message.subject)
    default:
      return true
  }
}
