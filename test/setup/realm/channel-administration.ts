/** Actions, refusals and tables that the matrices of channel administration share. */
import type { RealmState } from '../../../src/domain/log/state.js'
import { type Action, by, type Cell } from './channel-matrix.js'
import { refusals, type Vocabulary } from './matrix-table.js'

export const administering = {
  ...refusals,
  hidden: '400 BAD_REQUEST: There is no channel with this ID, or you may not see it.',
  foreign: '400 BAD_REQUEST: Only administrators of this channel may do this.',
  content: '400 BAD_REQUEST: Only users who can read this channel may do this.',
  clash: '400 BAD_REQUEST: Only private channels can keep their history from new subscribers.',
  default: '400 BAD_REQUEST: Only administrators may change the default channels.',
  private: '400 BAD_REQUEST: Remove the channel from the default channels before you make it private.',
  topics: '400 BAD_REQUEST: In a private channel with protected history, everyone must be allowed to begin topics.',
  already: '400 BAD_REQUEST: This channel is already archived.',
  active: '400 BAD_REQUEST: This channel is not archived.',
} as const satisfies Vocabulary

/** A change of the row of a channel. Each cell has a channel of its own. */
export const change = (params: object | ((cell: Cell) => object)): Pick<Action, 'fresh' | 'ask' | 'seen'> => ({
  fresh: true,
  ask: (cell) =>
    by(cell, 'PATCH', `/streams/${cell.channel.id}`, {
      ...(typeof params === 'function' ? params(cell) : params),
    }),
  seen: row,
})

/** The row of the channel of a cell. */
export const row = ({ channel }: Cell, state: RealmState) => state.channels.get(channel.id)

/**
 * Lists changes that need metadata access and channel administration. They need no content access
 * (protocol/permissions.md 6.4).
 */
export const administrators = `
                                            web-public  public   shared   protected  archived  arch-priv
  owner, administrator, administrator bot   yes         yes      yes      yes        yes       yes
  administers                               yes         yes      yes      yes        yes       yes
  sub administrator, sub administers        yes         yes      yes      yes        yes       yes
  adds, joins                               foreign     foreign  foreign  foreign    foreign   foreign
  moderator, full member, new member        foreign     foreign  hidden   hidden     foreign   hidden
  steward, removes, moves, bot, bot of sub  foreign     foreign  hidden   hidden     foreign   hidden
  guest, guest holder                       foreign     hidden   hidden   hidden     hidden    hidden
  sub member, sub steward, sub removes      foreign     foreign  foreign  foreign    foreign   foreign
  sub moves, sub bot, sub guest             foreign     foreign  foreign  foreign    foreign   foreign
  sub guest holder                          foreign     foreign  foreign  foreign    foreign   foreign
`

/**
 * Lists changes that also need content access. Administration of a private channel does not give it
 * (protocol/permissions.md 6.4).
 */
export const readingAdministrators = `
                                            web-public  public   shared   protected  archived  arch-priv
  owner, administrator, administrator bot   yes         yes      content  content    yes       content
  administers                               yes         yes      content  content    yes       content
  sub administrator, sub administers        yes         yes      yes      yes        yes       yes
  adds, joins                               foreign     foreign  foreign  foreign    foreign   foreign
  moderator, full member, new member        foreign     foreign  hidden   hidden     foreign   hidden
  steward, removes, moves, bot, bot of sub  foreign     foreign  hidden   hidden     foreign   hidden
  guest, guest holder                       foreign     hidden   hidden   hidden     hidden    hidden
  sub member, sub steward, sub removes      foreign     foreign  foreign  foreign    foreign   foreign
  sub moves, sub bot, sub guest             foreign     foreign  foreign  foreign    foreign   foreign
  sub guest holder                          foreign     foreign  foreign  foreign    foreign   foreign
`
