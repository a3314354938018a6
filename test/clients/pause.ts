/** For pacing what a test does; what it waits for, it waits for by name. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
