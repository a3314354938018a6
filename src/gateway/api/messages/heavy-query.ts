/** Which queries of messages are heavy calls (fairness/heavy-calls.ts). */
import type { Term } from '../../../domain/messages/narrow/narrow.js'

/** Clients fetch fewer messages at a time. */
const MAX_LIGHT_MESSAGES = 1_000
/** Terms of a narrow; clients use fewer. */
const MAX_LIGHT_TERMS = 5

/**
 * Whether fetching so many messages of a narrow is heavy. A heavy query takes the process or the database a long time.
 */
export const isHeavyQuery = (messages: number, narrow: readonly Term[]): boolean =>
  messages > MAX_LIGHT_MESSAGES ||
  narrow.length > MAX_LIGHT_TERMS ||
  narrow.some(({ operator }) => operator === 'search')
