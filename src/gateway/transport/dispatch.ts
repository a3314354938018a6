/**
 * Finds the endpoint of a method and path, and passes an HTTP request to the call pipeline.
 *
 * Paths below `/api/v1` (or its alias `/json`) are paths of the API; all others are paths of the site. Repeated slashes
 * count as one. Source: protocol/errors.md 5.1 and 6.
 */
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { isForeignOrigin } from '../auth/request-origin.js'
import { readLogInFlow, readSession } from '../auth/session-cookie.js'
import { type DecodedBody, decodeForm, emptyFields } from '../body/decode-form.js'
import type { CallPipeline } from '../call/call.js'
import type { Endpoint, Registry } from '../call/endpoint.js'
import { composeFailure, type Reply } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import type { HttpSide } from '../call/running-call.js'
import type {
  CallRequest,
  Fields,
  PreAuthentication,
  SessionCredentials,
  UploadedFile,
} from '../contract/call-request.js'
import type { HttpExchange } from '../contract/transport.js'
import type { SitePage } from '../pages/site-page.js'
import { buildRouter, type Match, type Target } from './router.js'

/** An endpoint with its name in the registry. */
export interface NamedEndpoint {
  name: string
  endpoint: Endpoint
}

/** What a path leads to: endpoints by method, or a page outside the API. */
export type Route = { page: SitePage } | { match: EndpointMatch }
export type EndpointMatch = Match<NamedEndpoint>

/** The head of a request, copied out of the native object, which is valid only during its callback. */
export interface RequestHead {
  readonly method: string
  readonly query: string
  readonly host: string
  readonly authorization: string
  readonly userAgent: string
  /** the header Accept-Language; '' when it is absent, or was not read */
  readonly acceptLanguage: string
  /** the header Idempotency-Key; '' when it is absent */
  readonly idempotencyKey: string
  readonly origin: string
  /** the Cookie header */
  readonly cookie: string
  /** the header X-CSRF-Token */
  readonly csrfToken: string
}

export interface Dispatch {
  /** What a path leads to; undefined when it is unknown. */
  findRoute(path: string): Route | undefined
  /** The endpoint for a method, with the values of its path parameters. Throws METHOD_NOT_ALLOWED. */
  selectEndpoint(match: EndpointMatch, method: string): [NamedEndpoint, path: Fields]
  /**
   * Authenticates and counts a call before its body is received. Throws METHOD_NOT_ALLOWED, and what `preAuthenticate`
   * of the pipeline throws.
   */
  preAuthenticate(match: EndpointMatch, head: RequestHead, exchange: HttpExchange): Promise<PreAuthentication>
  /**
   * Runs the call of a request whose body was received.
   * @param preAuthentication the outcome of `preAuthenticate`, if it was called
   * @returns undefined when the handler answers by itself, or later
   */
  handle(
    match: EndpointMatch,
    head: RequestHead,
    body: DecodedBody | undefined,
    http: HttpSide,
    preAuthentication?: PreAuthentication,
  ): Promise<Reply | undefined>
}

const noFiles: readonly UploadedFile[] = []
const noPathValues: Fields = {}

/** Builds the routes of all endpoints and pages. */
export const openDispatch = (registry: Registry, pages: readonly SitePage[], pipeline: CallPipeline): Dispatch => {
  const api = buildRouter(listTargets(registry, (endpoint) => endpoint.site !== true))
  const site = buildRouter(listTargets(registry, (endpoint) => endpoint.site === true))
  const pagesByPath = new Map(pages.map((page) => [page.path, page]))

  const selectEndpoint = ({ values, captured }: EndpointMatch, method: string): [NamedEndpoint, path: Fields] => {
    const found = values.get(method === 'HEAD' ? 'GET' : method)
    if (found === undefined) throw errors.methodNotAllowed({ allowed_methods: allowedMethods(values) })
    const { value, names } = found
    if (names.length === 0) return [value, noPathValues]
    return [value, Object.fromEntries(names.map((name, i) => [name, captured[i]]))]
  }

  return {
    selectEndpoint,

    findRoute(rawPath) {
      const path = collapseSlashes(rawPath)
      const page = pagesByPath.get(path)
      if (page !== undefined) return { page }
      const pathInApi = stripApiPrefix(path)
      const match = pathInApi === undefined ? site(path) : api(pathInApi)
      return match && { match }
    },

    async preAuthenticate(match, head, exchange) {
      // A POST can select another method in its body, which is not known yet.
      const isUnknown = head.method === 'POST' && !match.values.has('POST')
      const [named, path] = isUnknown ? [undefined, noPathValues] : selectEndpoint(match, head.method)
      const request = new HttpCallRequest(head, decodeForm(head.query), path, undefined, exchange)
      return pipeline.preAuthenticate(named?.name ?? 'unknown', named?.endpoint, request, exchange)
    },

    handle(match, head, body, http, preAuthentication) {
      try {
        const fields = mergeFields(head.query, body)
        const [named, path] = selectEndpoint(match, head.method === 'POST' ? takeMethodOverride(fields) : head.method)
        const request = new HttpCallRequest(head, fields, path, body, http.exchange, preAuthentication)
        return pipeline.call(named.name, named.endpoint, request, http)
      } catch (error) {
        return error instanceof ApiError
          ? Promise.resolve(composeFailure(error, acceptedTexts(head.acceptLanguage)))
          : Promise.reject(error)
      }
    },
  }
}

/** A call over HTTP. It is a class for its getters: what they compute costs, and most calls do not need it. */
class HttpCallRequest implements CallRequest {
  readonly transport = 'http'
  readonly encoding: 'text' | 'json'
  readonly host: string
  readonly authorization: string
  readonly userAgent: string
  readonly acceptLanguage: string
  readonly idempotencyKey: string
  readonly fields: Fields
  readonly query: string
  readonly path: Fields
  readonly files: readonly UploadedFile[]
  readonly raw: readonly Uint8Array[] | undefined
  readonly preAuthentication: PreAuthentication | undefined
  readonly session: SessionCredentials | undefined
  readonly logInFlow: string | undefined
  readonly #origin: string
  readonly #exchange: HttpExchange

  constructor(
    head: RequestHead,
    fields: Fields,
    path: Fields,
    body: DecodedBody | undefined,
    exchange: HttpExchange,
    preAuthentication?: PreAuthentication,
  ) {
    this.host = head.host
    this.authorization = head.authorization
    this.userAgent = head.userAgent
    this.acceptLanguage = head.acceptLanguage
    this.idempotencyKey = head.idempotencyKey
    this.fields = fields
    this.query = head.query
    this.path = path
    this.files = body?.files ?? noFiles
    this.raw = body?.raw
    this.encoding = body?.encoding ?? 'text'
    this.preAuthentication = preAuthentication
    this.session = head.cookie === '' ? undefined : readSession(head, () => exchange.isSecure)
    this.logInFlow = head.cookie === '' ? undefined : readLogInFlow(head.cookie, () => exchange.isSecure)
    this.#origin = head.origin
    this.#exchange = exchange
  }

  get ip(): string {
    return this.#exchange.remoteAddress
  }

  get isFromForeignPage(): boolean {
    return isForeignOrigin(this.#origin, this.host)
  }
}

/** The fields of the body and of the query. A field of the body wins over one of the query. */
const mergeFields = (query: string, body: DecodedBody | undefined): Record<string, unknown> => {
  if (query === '') return body?.fields ?? emptyFields()
  const fields: Record<string, unknown> = decodeForm(query)
  return body === undefined ? fields : Object.assign(fields, body.fields)
}

/** The methods of a path, as the Allow header lists them. */
export const allowedMethods = (values: ReadonlyMap<string, unknown>): string[] =>
  [...values.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).sort()

/** Replaces repeated slashes by one. Some clients join a base URL and a path with two. */
export const collapseSlashes = (path: string): string => (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path)

/** The path below the API's prefix; undefined for other paths. */
export const stripApiPrefix = (path: string): string | undefined => {
  if (path.startsWith('/api/v1/')) return path.slice('/api/v1'.length)
  return path.startsWith('/json/') ? path.slice('/json'.length) : undefined
}

/** Removes the form field `method`, by which a POST can select another method. @returns the method */
const takeMethodOverride = (fields: Record<string, unknown>): string => {
  const { method } = fields
  if (typeof method !== 'string') return 'POST'
  delete fields.method
  return method.toUpperCase()
}

function* listTargets(registry: Registry, isWanted: (endpoint: Endpoint) => boolean): Iterable<Target<NamedEndpoint>> {
  for (const [name, endpoint] of Object.entries(registry)) {
    if (!isWanted(endpoint)) continue
    const inPath = endpoint.list.filter(([, { wire }]) => wire === 'path' || wire === 'rest')
    const segments = Object.fromEntries(inPath.map(([key, param]) => [key, segmentKind(param)]))
    for (const path of endpoint.paths) yield { method: endpoint.method, path, segments, value: { name, endpoint } }
  }
}

const segmentKind = ({ wire, schema }: { wire: string; schema: { type: string } }): 'number' | 'text' | 'rest' => {
  if (wire === 'rest') return 'rest'
  return schema.type === 'number' ? 'number' : 'text'
}
