/**
 * Which of several pages of a browser connects for all of them.
 *
 * 1. The page that holds a lock of the browser leads. The lock of a page that is closed or crashes is free at once, and
 *    the next page in line gets it.
 * 2. A page that is frozen gives the lock up before. One that hangs does not: a page in sight asks the leader all the
 *    time, and takes the lock from one that does not answer for PATIENCE_MS.
 * 3. Two pages can lead for a moment: nothing that a page tells the others may depend on there being one leader.
 */

/** What pages tell each other. */
type Told<News, Order> =
  | { kind: 'news'; news: News }
  /** the leader is to tell how it is */
  | { kind: 'ask' }
  | { kind: 'order'; order: Order }

/** What happens to a page. */
export interface LeadListener<News, Order> {
  /** This page leads from now on, or does not any more. */
  onLead(leads: boolean): void
  /** Another page told this. */
  onNews(news: News): void
  /** Another page asks the leader how it is. It is to tell. */
  onAsk(): void
  /** Another page wants all pages, or the one that leads, to do this. */
  onOrder(order: Order): void
}

/** The part of a page in a group of pages. */
export interface SharedLead<News, Order> {
  readonly leads: boolean
  tell(news: News): void
  ask(): void
  order(order: Order): void
  /** Lets another page lead, if there is one. */
  yield(): void
  /** Whether no other page waits to lead. */
  isAlone(): Promise<boolean>
  close(): void
}

const ASK_MS = 300
/** A leader that is silent for so long after it was asked hangs. */
const PATIENCE_MS = 700
/** On a machine that is slow for a while, the patience doubles with each lock that was taken, up to this many times. */
const MAX_DOUBLINGS = 3
const CALM_MS = 60_000

interface Page {
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly navigator?: { readonly locks?: LockManager }
  readonly BroadcastChannel?: typeof BroadcastChannel
  addEventListener?: EventTarget['addEventListener']
  removeEventListener?: EventTarget['removeEventListener']
}

/**
 * Joins the pages of this browser that give the same name. Returns undefined where the browser cannot do it.
 * @param name what the pages share, and how they understand each other
 */
export const joinPages = <News, Order>(
  name: string,
  listener: LeadListener<News, Order>,
): SharedLead<News, Order> | undefined => {
  const page = globalThis as unknown as Page
  const locks = page.navigator?.locks
  if (locks === undefined || page.BroadcastChannel === undefined || page.document === undefined) return undefined
  const { document } = page
  const channel = new page.BroadcastChannel(name)
  let leads = false
  let isClosed = false
  /** gives up the lock, or the place in the line */
  let leave = () => {}
  /** when the first page asked the leader that has not answered since */
  let askedAt: number | undefined
  /** when any page asked last */
  let lastAskAt = 0
  let lookedAt = Date.now()
  let taken = 0
  let takenAt = 0
  let isAway = false

  const post = (told: Told<News, Order>) => {
    if (!isClosed) channel.postMessage(told)
  }
  const setLeads = (next: boolean) => {
    if (leads === next) return
    leads = next
    askedAt = undefined
    listener.onLead(next)
  }

  /** Gets in line. @param steal takes the lock from the page that has it */
  const join = (steal = false) => {
    leave()
    const withdrawal = new AbortController()
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    let isCurrent = true
    leave = () => {
      if (!isCurrent) return
      isCurrent = false
      leave = () => {}
      withdrawal.abort()
      end()
      setLeads(false)
    }
    const hold = () => {
      if (isCurrent) setLeads(true)
      return isOver
    }
    // The browser allows no signal for a lock that is taken.
    const held = steal ? locks.request(name, { steal }, hold) : locks.request(name, { signal: withdrawal.signal }, hold)
    held.catch(() => {
      // Another page took the lock: back in line.
      if (isCurrent && !isClosed) join()
    })
  }

  const lookAtLeader = () => {
    const now = Date.now()
    // A page whose own timers are late cannot judge another one.
    if (now - lookedAt > 2 * ASK_MS) askedAt = undefined
    lookedAt = now
    if (leads || document.visibilityState !== 'visible') {
      askedAt = undefined
      return
    }
    if (askedAt !== undefined && now - askedAt > PATIENCE_MS * 2 ** (now - takenAt > CALM_MS ? 0 : taken)) {
      taken = now - takenAt > CALM_MS ? 1 : Math.min(MAX_DOUBLINGS, taken + 1)
      takenAt = now
      askedAt = undefined
      join(true)
      return
    }
    askedAt ??= now
    // One of the pages that follow asks for all of them: each hears what the others ask, and what is answered.
    if (now - lastAskAt < ASK_MS) return
    lastAskAt = now
    post({ kind: 'ask' })
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Told<News, Order>>) => {
    if (data.kind === 'news') {
      askedAt = undefined
      listener.onNews(data.news)
    } else if (data.kind === 'order') listener.onOrder(data.order)
    else {
      lastAskAt = Date.now()
      if (leads) listener.onAsk()
    }
  })
  const timer = setInterval(lookAtLeader, ASK_MS)
  const onFreeze = () => {
    isAway = true
    leave()
  }
  const onThaw = () => {
    if (isAway) join()
    isAway = false
  }
  document.addEventListener('freeze', onFreeze)
  document.addEventListener('resume', onThaw)
  page.addEventListener?.('pagehide', onFreeze)
  page.addEventListener?.('pageshow', onThaw)
  join()

  return {
    get leads() {
      return leads
    },
    tell: (news) => post({ kind: 'news', news }),
    ask: () => post({ kind: 'ask' }),
    order: (order) => post({ kind: 'order', order }),
    yield: () => join(),
    async isAlone() {
      const { pending = [] } = await locks.query()
      return !pending.some((request) => request.name === name)
    },
    close() {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      document.removeEventListener('freeze', onFreeze)
      document.removeEventListener('resume', onThaw)
      page.removeEventListener?.('pagehide', onFreeze)
      page.removeEventListener?.('pageshow', onThaw)
      leave()
      channel.close()
    },
  }
}
