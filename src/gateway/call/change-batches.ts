/**
 * Large requests, carried out in parts: several changes instead of one.
 *
 * One change of 100,000 subscriptions would hold the structure lock and the log's head of its realm for many seconds,
 * and would stop the event loop for all realms of the process.
 *
 * 1. The whole request is checked before the first part. A refusal of these checks changes nothing.
 * 2. Each part takes the structure lock anew, and a rest follows that is twice as long as the part: other changes get
 *    their turn, and so do sends, which wait for the head during a part and run again after it.
 * 3. Each part is permitted on the state, and with the caller's row, at the time of the part. Its error ends the
 *    request and is final; the earlier parts stay. Users can repeat such a request, because its parts set values and do
 *    not toggle them.
 * 4. A request that fits into one part is one change, as any other request.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { commit } from '../../store/log/change.js'
import type { ChangeBatch, Plan } from '../../store/log/change-plan.js'
import { changeRealm } from '../../store/log/change-realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import { checkCredentials } from '../auth/caller-credentials.js'
import type { Caller } from '../contract/caller.js'
import { withStructureLock } from './structure-lock.js'

/** How many times as long as its part a rest takes (2). */
const REST_FACTOR = 2
/** The longest rest between two parts (2). */
const MAX_REST_MS = 500

interface BatchesCall {
  caller: Caller
  state: RealmState
  write: WriteContext
}

/**
 * Checks a request and carries it out.
 * @param plan checks the whole request, and divides it. Throws what is wrong with it (1)
 * @returns the answer. Throws the final error of a later part (3), which is UNAUTHORIZED once the caller's account or
 * session has ended. Throws StaleStateError before anything is committed, and BAD_REQUEST for several parts that shall
 * acknowledge an event.
 */
export const commitInBatches = async <A>(
  call: BatchesCall,
  plan: (state: RealmState, caller: UserRow) => Plan<A>,
): Promise<A> => {
  const { caller, state } = call
  let began = 0
  const { parts, answer } = await withStructureLock(call, async (write) => {
    began = performance.now()
    const planned = plan(state, caller.user)
    const isWhole = planned.parts.length <= 1
    if (!isWhole && write.ack !== undefined) throw errors.ackOfParts().asFinal()
    await commitBatch(write, planned.parts[0], state, caller.user, isWhole ? planned.answer : undefined)
    return planned
  })
  try {
    let took = performance.now() - began
    for (const part of parts.slice(1)) {
      await sleep(Math.min(took * REST_FACTOR, MAX_REST_MS))
      took = await commitLaterBatch(call, part)
    }
  } catch (error) {
    throw error instanceof ApiError ? error.asFinal() : error
  }
  return answer()
}

const commitBatch = async (
  write: WriteContext,
  part: ChangeBatch | undefined,
  state: RealmState,
  user: UserRow,
  answer?: () => unknown,
): Promise<void> => {
  if (part === undefined) return
  const { change, note } = part(state, user)
  let isNoted = false
  const noteOnce = () => {
    if (!isNoted) note()
    isNoted = true
  }
  // Of several parts none stores the answer with the key of the call (3). The only part has to know its answer before
  // its commit.
  const key = answer && write.answerKey?.key
  const compose = () => {
    noteOnce()
    return (answer?.() ?? {}) as object
  }
  await commit(write.withAnswerKey(key && { key, compose }), change)
  noteOnce()
}

/** @returns the milliseconds that the part took, once it had the lock */
const commitLaterBatch = ({ caller, state, write }: BatchesCall, part: ChangeBatch): Promise<number> =>
  changeRealm(write, (attempt) =>
    // Without the row of the caller: it may have changed since the first part, which is no conflict (3).
    withStructureLock({ caller: undefined, write: attempt }, async (current) => {
      const began = performance.now()
      const user = state.users.get(caller.id)
      if (user?.is_active !== true || user.key_version !== caller.user.key_version) throw errors.invalidApiKey()
      checkCredentials(state, caller)
      await commitBatch(current, part, state, user)
      return performance.now() - began
    }),
  )
