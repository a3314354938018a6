/** Answers of the endpoints that links in mails lead to: HTML pages for browsers, JSON for programs that ask for it. */
import { streaming } from '../../http/endpoint.js'
import { acceptsValue } from '../../http/header-values.js'
import type { Page } from '../../http/html-page.js'
import type { HttpExchange } from '../../http/transport.js'

/** Whether the Accept header asks for JSON. */
export const acceptsJson = (exchange: HttpExchange): boolean =>
  acceptsValue(exchange.header('accept'), 'application/json')

/** Answers with an HTML page, which no cache may store. */
export const replyWithPage = (exchange: HttpExchange, status: number, { html, headers }: Page) => {
  exchange.reply(status, { ...headers, 'Cache-Control': 'no-store' }, html)
  return streaming
}

/** Answers with JSON in the envelope of a success. */
export const replyWithJson = (exchange: HttpExchange, fields: object) => {
  const body = JSON.stringify({ result: 'success', msg: '', ...fields })
  exchange.reply(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body)
  return streaming
}
