/**
 * Changes of a test realm's structure for which there is no endpoint, or none yet: rows, as any change writes them.
 */
import { inject } from 'vitest'
import { tick } from '../../src/domain/entries/tick.js'
import type { RealmSettings } from '../../src/domain/realm/realm-settings.js'
import { type RowChange, updated } from '../../src/domain/rows.js'
import { openBus } from '../../src/store/bus.js'
import { commit } from '../../src/store/change.js'
import type { TestRealm } from './realm.js'

/** Writes the rows, and resolves when every gateway will see them. */
export const restructure = async ({ realm, sql }: TestRealm, rows: readonly (RowChange | undefined)[]) => {
  const bus = openBus(inject('redis_url'), () => {})
  await realm.barrier()
  const changes = rows.filter((row) => row !== undefined)
  const entries = [{ ...tick({}), rows: changes }]
  await commit({ sql, bus, jobsWritten() {} }, realm, realm.seq, { entries })
  await bus.close()
}

/** Changes settings of the organization. */
export const configure = async (test: TestRealm, settings: Partial<RealmSettings>) => {
  await test.realm.barrier()
  const { realm } = test.realm.state
  await restructure(test, [updated('realms', realm, { settings: { ...realm.settings, ...settings } })])
}
