/** Resolves after a time. For the pace of a test only: a test waits for conditions, not for time. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
