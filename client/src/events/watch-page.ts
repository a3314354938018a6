/** What a browser tells about its network and about the page. Elsewhere, only sleep is noticed. */

/** What a stream does then. */
export interface PageListener {
  onOnline(): void
  onOffline(): void
  /** The page is shown again, or the machine slept: an open connection may be dead without a sign. */
  onWake(): void
}

const LOOK_MS = 5_000
/** A timer that is so late was not late because of other work: the machine slept. */
const SLEPT_MS = 20_000

type Page = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> & {
  document?: EventTarget & { readonly hidden: boolean }
}

/** Tells the listener. @returns a function that ends this */
export const watchPage = ({ onOnline, onOffline, onWake }: PageListener): (() => void) => {
  const page = globalThis as unknown as Page
  const { document } = page
  let last = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    // Browsers delay the timers of hidden pages.
    if (now - last > SLEPT_MS && document?.hidden !== true) onWake()
    last = now
  }, LOOK_MS) as ReturnType<typeof setInterval> & { unref?(): void }
  // It does not keep a program of Node alive.
  timer.unref?.()
  const onVisible = () => document?.hidden === false && onWake()
  page.addEventListener?.('online', onOnline)
  page.addEventListener?.('offline', onOffline)
  page.addEventListener?.('pageshow', onWake)
  document?.addEventListener('visibilitychange', onVisible)
  return () => {
    clearInterval(timer)
    page.removeEventListener?.('online', onOnline)
    page.removeEventListener?.('offline', onOffline)
    page.removeEventListener?.('pageshow', onWake)
    document?.removeEventListener('visibilitychange', onVisible)
  }
}
