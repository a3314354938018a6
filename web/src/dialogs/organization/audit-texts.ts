/** What the audit log says about an act, in words. */

import type { Result } from '@parley/client'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { channelName, userName } from '../../realm/names.js'

/** An act of the log. */
export type Act = Result<'GET /realm/audit_log'>['acts'][number]

type Change = Act['changes'][number]

/** What a row of a table is called. */
const rowNames: Readonly<Record<string, string>> = {
  realms: 'the organization',
  users: 'the account',
  bots: 'the bot',
  channels: 'the channel',
  subscriptions: 'the subscription',
  groups: 'the group',
  group_members: 'a member of the group',
  group_subgroups: 'a group in the group',
  default_channels: 'the default channel',
  default_channel_groups: 'the group of default channels',
  channel_folders: 'the channel folder',
  emoji: 'the emoji',
  profile_fields: 'the profile field',
  playgrounds: 'the playground',
  linkifiers: 'the linkifier',
  realm_domains: 'the mail domain',
}

/** What acts are called that change no row, by the beginning of their endpoint. */
const actNames: readonly (readonly [begin: string, name: string])[] = [
  ['POST /invites/{', t('Sent an invitation again')],
  ['POST /invites', t('Invited people')],
  ['DELETE /invites', t('Revoked an invitation')],
  ['POST /export', t('Requested an export')],
  ['DELETE /export', t('Deleted an export')],
]

const readId = (change: Change, column: string): number | undefined => {
  const value = change.key[column] ?? change.after?.[column] ?? change.before?.[column]
  return typeof value === 'number' ? value : undefined
}

const groupName = (chat: Chat, id: number): string => chat.groups.value.get(id)?.name ?? t('group {id}', { id })

/** The name of what changed; an empty text if it has none. */
const objectName = (chat: Chat, change: Change): string => {
  const [id, userId, channelId, groupId] = ['id', 'user_id', 'channel_id', 'group_id'].map((column) =>
    readId(change, column),
  )
  switch (change.table) {
    case 'users':
      return userName(chat, id ?? 0)
    case 'bots':
      return userName(chat, userId ?? 0)
    case 'channels':
      return `#${channelName(chat, id ?? 0)}`
    case 'default_channels':
      return `#${channelName(chat, channelId ?? 0)}`
    case 'subscriptions':
      return `of ${userName(chat, userId ?? 0)} to #${channelName(chat, channelId ?? 0)}`
    case 'groups':
      return groupName(chat, id ?? 0)
    case 'group_members':
      return `${groupName(chat, groupId ?? 0)}: ${userName(chat, userId ?? 0)}`
    case 'group_subgroups':
      return groupName(chat, groupId ?? 0)
    default: {
      const row = { ...change.before, ...change.after }
      const name = row.name ?? row.pattern ?? row.domain
      return typeof name === 'string' && change.table !== 'realms' ? name : ''
    }
  }
}

const verbOf = ({ before, after }: Change): string => {
  if (before === null) return t('Added')
  return after === null ? t('Removed') : t('Changed')
}

/** One change: `Changed the channel #library`. */
export const describeChange = (chat: Chat, change: Change): string => {
  if (change.table === 'omitted') return `${String(change.key.count)} more changes`
  const what = rowNames[change.table] ?? change.table
  return [verbOf(change), what, objectName(chat, change)].filter(Boolean).join(' ')
}

/** What an act was: its first change, and how many others there are. */
export const describeAct = (chat: Chat, { action, changes }: Act): string => {
  const [first, ...others] = [...changes].sort((a, b) => weigh(a) - weigh(b))
  if (first === undefined) return actNames.find(([begin]) => action.startsWith(begin))?.[1] ?? action
  const told = describeChange(chat, first)
  if (others.length === 0) return told
  return `${told} and ${others.length === 1 ? 'one more' : t('{length} more', { length: others.length })}`
}

/** What an act is named after comes first: a new channel, and not its subscriptions. */
const weigh = ({ table }: Change): number => {
  if (table === 'subscriptions' || table === 'group_members') return 2
  return table === 'groups' ? 1 : 0
}

/** Columns that say nothing to a reader. */
const hidden = /^(id|realm_id|rendered_description|position)$/

const LONGEST = 200

const write = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** The columns of a change, before and after. Settings of the organization are listed one by one. */
export const describeColumns = ({ before, after }: Change): { name: string; before?: string; after?: string }[] => {
  const [old, current] = [flatten(before), flatten(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].filter((name) => !hidden.test(name))
  return names
    .map((name) => ({
      name,
      ...(old[name] !== undefined && { before: write(old[name]) }),
      ...(current[name] !== undefined && { after: write(current[name]) }),
    }))
    .filter((column) => column.before !== column.after)
}

const flatten = (row: Change['before']): Record<string, unknown> => {
  const { settings, ...columns } = row ?? {}
  return typeof settings === 'object' ? { ...columns, ...settings } : { ...row }
}
