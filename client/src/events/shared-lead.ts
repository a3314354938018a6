/**
 * Which of several pages of a browser connects for all of them.
 *
 * 1. The page that holds a lock of the browser leads. The lock of a page that is closed or crashes is free at once, and
 *    the next page in line gets it.
 * 2. A page that is frozen gives the lock up before. One that hangs does not: a page in sight asks the leader all the
 *    time, and takes the lock from one that does not answer for PATIENCE_MS.
 * 3. Two pages can lead for a moment: nothing that a page tells the others may depend on there being one leader.
 */
import { createDeferred } from './deferred.js'

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
  const { document } = page
  if (locks === undefined || page.BroadcastChannel === undefined || document === undefined) return undefined
  const channel = new page.BroadcastChannel(name)
  const patience = createPatience()
  let leads = false
  let isClosed = false

  const post = (told: Told<News, Order>) => {
    if (!isClosed) channel.postMessage(told)
  }
  const line = createLine(locks, name, (next) => {
    if (leads === next) return
    leads = next
    patience.renew()
    listener.onLead(next)
  })
  const lookAtLeader = () => {
    const due = patience.look(!leads && document.visibilityState === 'visible')
    if (due === 'take') line.join(true)
    else if (due === 'ask') post({ kind: 'ask' })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Told<News, Order>>) => {
    if (data.kind === 'news') {
      patience.renew()
      listener.onNews(data.news)
    } else if (data.kind === 'order') listener.onOrder(data.order)
    else {
      patience.noteAsk()
      if (leads) listener.onAsk()
    }
  })
  const timer = setInterval(lookAtLeader, ASK_MS)
  const stopWatching = watchFreezing(page, document, line)
  line.join()

  return {
    get leads() {
      return leads
    },
    tell: (news) => post({ kind: 'news', news }),
    ask: () => post({ kind: 'ask' }),
    order: (order) => post({ kind: 'order', order }),
    yield: () => line.join(),
    isAlone: () => isLineEmpty(locks, name),
    close() {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      stopWatching()
      line.leave()
      channel.close()
    },
  }
}

/** The line of the pages that wait for the lock. The first one has it. */
interface Line {
  /** Gets in line, at its end. @param steal takes the lock from the page that has it */
  join(steal?: boolean): void
  /** Gives up the lock, or the position in the line. */
  leave(): void
}

/** Whether no page waits for the lock. */
const isLineEmpty = async (locks: LockManager, name: string): Promise<boolean> => {
  const { pending = [] } = await locks.query()
  return !pending.some((request) => request.name === name)
}

/** Creates the line of a lock, in which this page is not yet. @param onLead the page has the lock, or has lost it */
const createLine = (locks: LockManager, name: string, onLead: (leads: boolean) => void): Line => {
  let leave = () => {}
  const join = (steal = false) => {
    leave()
    const withdrawal = new AbortController()
    const over = createDeferred<void>()
    let isCurrent = true
    leave = () => {
      if (!isCurrent) return
      isCurrent = false
      leave = () => {}
      withdrawal.abort()
      over.resolve()
      onLead(false)
    }
    const hold = () => {
      if (isCurrent) onLead(true)
      return over.promise
    }
    // The browser allows no signal for a lock that is taken.
    const held = steal ? locks.request(name, { steal }, hold) : locks.request(name, { signal: withdrawal.signal }, hold)
    held.catch(() => {
      // Another page took the lock: back in line.
      if (isCurrent) join()
    })
  }
  return { join, leave: () => leave() }
}

/** How long a page waits for the answer of the leader, before it takes the lock (2). */
const createPatience = () => {
  /** when the first page asked the leader that has not answered since */
  let askedAt: number | undefined
  /** when any page asked last */
  let lastAskAt = 0
  let lookedAt = Date.now()
  let taken = 0
  let takenAt = 0
  const noteAsk = () => {
    lastAskAt = Date.now()
  }
  return {
    /** Another page has asked. */
    noteAsk,
    /** The leader has answered, or another page leads. */
    renew() {
      askedAt = undefined
    },
    /** Tells what is due now. @param isJudge whether this page asks the leader, and may take the lock */
    look(isJudge: boolean): 'ask' | 'take' | undefined {
      const now = Date.now()
      // A page whose own timers are late cannot judge another one.
      if (!isJudge || now - lookedAt > 2 * ASK_MS) askedAt = undefined
      lookedAt = now
      if (!isJudge) return undefined
      const isCalm = now - takenAt > CALM_MS
      if (askedAt !== undefined && now - askedAt > PATIENCE_MS * 2 ** (isCalm ? 0 : taken)) {
        taken = isCalm ? 1 : Math.min(MAX_DOUBLINGS, taken + 1)
        takenAt = now
        askedAt = undefined
        return 'take'
      }
      askedAt ??= now
      // One of the pages that follow asks for all of them: each hears what the others ask, and what is answered.
      if (now - lastAskAt < ASK_MS) return undefined
      noteAsk()
      return 'ask'
    },
  }
}

/** Leaves the line before the browser freezes the page, and gets back in line afterwards. Returns what ends this. */
const watchFreezing = (page: Page, document: EventTarget, line: Line): (() => void) => {
  let isAway = false
  const onFreeze = () => {
    isAway = true
    line.leave()
  }
  const onThaw = () => {
    if (isAway) line.join()
    isAway = false
  }
  document.addEventListener('freeze', onFreeze)
  document.addEventListener('resume', onThaw)
  page.addEventListener?.('pagehide', onFreeze)
  page.addEventListener?.('pageshow', onThaw)
  return () => {
    document.removeEventListener('freeze', onFreeze)
    document.removeEventListener('resume', onThaw)
    page.removeEventListener?.('pagehide', onFreeze)
    page.removeEventListener?.('pageshow', onThaw)
  }
}
