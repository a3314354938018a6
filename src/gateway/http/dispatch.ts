/**
 * From a method and a path to the endpoint that stands there, and from an HTTP request to a call on the road.
 *
 * Paths below `/api/v1` are the API (`/json` is another name for it), the others are the site's. Double slashes count
 * as one. Source: errors.md sections 5.1 and 6.
 */
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { CallPipeline } from './call.js'
import { type DecodedBody, decodeForm, emptyFields } from './decode-form.js'
import type { CallRequest, Endpoint, Registry, UploadedFile } from './endpoint.js'
import { composeFailure, type Reply } from './envelope.js'
import type { Fields } from './params.js'
import { buildRouter, type Match, type Target } from './router.js'
import type { SitePage } from './site-page.js'
import type { HttpExchange } from './transport.js'

/** An endpoint with its name in the registry. */
export interface NamedEndpoint {
  name: string
  endpoint: Endpoint
}

/** What stands at a path: endpoints by method, or a page. */
export type Route = { page: SitePage } | { match: EndpointMatch }
export type EndpointMatch = Match<NamedEndpoint>

/** A request without its body, copied out of the library. */
export interface RequestHead {
  readonly method: string
  readonly query: string
  readonly host: string
  readonly authorization: string
  readonly userAgent: string
}

export interface Dispatch {
  /** undefined: an unknown path */
  findRoute(path: string): Route | undefined
  /** The endpoint for a method, with the values from its path. Throws METHOD_NOT_ALLOWED. */
  selectEndpoint(match: EndpointMatch, method: string): [NamedEndpoint, path: Fields]
  /** Answers a request whose body is read. @returns undefined when the handler took the exchange */
  handle(
    match: EndpointMatch,
    head: RequestHead,
    body: DecodedBody | undefined,
    exchange: HttpExchange,
  ): Promise<Reply | undefined>
}

const noFiles: readonly UploadedFile[] = []
const noPathValues: Fields = {}

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
      const inside = stripApiPrefix(path)
      const match = inside === undefined ? site(path) : api(inside)
      return match && { match }
    },

    async handle(match, head, body, exchange) {
      let request: HttpCallRequest
      let named: NamedEndpoint
      try {
        const fields = mergeFields(head.query, body)
        const [found, path] = selectEndpoint(match, head.method === 'POST' ? takeMethodOverride(fields) : head.method)
        named = found
        request = new HttpCallRequest(head, fields, path, body?.files ?? noFiles, exchange)
      } catch (error) {
        if (error instanceof ApiError) return composeFailure(error)
        throw error
      }
      return pipeline.call(named.name, named.endpoint, request, exchange)
    },
  }
}

/** A class for the sake of its getter: the address is rarely asked for, and every request makes one of these. */
class HttpCallRequest implements CallRequest {
  readonly transport = 'http'
  readonly form = 'text'
  readonly host: string
  readonly authorization: string
  readonly userAgent: string
  readonly fields: Fields
  readonly path: Fields
  readonly files: readonly UploadedFile[]
  readonly #exchange: HttpExchange

  constructor(head: RequestHead, fields: Fields, path: Fields, files: readonly UploadedFile[], exchange: HttpExchange) {
    this.host = head.host
    this.authorization = head.authorization
    this.userAgent = head.userAgent
    this.fields = fields
    this.path = path
    this.files = files
    this.#exchange = exchange
  }

  get ip(): string {
    return this.#exchange.remoteAddress
  }
}

/** Fields of the body come before those of the query. */
const mergeFields = (query: string, body: DecodedBody | undefined): Record<string, string> => {
  if (query === '') return body?.fields ?? emptyFields()
  const fields = decodeForm(query)
  return body === undefined ? fields : Object.assign(fields, body.fields)
}

/** The methods a path knows, as the Allow header lists them. */
export const allowedMethods = (values: ReadonlyMap<string, unknown>): string[] =>
  [...values.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).sort()

/** Double slashes count as one: clients join an address and a path without looking. */
export const collapseSlashes = (path: string): string => (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path)

/** The path below the API's prefix; undefined outside of it. */
export const stripApiPrefix = (path: string): string | undefined => {
  if (path.startsWith('/api/v1/')) return path.slice('/api/v1'.length)
  return path.startsWith('/json/') ? path.slice('/json'.length) : undefined
}

/** The form field `method` of a POST names another method, for clients that can send nothing else. */
const takeMethodOverride = (fields: Record<string, string>): string => {
  const { method } = fields
  if (method === undefined) return 'POST'
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
