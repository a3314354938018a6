/**
 * When sessions and keys were last used: written back at intervals, so that a call costs no statement.
 *
 * A crash loses at most FLUSH_MS of it: a user then sees an older time of last use.
 */
import { StaleStateError } from '../log/log.js'
import type { Realm } from '../log/realm.js'

/** The uses of what has an id, in this process. */
export interface LastUses {
  /** Notes that it was used. @param now UNIX seconds */
  note(realm: Realm, id: number, now: number): void
  /** Writes the uses back. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_MS = 30_000

/**
 * Opens the uses of a gateway.
 * @param writeBack gets the UNIX seconds of the last use by id
 * @param report receives the error of a flush, which is repeated with the next one
 */
export const openLastUses = (
  writeBack: (realm: Realm, times: ReadonlyMap<number, number>) => Promise<void>,
  report: (error: unknown) => void,
): LastUses => {
  let used = new Map<Realm, Map<number, number>>()

  const note = (realm: Realm, id: number, now: number) => {
    const times = used.get(realm)
    if (times === undefined) used.set(realm, new Map([[id, now]]))
    else if ((times.get(id) ?? 0) < now) times.set(id, now)
  }

  const flush = async () => {
    const flushed = used
    used = new Map()
    for (const [realm, times] of flushed) {
      await writeBack(realm, times).catch((error: unknown) => {
        for (const [id, at] of times) note(realm, id, at)
        // The structure changed meanwhile: the next flush writes on the new state.
        if (!(error instanceof StaleStateError)) report(error)
      })
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)

  return {
    note,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
