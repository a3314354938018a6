/** What a page does together with the other pages that share its connection (shared-lead.ts). */
import type { News } from '../follow.js'
import { joinPages, type SharedLead } from '../shared-lead.js'
import { interrupt, isFollowing, type Order, type Stream, tellPages } from './stream.js'

/** Joins the pages that register in the same way. Returns undefined where the browser cannot do it. */
export const joinOtherPages = (stream: Stream, userId: unknown): SharedLead<News, Order> | undefined => {
  const { gateways, usable, registration } = stream
  return joinPages<News, Order>(JSON.stringify(['parley events 1', gateways, usable, userId, registration]), {
    onLead: () => interrupt(stream),
    onNews: (news) => stream.current?.takeNews?.(news),
    onAsk() {
      tellPages(stream, [])
      stream.current?.catchUp?.()
    },
    onOrder: (order) => followOrder(stream, order),
  })
}

/** Gives an order to this page, and to the others where it concerns them. */
export const giveOrder = (stream: Stream, order: Order): void => {
  // Each page has a route, so that it continues there when it leads.
  const isOfAll = order.do === 'switchTransport' || order.do === 'switchGateway'
  if (isOfAll || isFollowing(stream)) stream.pages?.order(order)
  followOrder(stream, order)
}

const followOrder = (stream: Stream, order: Order): void => {
  if (order.do === 'switchTransport') stream.route.setTransport(order.transport)
  else if (order.do === 'switchGateway') stream.route.setGateway(order.gateway)
  if (isFollowing(stream)) return
  if (order.do === 'wake') stream.current?.wake?.()
  else if (order.do !== 'retry' || stream.state.get().status === 'waiting') interrupt(stream)
}
