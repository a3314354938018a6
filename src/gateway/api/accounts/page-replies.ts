/** Answers of the endpoints that links in mails lead to: HTML pages for browsers, JSON for programs that ask for it. */
import { streaming } from '../../call/endpoint.js'
import { acceptsValue } from '../../contract/header-values.js'
import type { HttpExchange } from '../../contract/transport.js'
import type { Page } from '../../pages/html-page.js'

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
