/** The server refused a call. `code` is for programs, `message` is a sentence for people. */
export class ApiError extends Error {
  /** the HTTP status */
  readonly status: number
  readonly code: string | undefined
  /** the whole answer, with the fields that some errors have */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.msg === 'string' ? body.msg : `The server answered with status ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.body = body
  }

  /** seconds after which the call may be repeated; undefined when the server names none */
  get retryAfter(): number | undefined {
    const seconds = this.body['retry-after']
    return typeof seconds === 'number' ? seconds : undefined
  }
}

/**
 * There is no answer, because the connection failed. A call that changes something may have taken effect: for a
 * message, look for the event with your `local_message_id` before you send it again.
 */
export class ConnectionError extends Error {
  /** whether the call certainly had no effect, so that it may be made again */
  readonly hadNoEffect: boolean

  constructor(message: string, { hadNoEffect = false, ...options }: { cause?: unknown; hadNoEffect?: boolean } = {}) {
    super(message, options)
    this.name = 'ConnectionError'
    this.hadNoEffect = hadNoEffect
  }
}

/**
 * There is no answer within the time limit of the call. Like for each ConnectionError, the call may have taken effect.
 */
export class TimeoutError extends ConnectionError {
  constructor(milliseconds: number) {
    super(`There was no answer within ${milliseconds / 1_000} seconds.`)
    this.name = 'TimeoutError'
  }
}
