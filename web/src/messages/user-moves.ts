/**
 * Notices that the user moves a list up: with the wheel, a finger, a key, the scrollbar, by selecting text, or by
 * moving the focus. The browser says only that a list scrolled, not why.
 */

/** A wheel and a key go on to move the list for so long. */
const MOVE_MS = 400
/** A smooth scroll over a long way takes up to so long. */
const SMOOTH_MS = 1_500

/** Events of a wheel that follow each other faster belong to one move, which a touchpad goes on with by itself. */
const GESTURE_MS = 200

const keys = new Set(['PageUp', 'ArrowUp', 'Home', ' '])

/** Watches the user. */
export class UserMoves {
  #isHeld = false
  #until = 0
  #calmUntil = 0
  #lastWheel = 0
  #isForgotten = false

  /** Whether the user moves the list up now, if it moves up. */
  get isUp(): boolean {
    return this.#isHeld || performance.now() < this.#until
  }

  /** Whether a move before `forget` may still go on: browsers scroll smoothly. */
  get isCalm(): boolean {
    return performance.now() < this.#calmUntil
  }

  /** What the user did next, such as sending, ends the move. */
  forget(): void {
    this.#isHeld = false
    this.#until = 0
    this.#calmUntil = performance.now() + SMOOTH_MS
    this.#isForgotten = performance.now() - this.#lastWheel < GESTURE_MS
  }

  /** Watches a list. @returns ends it */
  listen(scroller: HTMLElement): () => void {
    const end = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
      target: HTMLElement | Window = scroller,
    ) => target.addEventListener(name, run as EventListener, { passive: true, signal: end.signal })
    on('wheel', ({ deltaY }) => {
      const now = performance.now()
      if (now - this.#lastWheel > GESTURE_MS) this.#isForgotten = false
      this.#lastWheel = now
      if (deltaY < 0 && !this.#isForgotten) this.#begin()
    })
    on('touchmove', () => this.#begin())
    on('keydown', ({ key }) => keys.has(key) && this.#begin())
    on('focusin', () => this.#begin())
    on('pointerdown', () => {
      this.#isHeld = true
      this.#calmUntil = 0
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
    this.#calmUntil = 0
  }
}
