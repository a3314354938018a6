/** Onboarding steps that a user has seen. Index: key. */
import { onboardingSeen } from '../../domain/users/personal/onboarding-entries.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'

/** Records that the user has seen a step. A step that was recorded before causes no event. Throws StaleStateError. */
export const recordSeenStep = async (context: WriteContext, user_id: number, step: string): Promise<void> => {
  const { realm } = context
  await commit(context, async (tx) => {
    // Serializes concurrent requests of a user: the list in the second event must contain the first step.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`onboarding ${realm.id} ${user_id}`}, 0))`
    const added = await tx`
        insert into onboarding_steps (realm_id, user_id, step) values (${realm.id}, ${user_id}, ${step})
        on conflict do nothing`
    if (added.count === 0) return { entries: [] }
    const rows = await tx<{ step: string }[]>`
        select step from onboarding_steps where realm_id = ${realm.id} and user_id = ${user_id} order by step collate "C"`
    return { entries: [onboardingSeen({ user_id, seen: rows.map((row) => row.step) })] }
  })
}
