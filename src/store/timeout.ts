/** Work that may take a limited time. */

/** The result of `work`. Rejects with an error of this text when `work` takes longer than `ms`; `work` goes on then. */
export const withTimeout = async <T>(work: Promise<T>, ms: number, text: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(text)
    // After a pause of this process, an answer that has arrived meanwhile is read first.
    timer = setTimeout(() => setImmediate(reject, error), ms).unref()
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
