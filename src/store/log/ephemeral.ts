/** Telling what no log keeps: to this process's clients at once, to the others through the bus, if it is up. */
import type { NewEntry } from '../../domain/log/entry.js'
import type { Bus } from './bus.js'
import type { Realm } from './realm.js'

export const announce = (bus: Bus, realm: Realm, { kind, audience, data }: NewEntry): void => {
  const event_id = realm.receiveEphemeral({ kind, audience, data })
  bus.publish({ realm_id: realm.id, ephemeral: { kind, audience, data, event_id } })
}
