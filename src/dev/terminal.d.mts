/** When the command started, in milliseconds since 1970. */
export const startedAt: number

/** Prints a line with the seconds since the command started. */
export function tell(line: string): void

/** Prints an error message, which says what the user can do, and exits with code 1. */
export function stop(message: string): never
