/** A run of chaos waits for one thing after the other. When one never comes, the error says which. */

/** No phase of a run that works takes so long, beyond the time that it is meant to last. */
const LIMIT_MS = 120_000

/**
 * Waits for a phase of a run. Rejects when it takes too long, with what it still waits for.
 * @param options.lasts_ms how long the phase lasts when all is well
 * @param options.open lists what the phase waits for, such as calls without an answer
 */
export const runPhase = async <T>(
  name: string,
  work: Promise<T>,
  { lasts_ms = 0, open = () => [] }: { lasts_ms?: number; open?: () => Iterable<string> } = {},
): Promise<T> => {
  const limit_ms = lasts_ms + LIMIT_MS
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const waited = [...open()].join('; ')
      reject(new Error(`${name} did not end within ${limit_ms / 1000} s${waited === '' ? '' : `: ${waited}`}`))
    }, limit_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What has begun and not ended, for the error of a phase. */
export class OpenWork {
  readonly #names = new Map<symbol, string>()

  /** @returns notes the end */
  begin(name: string): () => void {
    const key = Symbol(name)
    this.#names.set(key, name)
    return () => this.#names.delete(key)
  }

  list = (): string[] => [...this.#names.values()]
}
