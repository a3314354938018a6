/** What a stream of events does at a time: it reads a connection, follows another page, or waits. */

/** Something that lasts until it ends by itself or is interrupted. */
export interface Activity<Result> {
  readonly ended: Promise<Result>
  /** Ends it. Does nothing after the end. */
  interrupt(): void
  /** The page is in sight again, or the device is online again. */
  wake?(): void
  /** Does what is due: browsers hold back the timers of a page that is hidden, and not what other pages tell it. */
  catchUp?(): void
}

/** Lasts until it is interrupted. */
export const untilInterrupted = (): Activity<void> => {
  let interrupt = () => {}
  const ended = new Promise<void>((resolve) => {
    interrupt = resolve
  })
  return { ended, interrupt: () => interrupt() }
}

/** Waits for so many milliseconds. */
export const pause = (milliseconds: number): Activity<void> => {
  const endAt = Date.now() + milliseconds
  const { ended, interrupt } = untilInterrupted()
  const timer = setTimeout(interrupt, milliseconds)
  const end = () => {
    clearTimeout(timer)
    interrupt()
  }
  return { ended, interrupt: end, wake: end, catchUp: () => void (Date.now() >= endAt && end()) }
}
