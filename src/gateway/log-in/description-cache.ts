/** What providers say about themselves, kept for a while: most log-ins need no call of the provider for it. */

const KEEP_MS = 600_000
/** A failure is kept for a shorter time, so that a provider which is away is not asked at every log-in. */
const KEEP_FAILURE_MS = 10_000
const MAX_KEPT = 500

/**
 * Reads the description at an address, or returns the one that is kept. Rejects with what the reading throws.
 * @param maxAge milliseconds since a kept description was read
 */
export type DescriptionCache<T> = (address: string, maxAge?: number) => Promise<T>

/** Opens a cache. @param read reads the description at an address */
export const openDescriptionCache = <T>(read: (address: string) => Promise<T>): DescriptionCache<T> => {
  const kept = new Map<string, { at: number; until: number; description: Promise<T> }>()
  return (address, maxAge = KEEP_MS) => {
    const known = kept.get(address)
    const now = Date.now()
    if (known !== undefined && known.until > now && known.at > now - maxAge) return known.description
    const entry = { at: now, until: now + KEEP_MS, description: read(address) }
    entry.description.catch(() => {
      entry.until = Date.now() + KEEP_FAILURE_MS
    })
    kept.delete(address)
    kept.set(address, entry)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return entry.description
  }
}
