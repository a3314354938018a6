/** What the decision about the runtime depends on. */
export interface Machine {
  platform: string
  /** as in `process.arch` */
  arch: string
  /** the version of Node, as in `18.20.8` */
  node: string
  /** the version of the GNU C library; undefined: another one, or another system */
  glibc: string | undefined
  /** an archive with a newer C library; undefined: this machine has none, or no apt */
  archive: { keyring: string; suite: string; name: string; site(arch: string): string } | undefined
  /** the folders of programs, in the format of PATH */
  path: string
}

export type RuntimePlan =
  | { kind: 'own' }
  | { kind: 'private'; needsLibrary: boolean }
  | { kind: 'impossible'; reason: string }

/** The process id of the same command on the Node of the machine. It started this process; undefined: none did. */
export const starter: number | undefined

/** Reads it from this process and its machine. */
export function describeMachine(): Machine

/**
 * Decides on which runtime the product runs.
 * @returns `own`: on the Node of this process; `private`: on a private Node, with a private C library if
 *   `needsLibrary`; `impossible`: on none, for a reason that says what to do
 */
export function planRuntime(machine: Omit<Machine, 'path'>): RuntimePlan

/** Stops with the reason, if the product cannot run on this machine. */
export function requirePossibleRuntime(): void

/** Returns the file of the Node on which npm runs for the root. Fetches one if it must. */
export function provideInstaller(): string

/** Whether this process runs on the supported runtime. */
export function isRuntime(): boolean

/**
 * Returns if this process runs on the supported runtime. Otherwise starts the same command on the private Node, and
 * ends with its exit code.
 */
export function enterRuntime(): Promise<void>
