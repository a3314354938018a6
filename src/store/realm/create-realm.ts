/** Creates an organization: its row, its log, and the rows that every organization starts with. */
import { composeInsert, type RowChange } from '../../domain/log/row-changes.js'
import { type GroupRow, Role, type UserRow } from '../../domain/log/rows.js'
import { notificationBotAddress } from '../../domain/realm/notification-bot.js'
import { SystemGroup, systemGroups } from '../../domain/settings/group-setting-values.js'
import { writeRows } from '../log/row-tables.js'
import type { Sql, Transaction } from '../sql.js'

/**
 * Creates an organization with its system groups and its notification bot. The log begins empty: its first state is
 * what the tables hold.
 * @param owner its first account, with the id that follows the one of the notification bot
 * @param besides what is stored in the same transaction
 * @returns its id. Throws the driver's unique violation when the name is taken.
 */
export const createRealm = async (
  sql: Sql,
  realm: { string_id: string; name: string; description?: string },
  owner?: UserRow,
  besides: (tx: Transaction, realm_id: number) => Promise<unknown> = async () => {},
): Promise<number> =>
  sql.begin(async (tx) => {
    const now = Math.floor(Date.now() / 1000)
    const [row] = await tx<{ id: number }[]>`
      insert into realms (string_id, name, description, date_created)
      values (${realm.string_id}, ${realm.name}, ${realm.description ?? ''}, ${now})
      returning id`
    if (row === undefined) throw new Error('insert returned nothing')
    await tx`insert into log_heads (realm_id) values (${row.id})`
    await Promise.all(writeRows(tx, row.id, composeFirstRows(now, owner)))
    await besides(tx, row.id)
    return row.id
  })

/** The structural rows with which an organization begins. @param now UNIX seconds */
export const composeFirstRows = (now: number, owner?: UserRow): RowChange[] => [
  ...makeSystemGroups(now),
  composeInsert('users', makeNotificationBot(now)),
  ...(owner === undefined ? [] : [composeInsert('users', owner)]),
  composeInsert('counters', { name: 'users', value: owner?.id ?? NOTIFICATION_BOT_ID }),
]

const NOTIFICATION_BOT_ID = 1

const makeSystemGroups = (now: number): RowChange[] => [
  ...systemGroups.map(({ id, name, description }) =>
    composeInsert('groups', {
      id,
      name,
      description,
      is_system_group: true,
      creator_id: null,
      date_created: now,
      deactivated: false,
      can_add_members_group: SystemGroup.nobody,
      can_join_group: SystemGroup.nobody,
      can_leave_group: SystemGroup.nobody,
      can_manage_group: SystemGroup.nobody,
      can_mention_group: SystemGroup.nobody,
      can_remove_members_group: SystemGroup.nobody,
    } satisfies GroupRow),
  ),
  composeInsert('counters', { name: 'groups', value: systemGroups.length }),
]

const makeNotificationBot = (now: number): UserRow => ({
  id: NOTIFICATION_BOT_ID,
  email: notificationBotAddress,
  delivery_email: notificationBotAddress,
  full_name: 'Notification Bot',
  role: Role.member,
  is_active: true,
  is_bot: true,
  bot_type: 1,
  bot_owner_id: null,
  is_system_bot: true,
  date_joined: now,
  timezone: '',
  avatar_source: 'G',
  uses_gravatar: false,
  avatar_version: 1,
  key_version: 1,
  can_create_users: true,
  can_change_user_emails: true,
  settings: {},
  profile_data: {},
})
