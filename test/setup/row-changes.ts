/** Structural changes that a test makes for itself, where no endpoint does: told to nobody, known to every gateway. */
import { inject } from 'vitest'
import { type RowChange, updated } from '../../src/domain/log/row-changes.js'
import type { ChannelRow, RealmRow, UserRow } from '../../src/domain/log/rows.js'
import { tick } from '../../src/domain/log/tick.js'
import { openBus } from '../../src/store/log/bus.js'
import { commitEntries } from '../../src/store/log/change.js'
import { StaleStateError } from '../../src/store/log/log.js'
import { WriteContext } from '../../src/store/log/write-context.js'
import { introductions } from '../../src/store/users/introductions.js'
import type { TestRealm } from './realm.js'

/** Runs `work` with a write context; again, like a handler, when a job of the realm moved the structure meanwhile. */
export const withWriteContext = async <T>(
  { sql, realm }: TestRealm,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => {
  const bus = openBus(inject('redis_url'), () => {})
  // Otherwise the gateways would hear of it only from their next look into Postgres.
  while (!bus.isUp()) await new Promise((resolve) => setTimeout(resolve, 2))
  try {
    for (;;) {
      await realm.catchUp()
      try {
        return await work(WriteContext.open({ sql, bus, consequences: [introductions], enqueueJobs() {} }, realm))
      } catch (error) {
        if (!(error instanceof StaleStateError)) throw error
      }
    }
  } finally {
    await bus.close()
  }
}

const change = (test: TestRealm, changes: () => readonly (RowChange | undefined)[]): Promise<void> =>
  withWriteContext(test, (context) => {
    const rows = changes().filter((row) => row !== undefined)
    return commitEntries(context, [tick({}, rows)])
  })

/** Writes rows, as any change writes them. */
export const commitRowChanges = (test: TestRealm, rows: readonly (RowChange | undefined)[]): Promise<void> =>
  change(test, () => rows)

/** Changes settings of the organization. */
export const updateRealmSettings = (test: TestRealm, settings: RealmRow['settings']): Promise<void> =>
  change(test, () => {
    const { realm } = test.realm.state
    return [updated('realms', realm, { settings: { ...realm.settings, ...settings } })]
  })

export const updateChannelRow = (test: TestRealm, name: string, patch: Partial<ChannelRow>): Promise<void> =>
  change(test, () => {
    const channel = test.realm.state.channelByName(name)
    return [channel && updated('channels', channel, patch)]
  })

export const updateUserRow = (test: TestRealm, user_id: number, patch: Partial<UserRow>): Promise<void> =>
  change(test, () => {
    const user = test.realm.state.users.get(user_id)
    return [user && updated('users', user, patch)]
  })
