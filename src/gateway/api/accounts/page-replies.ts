/** Answers of the endpoints that links in mails lead to: HTML pages for browsers, JSON for programs that ask for it. */
import { streaming } from '../../http/endpoint.js'
import type { HttpExchange } from '../../http/transport.js'

/** Whether the Accept header asks for JSON. */
export const acceptsJson = (exchange: HttpExchange): boolean => exchange.header('accept').includes('application/json')

/** The page loads nothing, sends no Referer with its secret URL, and may not be cached or framed. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Answers with an HTML page. */
export const replyWithPage = (exchange: HttpExchange, status: number, html: string) => {
  exchange.reply(status, pageHeaders, html)
  return streaming
}

/** Answers with JSON in the envelope of a success. */
export const replyWithJson = (exchange: HttpExchange, fields: object) => {
  const body = JSON.stringify({ result: 'success', msg: '', ...fields })
  exchange.reply(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body)
  return streaming
}
