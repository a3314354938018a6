/** Structural changes that no endpoint makes. Every gateway applies them, and no client receives an event. */

import { advancedSeq } from '../../../src/domain/log/advanced-seq.js'
import { composeUpdate, type RowChange } from '../../../src/domain/log/row-changes.js'
import type { ChannelRow, RealmRow, UserRow } from '../../../src/domain/log/rows.js'
import { commitEntries } from '../../../src/store/log/change.js'
import { changeRealm } from '../../../src/store/log/change-realm.js'
import { WriteContext } from '../../../src/store/log/write-context.js'
import type { TestRealm } from './realm.js'

/**
 * Runs `work` with a write context. It runs again, like a handler, when a job of the realm moved the structure
 * meanwhile.
 */
export const withWriteContext = async <T>(
  { writing, realm }: TestRealm,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => {
  // Without the bus, the gateways would apply the change only at their next anti-entropy check.
  while (!writing.bus.isUp()) await new Promise((resolve) => setTimeout(resolve, 2))
  await realm.catchUp()
  return changeRealm(WriteContext.open(writing, realm), work)
}

const change = (test: TestRealm, changes: () => readonly (RowChange | undefined)[]): Promise<void> =>
  withWriteContext(test, (context) => {
    const rows = changes().filter((row) => row !== undefined)
    return commitEntries(context, [advancedSeq({}, rows)])
  })

/** Commits changes of rows. */
export const commitRowChanges = (test: TestRealm, rows: readonly (RowChange | undefined)[]): Promise<void> =>
  change(test, () => rows)

/** Changes settings of the organization. */
export const updateRealmSettings = (test: TestRealm, settings: RealmRow['settings']): Promise<void> =>
  change(test, () => {
    const { realm } = test.realm.state
    return [composeUpdate('realms', realm, { settings: { ...realm.settings, ...settings } })]
  })

/** Changes columns of the channel with this name. */
export const updateChannelRow = (test: TestRealm, name: string, patch: Partial<ChannelRow>): Promise<void> =>
  change(test, () => {
    const channel = test.realm.state.channelByName(name)
    return [channel && composeUpdate('channels', channel, patch)]
  })

/** Changes columns of a user. */
export const updateUserRow = (test: TestRealm, user_id: number, patch: Partial<UserRow>): Promise<void> =>
  change(test, () => {
    const user = test.realm.state.users.get(user_id)
    return [user && composeUpdate('users', user, patch)]
  })
