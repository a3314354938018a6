/**
 * Permissions to create channels by kind and options (protocol/permissions.md 6.6, 7.1). Every cell is tested over the
 * API.
 */
import { describe } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import type { RealmSettings } from '../../src/domain/settings/realm-settings.js'
import { type Action, by, channelMatrix } from '../setup/realm/channel-matrix.js'
import { refusals } from '../setup/realm/matrix-table.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const matrix = channelMatrix({
  ...refusals,
  closed: '400 BAD_REQUEST: Turn on the setting enable_spectator_access first.',
  private: '400 BAD_REQUEST: Remove the channel from the default channels before you make it private.',
  clash: '400 BAD_REQUEST: Only private channels can keep their history from new subscribers.',
})

const options: Record<string, object> = {
  public: {},
  private: { invite_only: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
  'web-pub': { is_web_public: true },
  default: { is_default_stream: true },
  'priv-default': { is_default_stream: true, invite_only: true },
  retention: { message_retention_days: 30 },
  policy: { topics_policy: 'disable_empty_topic' },
  folder: { folder_id: 1 },
}

const nameOf = (caller: string, column: string) => `${column} of ${caller}`

/** Each caller creates their own channel, in an organization with these settings. */
const creating = (round: string, settings: Partial<RealmSettings>): Omit<Action, 'table'> => ({
  prepare: async ([cell]) => cell && updateRealmSettings(cell.world.realm, settings),
  ask: (cell) =>
    by(cell, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: round + nameOf(cell.caller, cell.column) }],
      ...options[cell.column],
    }),
  seen: ({ caller, column }, state) => state.channelByName(round + nameOf(caller, column)),
})

describe('Creating a channel', () => {
  // 6.6, with the defaults of 4.3; can_create_web_public_channel_group is administrators here.
  matrix('With the settings of a new organization, members can create public and private channels.', {
    ...creating('', {
      can_create_public_channel_group: SystemGroup.members,
      can_create_private_channel_group: SystemGroup.members,
      can_set_topics_policy_group: SystemGroup.members,
    }),
    table: `
                                                public  private  protected  web-pub  default  priv-default  retention  policy  folder
      owner                                     yes     yes      yes        yes      yes      private       yes        yes     yes
      administrator, administrator bot          yes     yes      yes        yes      yes      private       yes        yes     yes
      sub administrator                         yes     yes      yes        yes      yes      private       yes        yes     yes
      moderator, full member, new member        yes     yes      yes        denied   denied   denied        admin      yes     yes
      steward, adds, joins, removes, moves      yes     yes      yes        denied   denied   denied        admin      yes     yes
      administers, sub administers, sub member  yes     yes      yes        denied   denied   denied        admin      yes     yes
      sub steward, sub removes, sub moves       yes     yes      yes        denied   denied   denied        admin      yes     yes
      bot, bot of sub, sub bot                  yes     yes      yes        denied   denied   denied        admin      yes     yes
      guest, guest holder                       guest   guest    guest      guest    guest    guest         guest      guest   guest
      sub guest, sub guest holder               guest   guest    guest      guest    guest    guest         guest      guest   guest
    `,
  })

  // The role administrator does not override the settings.
  matrix(
    'Administrators cannot create public channels reserved for owners or private channels that no user may create.',
    {
      ...creating('strict ', {
        can_create_public_channel_group: SystemGroup.owners,
        can_create_private_channel_group: SystemGroup.nobody,
        can_set_topics_policy_group: SystemGroup.owners,
      }),
      table: `
                                                public  private  protected  web-pub  default  priv-default  retention  policy  folder
      owner                                     yes     denied   denied     yes      yes      denied        yes        yes     yes
      administrator, administrator bot          denied  denied   denied     denied   denied   denied        denied     denied  denied
      sub administrator                         denied  denied   denied     denied   denied   denied        denied     denied  denied
      moderator, full member, new member        denied  denied   denied     denied   denied   denied        denied     denied  denied
      steward, adds, joins, removes, moves      denied  denied   denied     denied   denied   denied        denied     denied  denied
      administers, sub administers, sub member  denied  denied   denied     denied   denied   denied        denied     denied  denied
      sub steward, sub removes, sub moves       denied  denied   denied     denied   denied   denied        denied     denied  denied
      bot, bot of sub, sub bot                  denied  denied   denied     denied   denied   denied        denied     denied  denied
      guest, guest holder                       guest   guest    guest      guest    guest    guest         guest      guest   guest
      sub guest, sub guest holder               guest   guest    guest      guest    guest    guest         guest      guest   guest
    `,
    },
  )

  // Full members are members past the waiting period and all higher roles. The waiting period of a bot counts from the
  // creation of the bot.
  matrix('New members cannot create channels reserved for full members, and only stewards can set a topics policy.', {
    ...creating('full ', {
      can_create_public_channel_group: SystemGroup.fullmembers,
      can_create_private_channel_group: SystemGroup.fullmembers,
    }),
    prepare: async ([cell]) =>
      cell &&
      updateRealmSettings(cell.world.realm, {
        can_create_public_channel_group: SystemGroup.fullmembers,
        can_create_private_channel_group: SystemGroup.fullmembers,
        can_set_topics_policy_group: cell.world.stewards,
      }),
    table: `
                                                public  private  protected  policy
      owner, administrator, administrator bot   yes     yes      yes        denied
      sub administrator                         yes     yes      yes        denied
      moderator, full member                    yes     yes      yes        denied
      new member                                denied  denied   denied     denied
      adds, joins, removes, moves               yes     yes      yes        denied
      administers, sub administers, sub member  yes     yes      yes        denied
      sub removes, sub moves                    yes     yes      yes        denied
      steward, sub steward                      yes     yes      yes        yes
      bot, bot of sub, sub bot                  yes     yes      yes        denied
      guest, guest holder                       guest   guest    guest      guest
      sub guest, sub guest holder               guest   guest    guest      guest
    `,
  })

  // A web-public channel requires the organization's spectator access, for every caller (6.6).
  matrix('No user can create a web-public channel without spectator access.', {
    ...creating('closed ', { enable_spectator_access: false, can_create_public_channel_group: SystemGroup.members }),
    only: true,
    table: `
                     web-pub  public
      owner          closed   yes
      administrator  closed   yes
      full member    closed   yes
    `,
  })
})
