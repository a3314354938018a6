/** Permissions to post and to mention (protocol/permissions.md 6.3, 8.1 and 8.2). Every cell is tested over the API. */
import { describe } from 'vitest'
import { by, type Cell, channelMatrix, channelsOf } from '../setup/realm/channel-matrix.js'
import { refusals } from '../setup/realm/matrix-table.js'
import { type Answer, call, ok } from '../setup/realm/realm.js'

const matrix = channelMatrix({
  ...refusals,
  closed: '400 BAD_REQUEST: You may not send messages to this channel.',
  outside: '400 BAD_REQUEST: You may not send messages to the channel “…”.',
  unknown: '400 STREAM_DOES_NOT_EXIST: There is no channel with ID ….',
  hidden: '400 BAD_REQUEST: There is no channel with this ID, or you may not see it.',
  loud: '400 STREAM_WILDCARD_MENTION_NOT_ALLOWED: You may not mention everyone in a channel of this size.',
  'loud-topic': '400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED: You may not mention everyone in a topic of this size.',
  unnamed: '400 BAD_REQUEST: You may not mention the group “…”.',
})

const send = (content: string) => (cell: Cell) =>
  by(cell, 'POST', '/messages', { type: 'stream', to: cell.channel.id, topic: cell.topic, content })

/** Checks that the founder can read the sent message. */
const checkReadable = async ({ body }: Answer, { world }: Cell) => {
  const { status } = await call(world.founder, 'GET', `/messages/${body.id}`)
  return status === 200 ? 'yes' : 'nothing'
}

// 6.3. A caller without metadata access receives the error for an unknown channel (8.1 item 2). Bots may post where
// their owner is subscribed, but this gives them no access to the channel.
const posting = `
                                           web-public  public   shared   protected  archived  arch-priv  missing
  owner, administrator, administrator bot  yes         yes      outside  outside    outside   outside    unknown
  administers                              yes         yes      outside  outside    outside   outside    unknown
  adds, joins                              yes         yes      yes      outside    outside   outside    unknown
  moderator, full member, new member       yes         yes      unknown  unknown    outside   unknown    unknown
  steward, removes, moves, bot             yes         yes      unknown  unknown    outside   unknown    unknown
  guest, guest holder                      yes         unknown  unknown  unknown    unknown   unknown    unknown
  sub administrator, sub member            yes         yes      yes      yes        outside   outside    unknown
  sub steward, sub administers             yes         yes      yes      yes        outside   outside    unknown
  sub removes, sub moves, sub bot          yes         yes      yes      yes        outside   outside    unknown
  sub guest, sub guest holder              yes         yes      yes      yes        outside   outside    unknown
  bot of sub, webhook bot                  yes         yes      yes      yes        outside   unknown    unknown
`

describe('Writing in a channel', () => {
  matrix('Only callers with posting access to a channel can send a message to it.', {
    ask: send('hello'),
    shown: checkReadable,
    table: posting,
  })

  matrix('Only callers with posting access to a channel can schedule a message to it.', {
    ask: (cell) =>
      by(cell, 'POST', '/scheduled_messages', {
        type: 'channel',
        to: cell.channel.id,
        topic: cell.topic,
        content: 'hello',
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
      }),
    shown: ({ body }) => (typeof body.scheduled_message_id === 'number' ? 'yes' : 'nothing'),
    table: posting.replace('bot of sub, webhook bot', 'bot of sub'),
  })

  matrix('Only callers with posting access to a channel can send typing notifications to it.', {
    ask: (cell) =>
      by(cell, 'POST', '/typing', { op: 'start', type: 'stream', stream_id: cell.channel.id, topic: cell.topic }),
    shown: () => 'yes',
    table: posting.replace('bot of sub, webhook bot', 'bot of sub'),
  })

  // 6.3, first line: can_send_message_group, which a bot also satisfies through its owner.
  matrix('Only callers in can_send_message_group, and the bots that they own, can post in a channel.', {
    fresh: true,
    prepare: async (cells) => {
      const { world } = cells[0] as Cell
      const { people } = world
      const holders = ['full member', 'sub member', 'guest', 'sub guest', 'joins'] as const
      await world.updateRows(channelsOf(cells), {
        can_send_message_group: {
          direct_members: holders.map((name) => people[name].user_id),
          direct_subgroups: [],
        },
      })
    },
    ask: send('hello'),
    shown: checkReadable,
    table: `
                                               web-public  public   shared   protected
      full member, bot                         yes         yes      unknown  unknown
      sub member, sub guest, sub bot           yes         yes      yes      yes
      bot of sub, webhook bot                  yes         yes      yes      yes
      joins                                    yes         yes      yes      outside
      guest                                    yes         unknown  unknown  unknown
      guest holder                             closed      unknown  unknown  unknown
      owner, administrator, administrator bot  closed      closed   closed   closed
      administers, adds                        closed      closed   closed   closed
      moderator, new member                    closed      closed   unknown  unknown
      steward, removes, moves                  closed      closed   unknown  unknown
      sub administrator, sub steward           closed      closed   closed   closed
      sub administers, sub removes, sub moves  closed      closed   closed   closed
      sub guest holder                         closed      closed   closed   closed
    `,
  })
})

describe('Wildcard and group mentions', () => {
  /** Channels to which every user is subscribed: too many for wildcard mentions. */
  const crowd = { fresh: true, crowded: true }

  // 8.1 item 7: can_mention_many_users_group is the stewards here, and it admits guests. A bot does not satisfy it
  // through its owner.
  const loud = `
                                             public  protected
    steward, sub steward                     yes     yes
    guest holder, sub guest holder           yes     yes
    owner, administrator, administrator bot  loud    loud
    moderator, full member, new member       loud    loud
    administers, adds, joins, removes        loud    loud
    moves, bot, bot of sub, sub bot          loud    loud
    webhook bot                              loud    loud
    guest, sub guest                         loud    loud
    sub administrator, sub member            loud    loud
    sub administers, sub removes, sub moves  loud    loud
  `
  matrix('Only callers in can_mention_many_users_group can mention all users of a large channel.', {
    ...crowd,
    ask: send('@**all** hello'),
    shown: checkReadable,
    table: loud,
  })

  matrix('Callers need no permission to mention all users of a small channel.', {
    fresh: true,
    ask: send('@**channel** hello'),
    shown: checkReadable,
    only: true,
    table: `
                                                 web-public  public
      owner, full member, sub member, sub guest  yes         yes
    `,
  })

  // The limit counts the participants of the topic, not the subscribers of the channel.
  matrix('Callers need no permission to mention all participants of a small topic in a large channel.', {
    ...crowd,
    ask: send('@**topic** hello'),
    shown: checkReadable,
    only: true,
    table: `
                                                 web-public  public
      owner, full member, sub member, sub guest  yes         yes
    `,
  })

  // 8.1 item 8, 12.5: the sender themselves must be in can_mention_group. Silent mentions need no permission. A system
  // group cannot be mentioned aloud, because its can_mention_group is role:nobody.
  const groups: Record<string, string> = {
    open: '@*everybody*',
    closed: '@*board*',
    silent: '@_*board*',
    role: '@*role:members*',
  }
  const group = (cell: Cell, name: string, can_mention_group: unknown) =>
    ok(cell.world.founder, 'POST', '/user_groups/create', { name, description: '', members: [], can_mention_group })
  let place = 0
  matrix('Only callers in can_mention_group can mention a group, except silently.', {
    prepare: async ([cell]) => {
      const { world } = cell as Cell
      await group(cell as Cell, 'everybody', 7)
      await group(cell as Cell, 'board', world.stewards)
      const everyone = Object.keys(world.people).filter((name) => name !== 'deactivated') as 'owner'[]
      place = (await world.createChannels('public', 1, everyone))[0]?.id ?? 0
    },
    ask: (cell) => send(`${groups[cell.column]} hello`)({ ...cell, channel: { id: place, name: '' } }),
    shown: checkReadable,
    table: `
                                               open  closed   silent  role
      steward, sub steward                     yes   yes      yes     unnamed
      guest holder, sub guest holder           yes   yes      yes     unnamed
      owner, administrator, administrator bot  yes   unnamed  yes     unnamed
      moderator, full member, new member       yes   unnamed  yes     unnamed
      administers, adds, joins, removes        yes   unnamed  yes     unnamed
      moves, bot, bot of sub, sub bot          yes   unnamed  yes     unnamed
      webhook bot                              yes   unnamed  yes     unnamed
      guest, sub guest                         yes   unnamed  yes     unnamed
      sub administrator, sub member            yes   unnamed  yes     unnamed
      sub administers, sub removes, sub moves  yes   unnamed  yes     unnamed
    `,
  })
})
