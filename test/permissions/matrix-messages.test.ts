/** Permissions on messages in channels (protocol/permissions.md 6.5, 8.3 to 8.8). Every cell is tested over the API. */
import { describe } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { by, type Cell, channelMatrix, channelsOf, messageSeen } from '../setup/realm/channel-matrix.js'
import { refusals } from '../setup/realm/matrix-table.js'
import { type Channel, others } from '../setup/realm/permission-world.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const matrix = channelMatrix({
  ...refusals,
  invalid: '400 BAD_REQUEST: There is no such message, or you may not read it.',
  hidden: '400 BAD_REQUEST: There is no channel with this ID, or you may not see it.',
  foreign: '400 BAD_REQUEST: You may not edit this message.',
  stays: '400 BAD_REQUEST: You may not move this message.',
  open: '400 BAD_REQUEST: You may not resolve topics.',
  kept: '400 BAD_REQUEST: You may not delete this message.',
  closed: '400 BAD_REQUEST: You may not send messages to this channel.',
  late: '400 BAD_REQUEST: This message is too old to be edited.',
  'late-topic': '400 BAD_REQUEST: This message is too old to get another topic.',
  'late-move': '400 BAD_REQUEST: This message is too old to move to another channel.',
  'late-delete': '400 BAD_REQUEST: This message is too old to be deleted by you.',
})

const founder = ({ world }: Cell) => world.founder
const edit = (params: (cell: Cell) => object) => ({
  ask: (cell: Cell) => by(cell, 'PATCH', `/messages/${cell.message}`, { ...params(cell) }),
  seen: messageSeen,
})
const remove = {
  ask: (cell: Cell) => by(cell, 'DELETE', `/messages/${cell.message}`),
  seen: messageSeen,
}

/** A message of the founder in channels where the usual subscribers received it. */
const received = { message: founder }

/** A message of the caller, who unsubscribed after it unless they are one of the usual subscribers. */
const own = {
  fresh: true,
  crowded: true,
  message: ({ world, caller, person }: Cell): Person =>
    person === undefined || caller === 'deactivated' ? world.founder : person,
  prepare: (cells: readonly Cell[]) => (cells[0] as Cell).world.unsubscribe(channelsOf(cells), others),
}

/** Moves the timestamps of the messages back by `seconds`. */
const makeOlder = (seconds: number) => async (cells: readonly Cell[]) => {
  const [{ world }] = cells as [Cell]
  const { realm_id, sql } = world.realm
  const ids = cells.map(({ message }) => message)
  await sql`
    update messages set timestamp = timestamp - ${seconds} where realm_id = ${realm_id} and id = any(${ids}::bigint[])`
}

/** 8.3: a caller who can read the message may also act on it, unless the channel is archived. */
const reachable = `
                                            web-public  public   shared   protected  archived  arch-priv
  owner, administrator, administrator bot   yes         yes      invalid  invalid    invalid   invalid
  administers                               yes         yes      invalid  invalid    invalid   invalid
  adds, joins                               yes         yes      yes      invalid    invalid   invalid
  moderator, full member, new member        yes         yes      invalid  invalid    invalid   invalid
  steward, removes, moves, bot, bot of sub  yes         yes      invalid  invalid    invalid   invalid
  guest, guest holder                       yes         invalid  invalid  invalid    invalid   invalid
  sub administrator, sub member             yes         yes      yes      yes        invalid   invalid
  sub steward, sub administers              yes         yes      yes      yes        invalid   invalid
  sub removes, sub moves, sub bot           yes         yes      yes      yes        invalid   invalid
  sub guest, sub guest holder               yes         yes      yes      yes        invalid   invalid
`

/** 5.2 "archived": actions that change nothing for other users remain possible. */
const readable = `
                                            web-public  public   shared   protected  archived  arch-priv
  owner, administrator, administrator bot   yes         yes      invalid  invalid    yes       invalid
  administers                               yes         yes      invalid  invalid    yes       invalid
  adds, joins                               yes         yes      yes      invalid    yes       yes
  moderator, full member, new member        yes         yes      invalid  invalid    yes       invalid
  steward, removes, moves, bot, bot of sub  yes         yes      invalid  invalid    yes       invalid
  guest, guest holder                       yes         invalid  invalid  invalid    invalid   invalid
  sub administrator, sub member             yes         yes      yes      yes        yes       yes
  sub steward, sub administers              yes         yes      yes      yes        yes       yes
  sub removes, sub moves, sub bot           yes         yes      yes      yes        yes       yes
  sub guest, sub guest holder               yes         yes      yes      yes        yes       yes
`

describe('Acting on a message', () => {
  matrix('Only callers who can read a message in an active channel can react to it.', {
    ...received,
    ask: (cell) => by(cell, 'POST', `/messages/${cell.message}/reactions`, { emoji_name: 'tada' }),
    seen: messageSeen,
    table: reachable,
  })

  matrix('Only callers who can still read a message in an active channel can remove their reaction.', {
    ...own,
    prepare: async (cells) => {
      const reacting = cells.filter(({ person, caller }) => person && !['deactivated', 'webhook bot'].includes(caller))
      await Promise.all(
        reacting.map((cell) => ok(cell.person, 'POST', `/messages/${cell.message}/reactions`, { emoji_name: 'tada' })),
      )
      await own.prepare(cells)
    },
    ask: (cell) => by(cell, 'DELETE', `/messages/${cell.message}/reactions`, { emoji_name: 'tada' }),
    seen: messageSeen,
    // A user who unsubscribed keeps access to received messages where the content is still accessible to them.
    table: reachable.replace(/(adds, joins.*)invalid( +invalid +invalid)/, '$1yes    $2'),
  })

  // 6.5 "star"; a star also keeps the message for a caller who did not receive it.
  matrix('Only callers who can read a message can star it.', {
    ...received,
    ask: (cell) => by(cell, 'POST', '/messages/flags', { messages: [cell.message], op: 'add', flag: 'starred' }),
    shown: async (_answer, cell) => {
      const { body } = await by(cell, 'GET', `/messages/${cell.message}`)
      return (body.message as { flags: string[] } | undefined)?.flags.includes('starred') ? 'yes' : 'nothing'
    },
    table: readable,
  })

  matrix('Only callers who can read a message can fetch its read receipts.', {
    ...received,
    ask: (cell) => by(cell, 'GET', `/messages/${cell.message}/read_receipts`),
    shown: ({ body }) => (Array.isArray(body.user_ids) ? 'yes' : 'nothing'),
    table: readable,
  })

  matrix('Only callers who can read a message can fetch its edit history.', {
    ...received,
    ask: (cell) => by(cell, 'GET', `/messages/${cell.message}/history`),
    shown: ({ body }) => ((body.message_history as unknown[]).length === 1 ? 'yes' : 'nothing'),
    table: readable,
  })

  matrix('Only callers who can read a message can set a reminder for it.', {
    ...received,
    ask: (cell) =>
      by(cell, 'POST', '/reminders', {
        message_id: cell.message,
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
      }),
    shown: ({ body }) => (typeof body.reminder_id === 'number' ? 'yes' : 'nothing'),
    table: readable,
  })

  // 8.8: every caller with access may vote. Actions that only the author of a poll may do are not tested here.
  matrix('Only callers who can read a poll in an active channel can vote in it.', {
    ...received,
    content: '/poll Lunch?\nsoup\nsalad',
    ask: (cell) =>
      by(cell, 'POST', '/submessage', {
        message_id: cell.message,
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      }),
    seen: messageSeen,
    table: reachable,
  })

  // 8.8: every caller who can read the message may report it, guests included.
  matrix('Only callers who can read a message can report it.', {
    ...received,
    prepare: async (cells) => {
      const { world } = cells[0] as Cell
      const [office] = await world.createChannels('shared', 1, [])
      await updateRealmSettings(world.realm, { moderation_request_channel_id: office?.id ?? -1 })
    },
    ask: (cell) => by(cell, 'POST', `/messages/${cell.message}/report`, { report_type: 'spam' }),
    shown: () => 'yes',
    table: readable,
  })
})

describe('Editing and deleting a message', () => {
  // 8.4: no role may edit messages of other senders.
  matrix('No caller can edit the content of a message of another sender.', {
    ...received,
    ...edit(() => ({ content: 'other words' })),
    table: reachable.replaceAll('yes    ', 'foreign'),
  })

  // 8.4; after unsubscribing, a sender may edit where they can still read.
  const kept = `
                                              web-public  public   shared   protected  archived  arch-priv
    owner, administrator, administrator bot   yes         yes      invalid  invalid    invalid   invalid
    administers                               yes         yes      invalid  invalid    invalid   invalid
    adds, joins                               yes         yes      yes      yes        invalid   invalid
    moderator, full member, new member        yes         yes      invalid  invalid    invalid   invalid
    steward, removes, moves, bot, bot of sub  yes         yes      invalid  invalid    invalid   invalid
    guest, guest holder                       yes         invalid  invalid  invalid    invalid   invalid
    sub administrator, sub member             yes         yes      yes      yes        invalid   invalid
    sub steward, sub administers              yes         yes      yes      yes        invalid   invalid
    sub removes, sub moves, sub bot           yes         yes      yes      yes        invalid   invalid
    sub guest, sub guest holder               yes         yes      yes      yes        invalid   invalid
  `
  matrix('A sender can edit their own message where they can still read it.', {
    ...own,
    ...edit(() => ({ content: 'other words' })),
    table: kept,
  })

  // 8.7: can_delete_own_message_group is role:everyone here, guests included.
  matrix('A sender can delete their own message where they can still read it.', { ...own, ...remove, table: kept })

  // 8.7: can_delete_any_message_group is the stewards here. Neither administrators nor guests have the permission.
  matrix('Only callers in can_delete_any_message_group can delete a message of another sender.', {
    ...received,
    ...remove,
    table: `
                                               web-public  public   shared   protected  archived  arch-priv
      steward                                  yes         yes      invalid  invalid    invalid   invalid
      sub steward                              yes         yes      yes      yes        invalid   invalid
      owner, administrator, administrator bot  kept        kept     invalid  invalid    invalid   invalid
      administers                              kept        kept     invalid  invalid    invalid   invalid
      adds, joins                              kept        kept     kept     invalid    invalid   invalid
      moderator, full member, new member       kept        kept     invalid  invalid    invalid   invalid
      removes, moves, bot, bot of sub          kept        kept     invalid  invalid    invalid   invalid
      guest, guest holder                      kept        invalid  invalid  invalid    invalid   invalid
      sub administrator, sub member            kept        kept     kept     kept       invalid   invalid
      sub administers, sub removes, sub moves  kept        kept     kept     kept       invalid   invalid
      sub bot, sub guest, sub guest holder     kept        kept     kept     kept       invalid   invalid
    `,
  })

  // 8.7: the owner of a bot may delete its messages like the bot. The full member owns `sub bot`.
  matrix('The owner of a bot can delete its messages.', {
    fresh: true,
    message: ({ world }) => world.people['sub bot'],
    ...remove,
    only: true,
    table: `
                     web-public  public  shared   protected
      full member    yes         yes     invalid  invalid
      sub bot        yes         yes     yes      yes
      new member     kept        kept    invalid  invalid
      sub member     kept        kept    kept     kept
      administrator  kept        kept    invalid  invalid
    `,
  })
})

describe('Changing the topic of a message', () => {
  // 8.5: the stewards by the organization's setting (which admits guests), channel administrators, and the channel's
  // own group (which excludes guests).
  matrix('Only callers whom the organization or the channel permits can change the topic.', {
    ...received,
    ...edit(({ topic }) => ({ topic: `${topic}, once more` })),
    table: `
                                               web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot  yes         yes      invalid  invalid    invalid   invalid
      administers, moves, steward              yes         yes      invalid  invalid    invalid   invalid
      guest holder                             yes         invalid  invalid  invalid    invalid   invalid
      sub administrator, sub administers       yes         yes      yes      yes        invalid   invalid
      sub moves, sub steward                   yes         yes      yes      yes        invalid   invalid
      sub guest holder                         yes         yes      yes      yes        invalid   invalid
      adds, joins                              foreign     foreign  foreign  invalid    invalid   invalid
      moderator, full member, new member       foreign     foreign  invalid  invalid    invalid   invalid
      removes, bot, bot of sub                 foreign     foreign  invalid  invalid    invalid   invalid
      guest                                    foreign     invalid  invalid  invalid    invalid   invalid
      sub member, sub removes, sub bot         foreign     foreign  foreign  foreign    invalid   invalid
      sub guest                                foreign     foreign  foreign  foreign    invalid   invalid
    `,
  })

  // 8.5: resolving a topic requires only can_resolve_topics_group, which admits guests and does not contain the
  // administrators here.
  matrix('Only callers in can_resolve_topics_group can resolve a topic.', {
    ...received,
    ...edit(({ topic }) => ({ topic: `✔ ${topic}` })),
    table: `
                                               web-public  public   shared   protected  archived  arch-priv
      steward                                  yes         yes      invalid  invalid    invalid   invalid
      guest holder                             yes         invalid  invalid  invalid    invalid   invalid
      sub steward, sub guest holder            yes         yes      yes      yes        invalid   invalid
      owner, administrator, administrator bot  open        open     invalid  invalid    invalid   invalid
      administers, moves                       open        open     invalid  invalid    invalid   invalid
      adds, joins                              open        open     open     invalid    invalid   invalid
      moderator, full member, new member       open        open     invalid  invalid    invalid   invalid
      removes, bot, bot of sub                 open        open     invalid  invalid    invalid   invalid
      guest                                    open        invalid  invalid  invalid    invalid   invalid
      sub administrator, sub administers       open        open     open     open       invalid   invalid
      sub moves, sub member, sub removes       open        open     open     open       invalid   invalid
      sub bot, sub guest                       open        open     open     open       invalid   invalid
    `,
  })
})

describe('Moving a message to another channel', () => {
  let target: Channel | undefined
  const createTarget = async ([cell]: readonly Cell[]) => {
    target = (await (cell as Cell).world.createChannels('web-public', 1, []))[0]
  }

  // 8.6. Guests may move messages through the channel's own group, which admits them (4.1, 6.5).
  matrix('Only callers whom the organization or the channel permits can move a message out of a channel.', {
    ...received,
    prepare: createTarget,
    ...edit(() => ({ stream_id: target?.id })),
    table: `
                                               web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot  yes         yes      invalid  invalid    invalid   invalid
      administers, moves, steward              yes         yes      invalid  invalid    invalid   invalid
      sub administrator, sub administers       yes         yes      yes      yes        invalid   invalid
      sub moves, sub steward                   yes         yes      yes      yes        invalid   invalid
      guest holder                             yes         invalid  invalid  invalid    invalid   invalid
      sub guest holder                         yes         yes      yes      yes        invalid   invalid
      adds, joins                              stays       stays    stays    invalid    invalid   invalid
      moderator, full member, new member       stays       stays    invalid  invalid    invalid   invalid
      removes, bot, bot of sub                 stays       stays    invalid  invalid    invalid   invalid
      guest                                    stays       invalid  invalid  invalid    invalid   invalid
      sub member, sub removes, sub bot         stays       stays    stays    stays      invalid   invalid
      sub guest                                stays       stays    stays    stays      invalid   invalid
    `,
  })

  // 4.3: the organization's can_move_messages_between_channels_group excludes guests, although it is set to the
  // stewards, which contain guests.
  matrix('Where only the organization permits moves, a guest cannot move a message out of a channel.', {
    ...received,
    fresh: true,
    prepare: async (cells) => {
      await createTarget(cells)
      const { world } = cells[0] as Cell
      const nobody = SystemGroup.nobody
      await world.updateRows(channelsOf(cells), {
        can_move_messages_out_of_channel_group: nobody,
        can_move_messages_within_channel_group: nobody,
      })
    },
    ...edit(() => ({ stream_id: target?.id })),
    only: true,
    table: `
                         web-public  public   shared
      sub steward        yes         yes      yes
      sub administrator  yes         yes      yes
      sub moves          stays       stays    stays
      sub guest holder   stays       stays    stays
      guest holder       stays       invalid  invalid
      steward            yes         yes      invalid
    `,
  })

  // protocol/messages.md 4.1: the server first checks that the caller can read the target, then that they may move
  // messages out of the source, then that they may post in the target.
  matrix('Only callers with permission to move messages can move one into a channel, and only if they can read it.', {
    prepare: async (cells) => {
      const [{ world }] = cells as [Cell]
      const [source] = await world.createChannels('web-public', 1, [])
      await Promise.all(
        cells.map(async (cell) => {
          const params = { type: 'stream', to: source?.id, topic: cell.topic, content: 'a word' }
          cell.message = (await ok(world.founder, 'POST', '/messages', params)).id
        }),
      )
    },
    ...edit(({ channel }) => ({ stream_id: channel.id })),
    table: `
                                               web-public  public  shared  protected  archived  arch-priv  missing
      owner, administrator, administrator bot  yes         yes     hidden  hidden     hidden    hidden     hidden
      administers, moves, steward              yes         yes     hidden  hidden     hidden    hidden     hidden
      sub administrator, sub administers       yes         yes     yes     yes        hidden    hidden     hidden
      sub moves, sub steward                   yes         yes     yes     yes        hidden    hidden     hidden
      adds, joins                              stays       stays   stays   stays      hidden    hidden     hidden
      moderator, full member, new member       stays       stays   hidden  hidden     hidden    hidden     hidden
      removes, bot, bot of sub                 stays       stays   hidden  hidden     hidden    hidden     hidden
      guest                                    stays       hidden  hidden  hidden     hidden    hidden     hidden
      sub member, sub removes, sub bot         stays       stays   stays   stays      hidden    hidden     hidden
      sub guest                                stays       stays   stays   stays      hidden    hidden     hidden
      guest holder                             yes         hidden  hidden  hidden     hidden    hidden     hidden
      sub guest holder                         yes         yes     yes     yes        hidden    hidden     hidden
    `,
  })
})

describe('Time limits', () => {
  const week = 604_800

  matrix('No sender can edit the content of an old message.', {
    ...own,
    prepare: makeOlder(700),
    ...edit(() => ({ content: 'other words' })),
    only: true,
    table: `
                                                           public
      owner, administrator, moderator, full member, guest  late
      steward, sub administrator, sub member, sub bot      late
    `,
  })

  // 8.7: only callers in can_delete_any_message_group have no time limit.
  matrix('Only callers in can_delete_any_message_group can delete an old message of their own.', {
    ...own,
    prepare: makeOlder(700),
    ...remove,
    only: true,
    table: `
                                                           public
      owner, administrator, moderator, full member, guest  late-delete
      sub administrator, sub member, sub bot               late-delete
      steward, sub steward                                 yes
    `,
  })

  // 8.5: moderators and administrators are exempt from the limit; resolving a topic has no limit.
  matrix('Of the callers with permission, only administrators can change the topic of an old message.', {
    ...received,
    prepare: makeOlder(week + 60),
    ...edit(({ topic }) => ({ topic: `${topic}, once more` })),
    only: true,
    table: `
                                   public
      owner, administrator         yes
      sub administrator            yes
      moderator                    foreign
      administers, moves, steward  late-topic
      sub guest holder             late-topic
    `,
  })

  matrix('Callers in can_resolve_topics_group can resolve an old topic.', {
    ...received,
    prepare: makeOlder(week + 60),
    ...edit(({ topic }) => ({ topic: `✔ ${topic}` })),
    only: true,
    table: `
                            public
      steward, sub steward  yes
      sub guest holder      yes
    `,
  })

  let target: Channel | undefined
  matrix('Of the callers with permission, only administrators can move an old message to another channel.', {
    ...received,
    prepare: async (cells) => {
      target = (await (cells[0] as Cell).world.createChannels('web-public', 1, []))[0]
      await makeOlder(week + 60)(cells)
    },
    ...edit(() => ({ stream_id: target?.id })),
    only: true,
    table: `
                                   public
      owner, administrator         yes
      sub administrator            yes
      moderator                    stays
      administers, moves, steward  late-move
    `,
  })
})
