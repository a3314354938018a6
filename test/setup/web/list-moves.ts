/** Scripts that observe the list of messages of a page. Each is an expression that runs in the page. */

/** What the page shows of the list. */
export interface ShownList {
  ids: number[]
  /** pixels between the end of the list and what is in sight */
  below: number
  /** the message at the top, and how far its begin is from the top */
  first: number
  offset: number
}

/** Evaluates to a {@link ShownList}. Without a list, it has no messages and an infinite end. */
export const readList = `(() => {
  const scroller = document.querySelector('.message-scroller')
  if (scroller === null) return { ids: [], below: Infinity, first: NaN, offset: 0 }
  const articles = [...scroller.querySelectorAll('article')]
  const first = articles.find((one) => one.offsetTop + one.offsetHeight > scroller.scrollTop)
  return {
    ids: articles.map((one) => Number(one.dataset.id)),
    below: scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight,
    first: Number(first?.dataset.id),
    offset: (first?.offsetTop ?? 0) - scroller.scrollTop,
  }
})()`

/** Evaluates to a promise of the end of scrolling. The browser can do it smoothly. */
export const awaitRest = `(async () => {
  const scroller = document.querySelector('.message-scroller')
  for (let still = 0, top = -1; still < 20; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    still = scroller?.scrollTop === top ? still + 1 : 0
    top = scroller?.scrollTop ?? 0
  }
})()`

/**
 * Records how far the messages in sight move in each frame. It appends the number of pixels to the global `moves`: down
 * is positive.
 */
export const watchMoves = `(() => {
  globalThis.moves = []
  let before = new Map()
  const look = () => {
    const now = new Map()
    for (const article of document.querySelectorAll('article')) {
      const { top } = article.getBoundingClientRect()
      if (top > 0 && top < innerHeight) now.set(article.dataset.id, top)
    }
    for (const [id, top] of now) {
      if (!before.has(id)) continue
      moves.push(top - before.get(id))
      break
    }
    before = now
    requestAnimationFrame(look)
  }
  look()
})()`
