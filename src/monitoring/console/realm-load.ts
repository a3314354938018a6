/** The load of each organization in this process: for the console, and as metrics for the busiest ones. */
import { OwnedKey } from '../../domain/log/owned-values.js'
import type { Realm } from '../../store/log/realm.js'
import type { Metrics } from '../metrics.js'
import type { RealmLoad } from './report.js'

/** The organizations of a report. */
const SHOWN_REALMS = 12
/** The organizations with metrics of their own: each is a time series in Prometheus. */
const MEASURED_REALMS = 50
/** The reports over which a rate is computed. */
const REPORTS_PER_RATE = 5

/** What was counted of a realm at one time. */
interface Counted {
  at: number
  uses: number
  seq: number
}

/** Counts the clients of each realm, by the realm's id. */
export type CountConnections = () => ReadonlyMap<number, number>

/**
 * Opens the function that computes the load of the busiest organizations. The load covers the last few times that the
 * function was called.
 */
export const openRealmLoad = (
  loadedRealms: () => Iterable<Realm>,
  countConnections: CountConnections,
): (() => RealmLoad[]) => {
  const historyKey = new OwnedKey<Counted[]>('load_reports', ({ length }) => length)
  return () => {
    const at = performance.now()
    const connections = countConnections()
    const loads = [...loadedRealms()].map((realm) => {
      const counted = realm.own(historyKey, () => [])
      counted.push({ at, uses: realm.uses, seq: realm.seq })
      if (counted.length > REPORTS_PER_RATE) counted.shift()
      const first = counted[0] as Counted
      const seconds = Math.max(1, (at - first.at) / 1000)
      return {
        realm: realm.state.realm.string_id,
        requests: (realm.uses - first.uses) / seconds,
        entries: (realm.seq - first.seq) / seconds,
        connections: connections.get(realm.id) ?? 0,
      }
    })
    const weight = ({ requests, entries, connections: clients }: RealmLoad) => requests + entries + clients / 100
    return loads
      .filter((load) => weight(load) > 0)
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, SHOWN_REALMS)
  }
}

/** Registers the metrics of the busiest organizations in memory. */
export const addRealmLoadMetrics = (
  metrics: Metrics,
  loadedRealms: () => Iterable<Realm>,
  countConnections: CountConnections,
): void => {
  const busiest = () => [...loadedRealms()].sort((a, b) => b.uses - a.uses).slice(0, MEASURED_REALMS)
  metrics.counter(
    'parley_realm_requests_total',
    'Requests and jobs of an organization, for the busiest organizations in memory',
    () => Object.fromEntries(busiest().map((realm) => [realm.state.realm.string_id, realm.uses])),
    'realm',
  )
  metrics.gauges(
    'parley_realm_connections',
    'Connected clients of an organization, for the busiest organizations in memory',
    'realm',
    () => {
      const connections = countConnections()
      return Object.fromEntries(busiest().map((realm) => [realm.state.realm.string_id, connections.get(realm.id) ?? 0]))
    },
  )
}
