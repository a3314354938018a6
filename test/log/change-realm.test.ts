/** Changes that are attempted again because another change was committed first. */
import { describe, expect, test } from 'vitest'
import { advancedSeq } from '../../src/domain/log/advanced-seq.js'
import { commitEntries } from '../../src/store/log/change.js'
import { changeRealm, retryOnStaleState } from '../../src/store/log/change-realm.js'
import { LogCounts } from '../../src/store/log/counts.js'
import { StaleStateError } from '../../src/store/log/log.js'
import { WriteContext } from '../../src/store/log/write-context.js'
import { newRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

/** A realm that counts how often it catches up. */
const countingRealm = () => {
  const realm = {
    counts: new LogCounts(),
    caughtUp: 0,
    async catchUp() {
      realm.caughtUp += 1
    },
  }
  return realm
}

describe('A change', () => {
  test('is attempted again on the state after the change that was committed first.', async () => {
    await using created = await newRealm()
    const { realm, writing } = created
    const guards: number[] = []
    await changeRealm(WriteContext.open(writing, realm), async (write) => {
      guards.push(write.guard)
      if (guards.length === 1) await updateRealmSettings(created, { waiting_period_threshold: 1 })
      await commitEntries(write, [advancedSeq({})])
    })
    expect(guards).toHaveLength(2)
    expect(guards[1]).toBeGreaterThan(guards[0] ?? 0)
  })

  test('that fails for another reason is not attempted again.', async () => {
    const realm = countingRealm()
    let attempts = 0
    const failing = retryOnStaleState(realm, async () => {
      attempts += 1
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([attempts, realm.caughtUp]).toEqual([1, 0])
  })

  test('whose state is stale each time fails with SERVER_NOT_READY, so no outer attempt repeats it.', async () => {
    const realm = countingRealm()
    let attempts = 0
    const failing = retryOnStaleState(realm, async (round) => {
      attempts = round
      throw new StaleStateError()
    })
    await expect(failing).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    expect([attempts, realm.caughtUp, realm.counts.guardRetries]).toEqual([50, 49, 50])
  })
})
