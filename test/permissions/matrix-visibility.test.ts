/**
 * Access to the metadata and the messages of a channel (protocol/permissions.md 5.2, 6.1 and 8.3). Every cell is tested
 * over the API.
 */
import { describe } from 'vitest'
import { by, type Cell, channelMatrix, channelsOf } from '../setup/realm/channel-matrix.js'
import { refusals } from '../setup/realm/matrix-table.js'
import { others, subscribers } from '../setup/realm/permission-world.js'
import type { Answer } from '../setup/realm/realm.js'

const matrix = channelMatrix({
  ...refusals,
  hidden: '400 BAD_REQUEST: There is no channel with this ID, or you may not see it.',
  unnamed: '400 BAD_REQUEST: There is no channel named “…”, or you may not see it.',
  invalid: '400 BAD_REQUEST: There is no such message, or you may not read it.',
  narrow: '400 BAD_NARROW: This narrow term cannot be used: unknown web-public channel …',
  unknown: '400 BAD_NARROW: This narrow term cannot be used: unknown channel …',
})

const listed = ({ body }: Answer, { channel }: Cell) =>
  (body.streams as { stream_id: number }[]).some(({ stream_id }) => stream_id === channel.id) ? 'yes' : 'no'

describe('Access to the metadata of a channel', () => {
  // 6.1 "See channel". An archived channel is unknown to this endpoint (protocol/endpoints.md 3.5).
  matrix('Only callers with metadata access can fetch an active channel by ID.', {
    ask: (cell) => by(cell, 'GET', `/streams/${cell.channel.id}`),
    shown: ({ body }, { channel }) => ((body.stream as { name: string }).name === channel.name ? 'yes' : 'other'),
    table: `
                                               web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot  yes         yes     yes     yes        hidden    hidden
      administers, adds, joins                 yes         yes     yes     yes        hidden    hidden
      moderator, full member, new member       yes         yes     hidden  hidden     hidden    hidden
      steward, removes, moves, bot             yes         yes     hidden  hidden     hidden    hidden
      bot of sub                               yes         yes     hidden  hidden     hidden    hidden     # its own access
      guest, guest holder                      yes         hidden  hidden  hidden     hidden    hidden
      sub administrator, sub member            yes         yes     yes     yes        hidden    hidden
      sub steward, sub administers             yes         yes     yes     yes        hidden    hidden
      sub removes, sub moves, sub bot          yes         yes     yes     yes        hidden    hidden
      sub guest, sub guest holder              yes         yes     yes     yes        hidden    hidden
    `,
  })

  matrix('Only callers with metadata access can find a channel by name.', {
    ask: (cell) => by(cell, 'GET', '/get_stream_id', { stream: cell.channel.name }),
    shown: ({ body }, { channel }) => (body.stream_id === channel.id ? 'yes' : 'other'),
    table: `
                                               web-public  public   shared   protected
      owner, administrator, administrator bot  yes         yes      yes      yes
      administers, adds, joins                 yes         yes      yes      yes
      moderator, full member, new member       yes         yes      unnamed  unnamed
      steward, removes, moves, bot             yes         yes      unnamed  unnamed
      bot of sub                               yes         yes      unnamed  unnamed
      guest, guest holder                      yes         unnamed  unnamed  unnamed
      sub administrator, sub member            yes         yes      yes      yes
      sub steward, sub administers             yes         yes      yes      yes
      sub removes, sub moves, sub bot          yes         yes      yes      yes
      sub guest, sub guest holder              yes         yes      yes      yes
    `,
  })

  // 6.1: for guests this list contains web-public channels only on request.
  matrix('The default list contains the active channels that are subscribed to or, except for guests, public.', {
    ask: (cell) => by(cell, 'GET', '/streams'),
    shown: listed,
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     no      no         no        no
      administers, adds, joins                  yes         yes     no      no         no        no
      moderator, full member, new member        yes         yes     no      no         no        no
      steward, removes, moves, bot, bot of sub  yes         yes     no      no         no        no
      guest, guest holder                       no          no      no      no         no        no
      sub administrator, sub member             yes         yes     yes     yes        no        no
      sub steward, sub administers              yes         yes     yes     yes        no        no
      sub removes, sub moves, sub bot           yes         yes     yes     yes        no        no
      sub guest, sub guest holder               yes         yes     yes     yes        no        no
    `,
  })

  // The API document, endpoint 18: `include_all` means metadata access; 6.1 for guests and web-public channels.
  matrix('The list with include_all and archived channels contains every channel with metadata access.', {
    ask: (cell) =>
      by(cell, 'GET', '/streams', { include_all: true, include_web_public: true, exclude_archived: false }),
    shown: listed,
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     yes     yes        yes       yes
      administers, adds, joins                  yes         yes     yes     yes        yes       yes
      moderator, full member, new member        yes         yes     no      no         yes       no
      steward, removes, moves, bot, bot of sub  yes         yes     no      no         yes       no
      guest, guest holder                       yes         no      no      no         no        no
      sub administrator, sub member             yes         yes     yes     yes        yes       yes
      sub steward, sub administers              yes         yes     yes     yes        yes       yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes        yes       yes
      sub guest, sub guest holder               yes         yes     yes     yes        yes       yes
    `,
  })

  // The API document, endpoint 18: `include_can_access_content` means content access (5.2).
  matrix('The list with include_can_access_content contains every channel with content access.', {
    ask: (cell) =>
      by(cell, 'GET', '/streams', {
        include_can_access_content: true,
        include_subscribed: false,
        include_public: false,
        exclude_archived: false,
      }),
    shown: listed,
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     no      no         yes       no
      administers                               yes         yes     no      no         yes       no
      adds, joins                               yes         yes     yes     yes        yes       yes
      moderator, full member, new member        yes         yes     no      no         yes       no
      steward, removes, moves, bot, bot of sub  yes         yes     no      no         yes       no
      guest, guest holder                       yes         no      no      no         no        no
      sub administrator, sub member             yes         yes     yes     yes        yes       yes
      sub steward, sub administers              yes         yes     yes     yes        yes       yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes        yes       yes
      sub guest, sub guest holder               yes         yes     yes     yes        yes       yes
    `,
  })

  // 6.1, 18.1: a registration contains the channels with metadata access; for guests also web-public channels.
  matrix('A registration contains every channel with metadata access.', {
    ask: (cell) =>
      by(cell, 'POST', '/register', {
        fetch_event_types: ['subscription'],
        client_capabilities: { notification_settings_null: true, archived_channels: true },
      }),
    shown: ({ body }, { channel }) => {
      const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
      const has = (list: string) =>
        (body[list] as { stream_id: number }[] | undefined)?.some(({ stream_id }) => stream_id === channel.id)
      return lists.find(has)?.replace('subscriptions', 'mine').replace('never_subscribed', 'never') ?? 'no'
    },
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   never       never   never   never      never     never
      administers, adds, joins                  never       never   never   never      never     never
      moderator, full member, new member        never       never   no      no         never     no
      steward, removes, moves, bot, bot of sub  never       never   no      no         never     no
      guest, guest holder                       never       no      no      no         no        no
      sub administrator, sub member             mine        mine    mine    mine       mine      mine
      sub steward, sub administers              mine        mine    mine    mine       mine      mine
      sub removes, sub moves, sub bot           mine        mine    mine    mine       mine      mine
      sub guest, sub guest holder               mine        mine    mine    mine       mine      mine
      spectator                                 never       no      no      no         no        no
    `,
  })

  // 6.1 "List subscribers": for web-public channels every user, but no spectator.
  matrix('Only callers with metadata access can list the subscribers of a channel.', {
    ask: (cell) => by(cell, 'GET', `/streams/${cell.channel.id}/members`),
    shown: ({ body }) => ((body.subscribers as number[]).length === subscribers.length + 1 ? 'yes' : 'some'),
    table: `
                                                web-public  public  shared  protected
      owner, administrator, administrator bot   yes         yes     yes     yes
      administers, adds, joins                  yes         yes     yes     yes
      moderator, full member, new member        yes         yes     hidden  hidden
      steward, removes, moves, bot, bot of sub  yes         yes     hidden  hidden
      guest, guest holder                       yes         hidden  hidden  hidden
      sub administrator, sub member             yes         yes     yes     yes
      sub steward, sub administers              yes         yes     yes     yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes
      sub guest, sub guest holder               yes         yes     yes     yes
    `,
  })

  // protocol/endpoints.md 3.5: requires content access, because a sender of mail to the channel reads the answers
  // there.
  matrix('Only callers with content access can fetch the email address of a channel.', {
    ask: (cell) => by(cell, 'GET', `/streams/${cell.channel.id}/email_address`),
    shown: ({ body }) => (typeof body.email === 'string' ? 'yes' : 'nothing'),
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

  // protocol/endpoints.md 3.5: requires metadata access.
  matrix('Only callers with metadata access can ask whether a user is subscribed to a channel.', {
    ask: (cell) =>
      by(cell, 'GET', `/users/${cell.world.people['sub member'].user_id}/subscriptions/${cell.channel.id}`),
    shown: ({ body }) => (body.is_subscribed === true ? 'yes' : 'wrong'),
    table: `
                                                web-public  public  shared  protected
      owner, administrator, administrator bot   yes         yes     yes     yes
      administers, adds, joins                  yes         yes     yes     yes
      moderator, full member, new member        yes         yes     hidden  hidden
      steward, removes, moves, bot, bot of sub  yes         yes     hidden  hidden
      guest, guest holder                       yes         hidden  hidden  hidden
      sub administrator, sub member             yes         yes     yes     yes
      sub steward, sub administers              yes         yes     yes     yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes
      sub guest, sub guest holder               yes         yes     yes     yes
    `,
  })
})

const founder = ({ world }: Cell) => world.founder

/** Channels in which only the founder received the message. The usual subscribers subscribed afterwards. */
const beforeSubscription = {
  fresh: true,
  message: founder,
  alone: true,
  prepare: (cells: readonly Cell[]) => (cells[0] as Cell).world.subscribe(channelsOf(cells), subscribers),
}

/** Channels in which every user received the message. All except the usual subscribers unsubscribed afterwards. */
const afterUnsubscribing = {
  fresh: true,
  message: founder,
  crowded: true,
  prepare: (cells: readonly Cell[]) => (cells[0] as Cell).world.unsubscribe(channelsOf(cells), others),
}

const byId = {
  ask: (cell: Cell) => by(cell, 'GET', `/messages/${cell.message}`),
  shown: ({ body }: Answer, { message }: Cell) =>
    (body.message as { id: number } | undefined)?.id === message ? 'yes' : 'other',
}

const found = ({ body }: Answer, { message }: Cell) =>
  (body.messages as { id: number }[]).some(({ id }) => id === message) ? 'yes' : 'no'

/** Spectators must send the narrow term channels:web-public (10.4). */
const inChannel = (cell: Cell, ...terms: object[]) => ({
  anchor: 'newest',
  num_before: 50,
  num_after: 0,
  narrow: [
    ...(cell.person === undefined ? [{ operator: 'channels', operand: 'web-public' }] : []),
    { operator: 'channel', operand: cell.channel.id },
    ...terms,
  ],
})

const byNarrow = {
  ask: (cell: Cell) => by(cell, 'GET', '/messages', inChannel(cell)),
  shown: found,
}

const bySearch = {
  ask: (cell: Cell) => by(cell, 'GET', '/messages', inChannel(cell, { operator: 'search', operand: 'word' })),
  shown: found,
}

describe('Access to a message from before the subscription', () => {
  // 6.1 "Read history before joining", 8.3; guests and single messages of web-public channels: protocol/messages.md
  // 2.4.
  matrix('Only callers with access to the history can fetch an earlier message by ID.', {
    ...beforeSubscription,
    ...byId,
    table: `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes      invalid  invalid    yes       invalid
      administers                               yes         yes      invalid  invalid    yes       invalid
      adds, joins                               yes         yes      yes      invalid    yes       yes
      moderator, full member, new member        yes         yes      invalid  invalid    yes       invalid
      steward, removes, moves, bot, bot of sub  yes         yes      invalid  invalid    yes       invalid
      guest, guest holder                       yes         invalid  invalid  invalid    invalid   invalid
      sub administrator, sub member             yes         yes      yes      invalid    yes       yes
      sub steward, sub administers              yes         yes      yes      invalid    yes       yes
      sub removes, sub moves, sub bot           yes         yes      yes      invalid    yes       yes
      sub guest, sub guest holder               yes         yes      yes      invalid    yes       yes
      spectator                                 yes         login    login    login      login     login
    `,
  })

  // protocol/messages.md 1.6: in an archived private channel a caller finds only messages that they received. A channel
  // that the caller may not see is like one that does not exist.
  const history = `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes      no       no         yes       no
      administers                               yes         yes      no       no         yes       no
      adds, joins                               yes         yes      yes      no         yes       no
      moderator, full member, new member        yes         yes      unknown  unknown    yes       unknown
      steward, removes, moves, bot, bot of sub  yes         yes      unknown  unknown    yes       unknown
      guest, guest holder                       yes         unknown  unknown  unknown    unknown   unknown
      sub administrator, sub member             yes         yes      yes      no         yes       no
      sub steward, sub administers              yes         yes      yes      no         yes       no
      sub removes, sub moves, sub bot           yes         yes      yes      no         yes       no
      sub guest, sub guest holder               yes         yes      yes      no         yes       no
      spectator                                 yes         narrow   narrow   narrow     narrow    narrow
    `
  matrix('Only callers with access to the history find an earlier message in the channel.', {
    ...beforeSubscription,
    ...byNarrow,
    table: history,
  })

  // 18.2: a search finds the messages that the caller can read.
  matrix('Only callers with access to the history find an earlier message by a search.', {
    ...beforeSubscription,
    ...bySearch,
    table: history,
  })

  // 6.1 "Topic list"; for archived channels protocol/endpoints.md 1.16.
  matrix('Only callers with access to the history see an earlier topic in the topic list.', {
    ...beforeSubscription,
    ask: (cell) => by(cell, 'GET', `/users/me/${cell.channel.id}/topics`),
    shown: ({ body }, { topic }) =>
      (body.topics as { name: string }[]).some(({ name }) => name === topic) ? 'yes' : 'no',
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     hidden  hidden     yes       hidden
      administers                               yes         yes     hidden  hidden     yes       hidden
      adds, joins                               yes         yes     yes     no         yes       yes
      moderator, full member, new member        yes         yes     hidden  hidden     yes       hidden
      steward, removes, moves, bot, bot of sub  yes         yes     hidden  hidden     yes       hidden
      guest, guest holder                       yes         hidden  hidden  hidden     hidden    hidden
      sub administrator, sub member             yes         yes     yes     no         yes       yes
      sub steward, sub administers              yes         yes     yes     no         yes       yes
      sub removes, sub moves, sub bot           yes         yes     yes     no         yes       yes
      sub guest, sub guest holder               yes         yes     yes     no         yes       yes
      spectator                                 yes         login   login   login      login     login
    `,
  })
})

describe('Access to a received message after unsubscribing', () => {
  // 6.1 "Read received messages", "Read after unsubscribing".
  matrix('Only callers who can still read the channel can fetch a received message by ID.', {
    ...afterUnsubscribing,
    ...byId,
    table: `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes      invalid  invalid    yes       invalid
      administers                               yes         yes      invalid  invalid    yes       invalid
      adds, joins                               yes         yes      yes      yes        yes       yes
      moderator, full member, new member        yes         yes      invalid  invalid    yes       invalid
      steward, removes, moves, bot, bot of sub  yes         yes      invalid  invalid    yes       invalid
      guest, guest holder                       yes         invalid  invalid  invalid    invalid   invalid
      sub administrator, sub member             yes         yes      yes      yes        yes       yes
      sub steward, sub administers              yes         yes      yes      yes        yes       yes
      sub removes, sub moves, sub bot           yes         yes      yes      yes        yes       yes
      sub guest, sub guest holder               yes         yes      yes      yes        yes       yes
      spectator                                 yes         login    login    login      login     login
    `,
  })

  const received = `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     no      no         yes       no
      administers                               yes         yes     no      no         yes       no
      adds, joins                               yes         yes     yes     yes        yes       yes
      moderator, full member, new member        yes         yes     no      no         yes       no
      steward, removes, moves, bot, bot of sub  yes         yes     no      no         yes       no
      guest, guest holder                       yes         no      no      no         no        no
      sub administrator, sub member             yes         yes     yes     yes        yes       yes
      sub steward, sub administers              yes         yes     yes     yes        yes       yes
      sub removes, sub moves, sub bot           yes         yes     yes     yes        yes       yes
      sub guest, sub guest holder               yes         yes     yes     yes        yes       yes
      spectator                                 yes         narrow  narrow  narrow     narrow    narrow
    `
  matrix('Only callers who can still read the channel find a received message in it.', {
    ...afterUnsubscribing,
    ...byNarrow,
    table: received,
  })
  matrix('Only callers who can still read the channel find a received message by a search.', {
    ...afterUnsubscribing,
    ...bySearch,
    table: received,
  })

  // protocol/endpoints.md 1.8: the answer covers received messages and silently omits others.
  matrix('Only callers who can still read the channel learn whether a received message matches a narrow.', {
    ...afterUnsubscribing,
    ask: (cell) =>
      by(cell, 'GET', '/messages/matches_narrow', {
        msg_ids: [cell.message],
        narrow: [{ operator: 'topic', operand: cell.topic }],
      }),
    shown: ({ body }, { message }) => (String(message) in (body.messages as object) ? 'yes' : 'no'),
    table: received.replace(/spectator.*/, ''),
  })
})
