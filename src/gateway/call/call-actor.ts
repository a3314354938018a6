/** The actor of the writes of a call. */
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../store/log/write-context.js'
import type { CallTrace } from '../../store/tracing.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { Endpoint } from './endpoint.js'

/** The caller as the actor of an entry. A class for its getters: most calls need neither value. */
export class CallActor implements Actor {
  readonly user_id: number | null
  readonly trace: string | undefined
  readonly #endpoint: Endpoint
  readonly #request: CallRequest
  readonly #address: string | undefined
  #name: string | undefined

  constructor(endpoint: Endpoint, request: CallRequest, caller: Caller | undefined, trace: CallTrace | undefined) {
    this.trace = trace?.parent
    this.user_id = caller?.id ?? null
    this.#endpoint = endpoint
    this.#request = request
    // Read now: the address of a caller who closes the connection must not be missing in the audit log.
    this.#address = endpoint.isFrequent === true ? undefined : request.ip
  }

  get address(): string {
    return this.#address ?? this.#request.ip
  }

  get request(): string {
    this.#name ??= randomUUID()
    return this.#name
  }

  get action(): string {
    return `${this.#endpoint.method} ${this.#endpoint.paths[0]}`
  }
}
