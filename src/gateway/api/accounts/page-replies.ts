/** Answers to whoever follows a link in a mail: pages for people, JSON for programs that ask for it. */
import { streaming } from '../../http/endpoint.js'
import type { HttpExchange } from '../../http/transport.js'

/** Whether JSON is asked for. */
export const acceptsJson = (exchange: HttpExchange): boolean => exchange.header('accept').includes('application/json')

/** No address in it leads anywhere else, and nobody may keep what it says. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Answers with a page. */
export const replyWithPage = (exchange: HttpExchange, status: number, html: string) => {
  exchange.reply(status, pageHeaders, html)
  return streaming
}

/** Answers a program. */
export const replyWithJson = (exchange: HttpExchange, fields: object) => {
  const body = JSON.stringify({ result: 'success', msg: '', ...fields })
  exchange.reply(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body)
  return streaming
}
