/** Events that are not stored, such as typing. */
import type { NewEntry } from '../../domain/log/entry.js'
import type { Bus } from './bus.js'
import type { Realm } from './realm.js'

/**
 * Sends an event to this process's clients and to other replicas. The clients get it at once; the replicas get it
 * through the bus, if Redis is up.
 */
export const announce = (bus: Bus, realm: Realm, { kind, audience, data }: NewEntry): void => {
  const event_id = realm.receiveEphemeral({ kind, audience, data })
  bus.publish({ realm_id: realm.id, ephemeral: { kind, audience, data, event_id } })
}
