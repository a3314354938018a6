/**
 * The element that scrolls a list of messages: what is in sight, and how that stays in sight.
 *
 * 1. The anchor is the first message in sight, or the end of the list for a user who follows the newest messages.
 * 2. Restoring an anchor moves its message back to where it was measured, whatever appeared or left above it.
 * 3. Following ends only by a scroll. After a height changed, the position alone does not say who moved the list: the
 *    browser moves a list that became shorter too. Then only a user who moves it ends following (user-moves.ts), and
 *    for all others the end is restored.
 */
import { createRef } from 'preact'
import { UserMoves } from './user-moves.js'

/** What the user reads: the end of the list, or a message whose begin is `offset` pixels below the upper edge. */
export type Anchor = 'end' | { id: number; offset: number }

/** A list that is scrolled down as close to its end as this follows new messages. */
const AT_END = 40
/** So much of the end may be out of sight after rounding, or after a nudge. */
const SLACK = 4

/** So much of a message has to be in sight for it to be read. */
const SEEN = 12

/** Scrolls a list of `article` elements. The elements have the attribute `data-id`, and are in the order of the ids. */
export class ListScroller {
  readonly scroller = createRef<HTMLElement>()
  readonly content = createRef<HTMLDivElement>()
  #moves = new UserMoves()
  #settled = { top: 0, area: 0, total: 0 }

  /** Calls `onSize` when a height changes. @returns ends it */
  listen(onSize: () => void): () => void {
    const observer = new ResizeObserver(onSize)
    const { content, scroller } = this
    if (content.current !== null) observer.observe(content.current)
    if (scroller.current !== null) observer.observe(scroller.current)
    const stop = scroller.current === null ? undefined : this.#moves.listen(scroller.current)
    return () => {
      observer.disconnect()
      stop?.()
    }
  }

  /** The height of the area in sight. */
  get height(): number {
    return this.scroller.current?.clientHeight ?? innerHeight
  }

  /** How much of the list is above and below the area in sight; undefined while it is not in the page. */
  get rest(): { above: number; below: number } | undefined {
    const scroller = this.scroller.current
    if (scroller === null || scroller.clientHeight === 0) return undefined
    const { scrollTop: above, scrollHeight, clientHeight } = scroller
    return { above, below: scrollHeight - above - clientHeight }
  }

  /** Whether the end of the list is in sight. */
  get hasEnd(): boolean {
    const { rest } = this
    return rest === undefined || rest.below <= SLACK
  }

  /** The element of a message. */
  article(id: number): HTMLElement | null {
    return this.content.current?.querySelector<HTMLElement>(`:scope > [data-id="${id}"]`) ?? null
  }

  /** How far the begin of a message is below the upper edge. */
  offset(article: HTMLElement): number {
    return article.offsetTop - (this.scroller.current?.scrollTop ?? 0)
  }

  /** Selects the next (1) or the previous (-1) message after the selected one, or the one in sight if none is. */
  moveFocus(step: 1 | -1, selectedId: number | undefined): void {
    const articles = this.#articles()
    const selected = articles.findIndex((article) => Number(article.dataset.id) === selectedId)
    const next = selected === -1 ? this.#firstInSight(articles, step) : articles[selected + step]
    if (next === undefined) return
    next.focus({ preventScroll: true })
    next.scrollIntoView({ block: 'nearest' })
  }

  /** The message in sight next to one that was scrolled out of sight; undefined if that is in sight, or nothing is. */
  replaceUnseen(id: number): HTMLElement | undefined {
    const scroller = this.scroller.current
    if (scroller === null) return undefined
    const [top, bottom] = [scroller.scrollTop + SEEN, scroller.scrollTop + scroller.clientHeight - SEEN]
    const seen = this.#articles().filter(
      ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > top && offsetTop < bottom,
    )
    if (seen.some((article) => Number(article.dataset.id) === id)) return undefined
    return Number(seen[0]?.dataset.id) > id
      ? (this.#firstInSight(seen, 1) ?? seen[0])
      : (this.#firstInSight(seen, -1) ?? seen.at(-1))
  }

  /** The message that the user reads: the newest one at the end of the list, and the uppermost one anywhere else. */
  get read(): HTMLElement | undefined {
    const articles = this.#articles()
    return this.hasEnd ? articles.at(-1) : this.#firstInSight(articles, 1)
  }

  /** Gives the focus to the newest message. */
  focusLast(): void {
    this.#articles().at(-1)?.focus({ preventScroll: true })
  }

  /** Whether the end of a message is in sight. */
  hasEndInSight(id: number): boolean {
    const [scroller, article] = [this.scroller.current, this.article(id)]
    if (scroller === null || article === null) return false
    const end = article.offsetTop + article.offsetHeight
    return end > scroller.scrollTop && end <= scroller.scrollTop + scroller.clientHeight + 2
  }

  /** The id of the last message whose end is above the lower edge; 0 if there is none. */
  get lastSeen(): number {
    const scroller = this.scroller.current
    if (scroller === null) return 0
    const articles = this.#articles()
    const lower = scroller.scrollTop + scroller.clientHeight + 2
    const count = countWhile(articles, (article) => article.offsetTop + article.offsetHeight <= lower)
    return Number(articles[count - 1]?.dataset.id ?? 0)
  }

  /**
   * Measures the anchor after a scroll.
   * @param before the anchor until then
   * @param canFollow whether the end of the list is that of its narrow
   */
  measureScroll(before: Anchor, canFollow: boolean): Anchor {
    const { rest } = this
    if (before === 'end' && canFollow && this.#moves.isCalm) this.restore('end')
    if (rest === undefined || before === 'end' || !this.#hasNewHeights()) {
      return this.#measure(canFollow && (rest === undefined || this.#isFollowing(before, this.rest?.below ?? 0)))
    }
    // The layout moved the message too, before it was restored: that part is not the user's.
    const [scroller, article] = [this.scroller.current, this.article(before.id)]
    if (scroller !== null && article !== null) {
      scroller.scrollTop += article.offsetTop - before.offset - this.#settled.top
    }
    return this.#measure(canFollow && this.#isFollowing(before, this.rest?.below ?? 0))
  }

  /** Measures the anchor where nobody scrolled. */
  measureAtRest(before: Anchor, canFollow: boolean): Anchor {
    return this.#measure(canFollow && (before === 'end' || (this.rest?.below ?? 0) <= 1))
  }

  /** Scrolls to an anchor. @returns whether its message is in the list */
  restore(anchor: Anchor): boolean {
    const scroller = this.scroller.current
    if (scroller === null) return false
    const article = anchor === 'end' ? null : this.article(anchor.id)
    if (anchor !== 'end' && article === null) return false
    const top =
      article === null || anchor === 'end'
        ? scroller.scrollHeight - scroller.clientHeight
        : article.offsetTop - anchor.offset
    if (Math.abs(scroller.scrollTop - top) > 0.5) scroller.scrollTop = top
    this.#note()
    return true
  }

  /** Says that the user does not move the list any more. */
  endMove(): void {
    this.#moves.forget()
  }

  /** Whether the user has moved the list up since it was measured last. */
  get isMovedUp(): boolean {
    return this.#moves.isUp && (this.scroller.current?.scrollTop ?? 0) < this.#settled.top - 0.5
  }

  #isFollowing(before: Anchor, below: number): boolean {
    if (this.isMovedUp) return below <= SLACK
    return (before === 'end' && this.#hasNewHeights()) || below < AT_END
  }

  /** Whether a height differs from what it was when the position was measured last. */
  #hasNewHeights(): boolean {
    const scroller = this.scroller.current
    const { area, total } = this.#settled
    return scroller !== null && (scroller.clientHeight !== area || scroller.scrollHeight !== total)
  }

  #note(): void {
    const scroller = this.scroller.current
    if (scroller === null) return
    this.#settled = { top: scroller.scrollTop, area: scroller.clientHeight, total: scroller.scrollHeight }
  }

  #measure(isFollowing: boolean): Anchor {
    const scroller = this.scroller.current
    if (scroller === null) return 'end'
    if (isFollowing && this.#hasNewHeights()) return 'end'
    this.#note()
    if (isFollowing) return 'end'
    const articles = this.#articles()
    const count = countWhile(articles, (article) => article.offsetTop + article.offsetHeight <= scroller.scrollTop)
    const first = articles[count] ?? articles.at(-1)
    return first === undefined ? 'end' : { id: Number(first.dataset.id), offset: first.offsetTop - scroller.scrollTop }
  }

  #articles(): HTMLElement[] {
    return [...(this.content.current?.querySelectorAll<HTMLElement>(':scope > article') ?? [])]
  }

  #firstInSight(articles: HTMLElement[], step: 1 | -1): HTMLElement | undefined {
    const scroller = this.scroller.current
    if (scroller === null) return undefined
    const [top, bottom] = [scroller.scrollTop, scroller.scrollTop + scroller.clientHeight]
    const isInSight = (article: HTMLElement) =>
      article.offsetTop + article.offsetHeight <= bottom && article.offsetTop >= top
    return step === 1 ? articles.find(isInSight) : articles.findLast(isInSight)
  }
}

/** The number of articles at the begin of the list for which a condition holds. */
const countWhile = (articles: HTMLElement[], holds: (article: HTMLElement) => boolean): number => {
  let low = 0
  let high = articles.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(articles[middle] as HTMLElement)) low = middle + 1
    else high = middle
  }
  return low
}
