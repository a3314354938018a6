/**
 * Permissions to change and archive a channel (protocol/permissions.md 6.4, 7.3 and 7.4). Every cell is tested over the
 * API.
 */
import { describe } from 'vitest'
import {
  administering,
  administrators,
  change,
  readingAdministrators,
  row,
} from '../setup/realm/channel-administration.js'
import { by, channelMatrix, messageSeen } from '../setup/realm/channel-matrix.js'

const matrix = channelMatrix(administering)

describe('Name, description and folder', () => {
  matrix('Only channel administrators can rename a channel.', {
    ...change(({ channel }) => ({ new_name: `${channel.name} anew` })),
    table: administrators,
  })
  matrix('Only channel administrators can change the description.', {
    ...change({ description: 'about it' }),
    table: administrators,
  })
  matrix('Only channel administrators can change the folder.', {
    ...change(({ world }) => ({ folder_id: world.folder })),
    table: administrators,
  })
})

describe('Privacy and default channels', () => {
  // 7.3 item 2: a request that makes a web-public channel private must also set is_web_public to false.
  matrix('Only channel administrators who can read the channel can change its privacy.', {
    ...change(({ column }) => ({
      is_private: !['shared', 'protected', 'arch-priv'].includes(column),
      is_web_public: column === 'web-public' ? false : undefined,
    })),
    table: readingAdministrators,
  })

  // 5.1: public channels have no protected history. 6.4 and 7.3 item 3 require content access, also when only the
  // history visibility changes: old messages are content too.
  matrix('Only channel administrators who can read a private channel can change its history visibility.', {
    ...change(({ column }) => ({ history_public_to_subscribers: column === 'protected' })),
    table: `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   clash       clash    content  content    clash     content
      administers                               clash       clash    content  content    clash     content
      sub administrator, sub administers        clash       clash    yes      yes        clash     yes
      adds, joins                               foreign     foreign  foreign  foreign    foreign   foreign
      moderator, full member, new member        foreign     foreign  hidden   hidden     foreign   hidden
      steward, removes, moves, bot, bot of sub  foreign     foreign  hidden   hidden     foreign   hidden
      guest, guest holder                       foreign     hidden   hidden   hidden     hidden    hidden
      sub member, sub steward, sub removes      foreign     foreign  foreign  foreign    foreign   foreign
      sub moves, sub bot, sub guest             foreign     foreign  foreign  foreign    foreign   foreign
      sub guest holder                          foreign     foreign  foreign  foreign    foreign   foreign
    `,
  })

  // 6.4 "make web-public": requires content access and can_create_web_public_channel_group, here administrators.
  matrix('Only channel administrators who can read the channel and have the permission can make it web-public.', {
    ...change({ is_private: false, is_web_public: true, history_public_to_subscribers: true }),
    table: `
                                                public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes      content  content    yes       content
      administers                               denied   content  content    denied    content
      sub administrator                         yes      yes      yes        yes       yes
      sub administers                           denied   denied   denied     denied    denied
      adds, joins                               foreign  foreign  foreign    foreign   foreign
      moderator, full member, new member        foreign  hidden   hidden     foreign   hidden
      steward, removes, moves, bot, bot of sub  foreign  hidden   hidden     foreign   hidden
      guest, guest holder                       hidden   hidden   hidden     hidden    hidden
      sub member, sub steward, sub removes      foreign  foreign  foreign    foreign   foreign
      sub moves, sub bot, sub guest             foreign  foreign  foreign    foreign   foreign
      sub guest holder                          foreign  foreign  foreign    foreign   foreign
    `,
  })

  // 6.4 note 8. A private channel is refused because of its privacy (7.3 item 2) before the permission is checked.
  matrix('Only organization administrators can make a public channel a default channel in an update.', {
    ...change({ is_default_stream: true }),
    seen: ({ channel }, state) => state.defaultChannels.has(channel.id),
    table: `
                                                web-public  public   shared   protected
      owner, administrator, administrator bot   yes         yes      private  private
      sub administrator                         yes         yes      private  private
      administers, sub administers              default     default  private  private
      adds, joins                               foreign     foreign  foreign  foreign
      moderator, full member, new member        foreign     foreign  hidden   hidden
      steward, removes, moves, bot, bot of sub  foreign     foreign  hidden   hidden
      guest, guest holder                       foreign     hidden   hidden   hidden
      sub member, sub steward, sub removes      foreign     foreign  foreign  foreign
      sub moves, sub bot, sub guest             foreign     foreign  foreign  foreign
      sub guest holder                          foreign     foreign  foreign  foreign
    `,
  })

  // 7.5: only administrators may call this endpoint.
  matrix('Only organization administrators can use the endpoint for default channels.', {
    fresh: true,
    ask: (cell) => by(cell, 'POST', '/default_streams', { stream_id: cell.channel.id }),
    seen: ({ channel }, state) => state.defaultChannels.has(channel.id),
    table: `
                                                web-public  public
      owner, administrator, administrator bot   yes         yes
      sub administrator                         yes         yes
      administers, sub administers              default     default
      adds, joins                               default     default
      moderator, full member, new member        default     default
      steward, removes, moves, bot, bot of sub  default     default
      guest, guest holder                       default     default
      sub member, sub steward, sub removes      default     default
      sub moves, sub bot, sub guest             default     default
      sub guest holder                          default     default
    `,
  })
})

describe('Message retention and topic deletion', () => {
  // The API document, endpoint 5: administrators of the organization may edit any property.
  matrix('Only administrators of the organization can change the message retention of a channel.', {
    ...change({ message_retention_days: 30 }),
    table: `
                                                web-public  public   shared   protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes      yes      yes        yes       yes
      sub administrator                         yes         yes      yes      yes        yes       yes
      administers, sub administers              admin       admin    admin    admin      admin     admin
      adds, joins                               foreign     foreign  foreign  foreign    foreign   foreign
      moderator, full member, new member        foreign     foreign  hidden   hidden     foreign   hidden
      steward, removes, moves, bot, bot of sub  foreign     foreign  hidden   hidden     foreign   hidden
      guest, guest holder                       foreign     hidden   hidden   hidden     hidden    hidden
      sub member, sub steward, sub removes      foreign     foreign  foreign  foreign    foreign   foreign
      sub moves, sub bot, sub guest             foreign     foreign  foreign  foreign    foreign   foreign
      sub guest holder                          foreign     foreign  foreign  foreign    foreign   foreign
    `,
  })

  // 6.4 note 10, 8.7: organization administrators who can read the messages; in archived channels no caller (5.2).
  matrix('Only organization administrators who can read a topic can delete it.', {
    fresh: true,
    message: ({ world }) => world.founder,
    ask: (cell) => by(cell, 'POST', `/streams/${cell.channel.id}/delete_topic`, { topic_name: cell.topic }),
    seen: messageSeen,
    table: `
                                                web-public  public  shared  protected  archived  arch-priv
      owner, administrator, administrator bot   yes         yes     hidden  hidden     hidden    hidden
      sub administrator                         yes         yes     yes     yes        hidden    hidden
      administers, sub administers              admin       admin   admin   admin      admin     admin
      adds, joins                               admin       admin   admin   admin      admin     admin
      moderator, full member, new member        admin       admin   admin   admin      admin     admin
      steward, removes, moves, bot, bot of sub  admin       admin   admin   admin      admin     admin
      guest, guest holder                       admin       admin   admin   admin      admin     admin
      sub member, sub steward, sub removes      admin       admin   admin   admin      admin     admin
      sub moves, sub bot, sub guest             admin       admin   admin   admin      admin     admin
      sub guest holder                          admin       admin   admin   admin      admin     admin
    `,
  })
})

describe('Archiving and unarchiving', () => {
  matrix('Only channel administrators can archive a channel.', {
    fresh: true,
    ask: (cell) => by(cell, 'DELETE', `/streams/${cell.channel.id}`),
    seen: row,
    table: administrators.replaceAll(/yes( +)yes( *)$/gm, 'already$1already$2'),
  })

  matrix('Only channel administrators can unarchive a channel.', {
    ...change({ is_archived: false }),
    table: `
                                                archived  arch-priv  public   shared
      owner, administrator, administrator bot   yes       yes        active   active
      administers                               yes       yes        active   active
      sub administrator, sub administers        yes       yes        active   active
      adds, joins                               foreign   foreign    foreign  foreign
      moderator, full member, new member        foreign   hidden     foreign  hidden
      steward, removes, moves, bot, bot of sub  foreign   hidden     foreign  hidden
      guest, guest holder                       hidden    hidden     hidden   hidden
      sub member, sub steward, sub removes      foreign   foreign    foreign  foreign
      sub moves, sub bot, sub guest             foreign   foreign    foreign  foreign
      sub guest holder                          foreign   foreign    foreign  foreign
    `,
  })
})
