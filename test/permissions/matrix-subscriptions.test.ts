/**
 * Permissions to subscribe and unsubscribe (protocol/permissions.md 6.2, 7.1, 7.2). Every cell is tested over the API.
 */
import { describe } from 'vitest'
import type { RealmState } from '../../src/domain/log/state.js'
import { by, type Cell, channelMatrix } from '../setup/realm/channel-matrix.js'
import { refusals } from '../setup/realm/matrix-table.js'
import { ok } from '../setup/realm/realm.js'

const matrix = channelMatrix({
  ...refusals,
  closed: '400 BAD_REQUEST: You do not have permission to subscribe users to this channel: …',
  unknown: '400 STREAM_DOES_NOT_EXIST: There is no channel named “…”.',
  hidden: '400 BAD_REQUEST: There is no channel with this ID, or you may not see it.',
  outside: '400 BAD_REQUEST: You are not subscribed to the channel with ID ….',
})

const subscribed = ({ channel }: Cell, state: RealmState) => [...state.subscribers(channel.id)].sort()

const join = (cell: Cell, ...principals: number[]) =>
  by(cell, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: cell.channel.name }],
    principals: principals.length > 0 ? principals : undefined,
    send_new_subscription_messages: false,
  })

const leave = (cell: Cell, ...principals: number[]) =>
  by(cell, 'DELETE', '/users/me/subscriptions', {
    subscriptions: [cell.channel.name],
    principals: principals.length > 0 ? principals : undefined,
  })

describe('Subscribing to a channel', () => {
  // 6.2 "Self"; content access of 5.2. Users can subscribe to archived channels (7.1, the API document's rule 2).
  matrix('Every caller except guests can subscribe to a channel that they can read.', {
    fresh: true,
    ask: (cell) => join(cell),
    seen: subscribed,
    table: `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes      closed   closed     yes       closed
      administers                               yes         yes      closed   closed     yes       closed
      adds, joins                               yes         yes      yes      yes        yes       yes
      moderator, full member, new member        yes         yes      closed   closed     yes       closed
      steward, removes, moves, bot, bot of sub  yes         yes      closed   closed     yes       closed
      guest, guest holder                       guest       guest    guest    guest      guest     guest
      sub administrator, sub member             nothing     nothing  nothing  nothing    nothing   nothing
      sub steward, sub administers              nothing     nothing  nothing  nothing    nothing   nothing
      sub removes, sub moves, sub bot           nothing     nothing  nothing  nothing    nothing   nothing
      sub guest, sub guest holder               guest       guest    guest    guest      guest     guest
    `,
  })

  // 6.2 "Add others". The stewards are the organization's can_add_subscribers_group.
  const addingTable = `
                                               web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot  yes         yes     closed  closed     yes       closed
      steward, administers                     yes         yes     closed  closed     yes       closed
      adds                                     yes         yes     yes     yes        yes       yes
      joins                                    denied      denied  denied  denied     denied    denied
      moderator, full member, new member       denied      denied  closed  closed     denied    closed
      removes, moves, bot, bot of sub          denied      denied  closed  closed     denied    closed
      guest, guest holder                      guest       guest   guest   guest      guest     guest
      sub administrator, sub steward           yes         yes     yes     yes        yes       yes
      sub administers                          yes         yes     yes     yes        yes       yes
      sub member, sub removes, sub moves       denied      denied  denied  denied     denied    denied
      sub bot                                  denied      denied  denied  denied     denied    denied
      sub guest, sub guest holder              guest       guest   guest   guest      guest     guest
    `
  matrix('Only callers with permission to add subscribers can subscribe another user.', {
    fresh: true,
    ask: (cell) => join(cell, cell.world.newcomer.user_id),
    seen: subscribed,
    table: addingTable,
  })

  matrix('Only callers with permission to add subscribers can subscribe a guest.', {
    fresh: true,
    ask: (cell) => join(cell, cell.world.people.guest.user_id),
    seen: subscribed,
    // The guest is both caller and principal in one row, which is the same as subscribing themselves: guests may not
    // call this.
    table: addingTable,
  })
})

describe('Unsubscribing from a channel', () => {
  // 6.2 "Remove self". A caller without metadata access receives the error for an unknown channel (5.2 "hidden",
  // section 17).
  matrix('Every subscriber can unsubscribe themselves.', {
    fresh: true,
    ask: (cell) => leave(cell),
    seen: subscribed,
    table: `
                                                web-public  public   shared   protected  archived  arch-priv  missing
      owner, administrator, administrator bot   nothing     nothing  nothing  nothing    nothing   nothing    unknown
      administers, adds, joins                  nothing     nothing  nothing  nothing    nothing   nothing    unknown
      moderator, full member, new member        nothing     nothing  unknown  unknown    nothing   unknown    unknown
      steward, removes, moves, bot, bot of sub  nothing     nothing  unknown  unknown    nothing   unknown    unknown
      guest, guest holder                       nothing     unknown  unknown  unknown    unknown   unknown    unknown
      sub administrator, sub member             yes         yes      yes      yes        yes       yes        unknown
      sub steward, sub administers              yes         yes      yes      yes        yes       yes        unknown
      sub removes, sub moves, sub bot           yes         yes      yes      yes        yes       yes        unknown
      sub guest, sub guest holder               yes         yes      yes      yes        yes       yes        unknown
    `,
  })

  // 6.2 "Remove others": callers in can_remove_subscribers_group need metadata access. The API document names no role,
  // so guests in the group may remove others, too.
  matrix('Only callers with permission to remove subscribers can unsubscribe another user.', {
    fresh: true,
    ask: (cell) => {
      const { people } = cell.world
      return leave(cell, (cell.caller === 'sub moves' ? people['sub member'] : people['sub moves']).user_id)
    },
    seen: subscribed,
    table: `
                                               web-public  public  shared   protected  archived  arch-priv  missing
      owner, administrator, administrator bot  yes         yes     yes      yes        yes       yes        unknown
      administers                              yes         yes     yes      yes        yes       yes        unknown
      removes                                  yes         yes     unknown  unknown    yes       unknown    unknown
      adds, joins                              denied      denied  denied   denied     denied    denied     unknown
      moderator, full member, new member       denied      denied  unknown  unknown    denied    unknown    unknown
      steward, moves, bot, bot of sub          denied      denied  unknown  unknown    denied    unknown    unknown
      guest                                    denied      unknown unknown  unknown    unknown   unknown    unknown
      guest holder                             yes         unknown unknown  unknown    unknown   unknown    unknown
      sub administrator, sub administers       yes         yes     yes      yes        yes       yes        unknown
      sub removes                              yes         yes     yes      yes        yes       yes        unknown
      sub member, sub steward, sub moves       denied      denied  denied   denied     denied    denied     unknown
      sub guest, sub bot                       denied      denied  denied   denied     denied    denied     unknown
      sub guest holder                         yes         yes     yes      yes        yes       yes        unknown
    `,
  })

  // 6.2 "Remove own bot": from channels that its owner can access. The full member owns `sub bot`.
  matrix('The owner of a bot can unsubscribe it from channels that the owner can access.', {
    fresh: true,
    only: true,
    ask: (cell) => leave(cell, cell.world.people['sub bot'].user_id),
    seen: subscribed,
    table: `
                   web-public  public  shared   protected  archived
      full member  yes         yes     unknown  unknown    yes
      new member   denied      denied  unknown  unknown    denied
      sub member   denied      denied  denied   denied     denied
    `,
  })
})

describe('Personal settings of a channel', () => {
  const topicsOf = async (cell: Cell) => {
    const { person, caller } = cell
    if (person === undefined || caller === 'deactivated' || caller === 'webhook bot') return undefined
    return (await ok(person, 'POST', '/register', { fetch_event_types: ['user_topic'] })).user_topics
  }

  // protocol/endpoints.md 1.7: requires content access.
  matrix('Only callers who can read a channel can set a visibility policy for its topics.', {
    fresh: true,
    ask: (cell) =>
      by(cell, 'POST', '/user_topics', { stream_id: cell.channel.id, topic: 'lunch', visibility_policy: 1 }),
    seen: async (cell) =>
      ((await topicsOf(cell)) as { stream_id: number }[] | undefined)?.some(
        ({ stream_id }) => stream_id === cell.channel.id,
      ),
    table: `
                                                web-public  public  shared  protected
      owner, administrator, administrator bot   yes         yes     hidden  hidden
      administers                               yes         yes     hidden  hidden
      adds, joins                               yes         yes     yes     yes
      moderator, full member, new member        yes         yes     hidden  hidden
      steward, removes, moves, bot, bot of sub  yes         yes     hidden  hidden
      guest, guest holder                       yes         hidden  hidden  hidden
      sub administrator, sub member             yes         yes     yes     yes
      sub steward, sub administers              yes         yes     yes     yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes
      sub guest, sub guest holder               yes         yes     yes     yes
    `,
  })

  // protocol/endpoints.md 1.3: a caller who is not subscribed has no settings for a channel, and a caller without
  // metadata access receives the error for an unknown channel.
  matrix('Only subscribers can set the color of a channel.', {
    fresh: true,
    ask: (cell) =>
      by(cell, 'POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: cell.channel.id, property: 'color', value: '#123456' }],
      }),
    seen: ({ person, channel }, state) => person && state.userSubscriptions(person.user_id).get(channel.id)?.color,
    table: `
                                                web-public  public   shared   protected
      owner, administrator, administrator bot   outside     outside  outside  outside
      administers, adds, joins                  outside     outside  outside  outside
      moderator, full member, new member        outside     outside  hidden   hidden
      steward, removes, moves, bot, bot of sub  outside     outside  hidden   hidden
      guest, guest holder                       outside     hidden   hidden   hidden
      sub administrator, sub member             yes         yes      yes      yes
      sub steward, sub administers              yes         yes      yes      yes
      sub removes, sub moves, sub bot           yes         yes      yes      yes
      sub guest, sub guest holder               yes         yes      yes      yes
    `,
  })
})
