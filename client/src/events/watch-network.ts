/** Tells when a browser goes online or offline. Elsewhere it does nothing. @returns a function that ends this */
export const watchNetwork = (onOnline: () => void, onOffline: () => void): (() => void) => {
  const page = globalThis as unknown as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
  page.addEventListener?.('online', onOnline)
  page.addEventListener?.('offline', onOffline)
  return () => {
    page.removeEventListener?.('online', onOnline)
    page.removeEventListener?.('offline', onOffline)
  }
}
