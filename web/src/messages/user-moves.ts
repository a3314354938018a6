/**
 * Notices that the user moves a list up: with the wheel, a finger, a key, the scrollbar, by selecting text, or by moving
 * the focus. The browser says only that a list scrolled, not why.
 */

/** A wheel and a key go on to move the list for so long. */
const MOVE_MS = 400

const keys = new Set(['PageUp', 'ArrowUp', 'Home', ' '])

/** Watches the user. */
export class UserMoves {
  #isHeld = false
  #until = 0

  /** Whether the user moves the list up now, if it moves up. */
  get isUp(): boolean {
    return this.#isHeld || performance.now() < this.#until
  }

  /** Watches a list. @returns ends it */
  listen(scroller: HTMLElement): () => void {
    const end = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
      target: HTMLElement | Window = scroller,
    ) => target.addEventListener(name, run as EventListener, { passive: true, signal: end.signal })
    on('wheel', ({ deltaY }) => deltaY < 0 && this.#begin())
    on('touchmove', () => this.#begin())
    on('keydown', ({ key }) => keys.has(key) && this.#begin())
    on('focusin', () => this.#begin())
    on('pointerdown', () => {
      this.#isHeld = true
    })
    // The button may be released outside of the list.
    const release = () => {
      this.#isHeld = false
    }
    on('pointerup', release, window)
    on('pointercancel', release, window)
    return () => end.abort()
  }

  #begin(): void {
    this.#until = performance.now() + MOVE_MS
  }
}
