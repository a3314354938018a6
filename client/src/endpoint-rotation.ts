/** The gateways of a client, and the calls over HTTP: to one gateway after the other until one answers. */
import { ConnectionError, TimeoutError } from './kernel/errors.js'
import { type Http, limitTime, type Request, type Values } from './kernel/http.js'

/** The gateways, one of which is called. */
export interface EndpointRotation {
  /** the address of the gateway that answered last */
  readonly gateway: string
  /** From now on, calls are sent to another gateway than this one. */
  leave(gateway: string): void
  /**
   * Sends a call until a gateway answers. Throws ApiError, ConnectionError and the reason of the signal of the request.
   * @param timeout how long an attempt of a call that only reads may take, in milliseconds
   * @param last when the last attempt of a call that changes something ends, as performance.now()
   */
  call(request: Request, timeout: number, last: number): Promise<Values>
}

/** Opens the rotation of these gateways. */
export const openRotation = (http: Http, gateways: readonly string[]): EndpointRotation => {
  let current = 0
  const leave = (gateway: string): void => {
    if (gateways[current] === gateway) current = (current + 1) % gateways.length
  }
  return {
    get gateway() {
      return gateways[current] as string
    },
    leave,
    async call(request, timeout, last) {
      for (let attempt = 1; ; attempt++) {
        const gateway = gateways[current] as string
        const limit = request.method === 'GET' ? timeout : Math.max(0, last - performance.now())
        try {
          return await limitTime(limit, request, (limited) => http.call(gateway, limited))
        } catch (error) {
          if (!(error instanceof ConnectionError)) throw error
          leave(gateway)
          const isRepeated = attempt === 1 && request.isRepeatable === true && !(error instanceof TimeoutError)
          const isLast = attempt >= gateways.length || (request.method !== 'GET' && request.isRepeatable !== true)
          if (isLast && !isRepeated) throw error
        }
      }
    },
  }
}
