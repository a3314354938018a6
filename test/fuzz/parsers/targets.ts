/**
 * The parsers that read what clients send, each as a function of bytes that the fuzzer changes. A parser may refuse
 * what it gets, with an error of the protocol; everything else that it throws is a fault. What it returns must hold
 * what its readers rely on.
 */

import { replaceEmptyTopicName } from '../../../rules/src/narrow.js'
import { openOwnProxy } from '../../../src/domain/deployment/media-proxy.js'
import { render, renderInline } from '../../../src/domain/markdown/render.js'
import { composeMailContent } from '../../../src/domain/messages/missed/mail-content.js'
import { writeMailHtml } from '../../../src/domain/messages/missed/mail-html.js'
import { parseNarrow, resolveNarrow } from '../../../src/domain/messages/narrow/narrow.js'
import { callerNetwork, clientAddressFinder } from '../../../src/domain/net/client-address.js'
import { ApiError } from '../../../src/domain/protocol/errors.js'
import { proxyStoredMedia } from '../../../src/domain/rendering/proxied-media.js'
import { isForeignOrigin } from '../../../src/gateway/auth/request-origin.js'
import { readSession } from '../../../src/gateway/auth/session-cookie.js'
import { decodeBody, decodeForm } from '../../../src/gateway/body/decode-form.js'
import { parseJson } from '../../../src/gateway/body/json-values.js'
import { splitMultipart } from '../../../src/gateway/body/multipart.js'
import { parseClientName } from '../../../src/gateway/call/user-agent.js'
import { parseByteRange } from '../../../src/gateway/contract/byte-range.js'
import { acceptsValue, hasTag, parseParameters } from '../../../src/gateway/contract/header-values.js'
import { parseFrame } from '../../../src/gateway/sockets/socket-call.js'
import { findFramingFault } from '../../../src/gateway/transport/request-framing.js'
import { findFaults, REALM_URL } from '../../markdown/browser-check.js'
import { renderContext } from '../../markdown/render-context.js'
import { StateBuilder } from '../../setup/realm/state-builder.js'

/** Throws for what must hold. */
const require = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`This does not hold: ${what}`)
}

/** Runs a parser that may refuse its input. */
const orRefuse = <T>(parse: () => T): T | undefined => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

const utf8 = (data: Uint8Array): string => Buffer.from(data).toString()
/** As uWebSockets gives the values of headers. */
const latin1 = (data: Uint8Array): string => Buffer.from(data).toString('latin1')

/** The first line, and the bytes that follow it. */
const splitLine = (data: Uint8Array): [string, Buffer] => {
  const bytes = Buffer.from(data)
  const end = bytes.indexOf('\n')
  return end === -1 ? [latin1(bytes), Buffer.alloc(0)] : [latin1(bytes.subarray(0, end)), bytes.subarray(end + 1)]
}

/** The boundary is the first line, the body is the rest. */
const multipart = (data: Uint8Array): void => {
  const [boundary, body] = splitLine(data)
  const parts = splitMultipart(body, boundary, 20)
  if (parts === undefined || parts === 'too many') return
  require(parts.length <= 20, 'there are no more parts than are allowed')
  const size = parts.reduce((sum, part) => sum + part.data.length, 0)
  require(size <= body.length, 'the parts are in the body')
  for (const part of parts) require(!part.data.includes(`\r\n--${boundary}`), 'no part has a boundary')
  orRefuse(() => decodeBody(body, `multipart/form-data; boundary=${boundary}`))
}

/** The Content-Type is the first line, the body is the rest. */
const form = (data: Uint8Array): void => {
  const [type, body] = splitLine(data)
  const decoded = orRefuse(() => decodeBody(body, type))
  require(Object.getPrototypeOf({}) === Object.prototype && !('polluted' in {}), 'no object got a property')
  for (const value of decoded?.encoding === undefined ? Object.values(decoded?.fields ?? {}) : [])
    require(typeof value === 'string', 'the fields of a form are texts')
  orRefuse(() => decodeForm(utf8(body)))
  const text = utf8(body)
  const value = parseJson(text)
  if (value !== undefined) require(JSON.stringify(value) === JSON.stringify(JSON.parse(text)), 'it is the same JSON')
}

const findAddress = clientAddressFinder(['10.0.0.0/8', '127.0.0.1'])

const headers = (data: Uint8Array): void => {
  const value = latin1(data)
  const [first = '', ...others] = value.split('\n')
  parseParameters(value)
  acceptsValue(value, 'gzip')
  hasTag(value, 'tag')
  const range = parseByteRange(value, 1_000)
  if (typeof range === 'object')
    require(0 <= range.from && range.from <= range.to && range.to < 1_000, 'the range is in the file')
  const session = readSession(
    { cookie: `parley_session=${value}`, csrfToken: first, host: first, origin: first },
    () => false,
  )
  require(session === undefined || !session.token.includes(';'), 'a cookie ends at a semicolon')
  parseClientName(undefined, value)
  isForeignOrigin(first, others[0] ?? '')
  const address = findAddress('10.0.0.1', value.split('\n'))
  require(callerNetwork(address) !== '' || address === '', 'an address has a network')
  findFramingFault({
    forEach: (visit) => {
      for (const line of value.split('\n')) visit(line.length % 2 === 0 ? 'content-length' : 'transfer-encoding', line)
    },
  })
}

const builder = new StateBuilder()
const reader = builder.user()
builder.user()
builder.channel({ name: 'design' })

const narrow = (data: Uint8Array): void => {
  const list = parseJson(utf8(data))
  if (!Array.isArray(list)) return
  const terms = orRefuse(() => replaceEmptyTopicName(parseNarrow(list)))
  if (terms === undefined) return
  for (const one of [reader, undefined]) {
    const resolved = orRefuse(() => resolveNarrow(builder.state, one, terms))
    if (resolved !== undefined) JSON.stringify(resolved)
  }
}

const context = { ...renderContext, realm_url: REALM_URL }
const mediaProxy = openOwnProxy({ pictureSignature: () => '0'.repeat(40) })
const deployment = { ...builder.state.deployment, mediaProxy }
const mailReader = {
  language: 'en',
  realm_url: REALM_URL,
  timezone: 'UTC',
  twenty_four_hour_time: true,
  nameOf: () => 'Ada',
} as unknown as Parameters<typeof composeMailContent>[1]

const checkHtml = (html: string, what: string): void => {
  const faults = findFaults(html)
  require(faults.length === 0, `${what} is made of its constructs: ${faults.join('; ')}`)
}

const markdown = (data: Uint8Array): void => {
  const text = utf8(data).replaceAll('\0', '')
  const { html } = render(text, context)
  checkHtml(html, 'a message')
  checkHtml(renderInline(text, context), 'a description')
  const proxied = proxyStoredMedia(html, deployment)
  checkHtml(proxied, 'a message with proxied pictures')
  require(!/<img[^>]* src="http/.test(proxied), 'a picture of another site is proxied')
  writeMailHtml(composeMailContent(html, mailReader))
}

const frame = (data: Uint8Array): void => {
  const [req, parsed] = parseFrame(utf8(data))
  require(req === null || Number.isInteger(req), 'a frame has a whole number')
  if (!(parsed instanceof ApiError)) require(parsed.path.startsWith('/'), 'a path begins with a slash')
}

/** The parsers by name. */
export const targets: Readonly<Record<string, (data: Uint8Array) => void>> = {
  multipart,
  form,
  headers,
  narrow,
  markdown,
  frame,
}

// The fuzzer calls an export by its name.
export { form, frame, headers, markdown, multipart, narrow }
