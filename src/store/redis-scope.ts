/**
 * The names of a process in Redis. All keys and channels begin with its scope, so that deployments that share a Redis,
 * or the publications of one, never meet: publications know no database numbers.
 *
 * The scope follows from rows in Postgres, which may be away when a process starts. Until it is known, the process
 * publishes nothing and reads no key.
 */

export interface Scope {
  /** `parley:<deployment>-<database>`; undefined: Postgres did not answer yet */
  readonly name: string | undefined
  /** Calls back with the name: at once if it is known, and as soon as it is otherwise. */
  onKnown(listener: (name: string) => void): void
}

/** A scope whose name is known. */
export const fixScope = (name: string): Scope => ({ name, onKnown: (listener) => listener(name) })

/** A scope whose name is set later, once. */
export const openScope = (): Scope & { set(name: string): void } => {
  const listeners: ((name: string) => void)[] = []
  let known: string | undefined
  return {
    get name() {
      return known
    },
    onKnown(listener) {
      if (known === undefined) listeners.push(listener)
      else listener(known)
    },
    set(name) {
      if (known !== undefined) return
      known = name
      for (const listener of listeners.splice(0)) listener(name)
    },
  }
}
