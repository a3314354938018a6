/**
 * The element that scrolls a list of messages: what is in sight, and how that stays in sight.
 *
 * 1. The anchor is the first message in sight, or the end of the list for a user who follows the newest messages.
 * 2. Restoring an anchor moves its message back to where it was measured, whatever appeared or left above it.
 */
import { createRef } from 'preact'

/** What the user reads: the end of the list, or a message whose begin is `offset` pixels below the upper edge. */
export type Anchor = 'end' | { id: number; offset: number }

/** A user who is this close to the end follows new messages. */
const AT_END = 40

/** A list of `article` elements with the attribute `data-id`, in the order of the ids. */
export class ListScroller {
  readonly scroller = createRef<HTMLElement>()
  readonly content = createRef<HTMLDivElement>()

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

  /** The element of a message. */
  article(id: number): HTMLElement | null {
    return this.content.current?.querySelector<HTMLElement>(`:scope > [data-id="${id}"]`) ?? null
  }

  /** Selects the next (1) or the previous (-1) message, from the one in sight if none is selected. */
  moveFocus(step: 1 | -1): void {
    const articles = this.#articles()
    const focused = articles.findIndex((article) => article.contains(document.activeElement))
    const next = focused === -1 ? this.#firstInSight(articles, step) : articles[focused + step]
    if (next === undefined) return
    next.focus({ preventScroll: true })
    next.scrollIntoView({ block: 'nearest' })
  }

  /** Whether the end of a message is in sight. */
  hasEndInSight(id: number): boolean {
    const [scroller, article] = [this.scroller.current, this.article(id)]
    if (scroller === null || article === null) return false
    const end = article.offsetTop + article.offsetHeight
    return end > scroller.scrollTop && end <= scroller.scrollTop + scroller.clientHeight + 2
  }

  /** Measures the anchor. @param hasEnd whether the end of the list is that of its narrow */
  measure(hasEnd: boolean): Anchor {
    const [scroller, rest] = [this.scroller.current, this.rest]
    if (scroller === null || (hasEnd && (rest === undefined || rest.below < AT_END))) return 'end'
    const articles = this.#articles()
    let low = 0
    let high = articles.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const article = articles[middle] as HTMLElement
      if (article.offsetTop + article.offsetHeight <= scroller.scrollTop) low = middle + 1
      else high = middle
    }
    const first = articles[low]
    return first === undefined ? 'end' : { id: Number(first.dataset.id), offset: first.offsetTop - scroller.scrollTop }
  }

  /** Scrolls to an anchor. @returns whether its message is in the list */
  restore(anchor: Anchor): boolean {
    const scroller = this.scroller.current
    if (scroller === null) return false
    if (anchor === 'end') {
      scroller.scrollTop = scroller.scrollHeight
      return true
    }
    const article = this.article(anchor.id)
    if (article === null) return false
    const top = article.offsetTop - anchor.offset
    if (Math.abs(scroller.scrollTop - top) > 0.5) scroller.scrollTop = top
    return true
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
