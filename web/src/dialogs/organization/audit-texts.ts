/** What the audit log says about an act, in words. */

import type { Result } from '@parley/client'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { channelName, topicName, userName } from '../../realm/names.js'

/** An act of the log. */
export type Act = Result<'GET /realm/audit_log'>['acts'][number]

type Change = Act['changes'][number]

/** What a sentence about a change says: what happened to a row, and the name of the row, empty if it is unknown. */
interface ChangeText {
  change: 'added' | 'removed' | 'changed'
  name: string
}

/** The sentences about the rows of each table. */
const rowTexts: Readonly<Record<string, (values: ChangeText) => string>> = {
  realms: ({ change }) =>
    t(
      '{change, select, added {Added the organization} removed {Removed the organization} other {Changed the organization}}',
      { change },
    ),
  users: ({ change, name }) =>
    t(
      '{change, select, added {Added the account {name}} removed {Removed the account {name}} other {Changed the account {name}}}',
      { change, name },
    ),
  bots: ({ change, name }) =>
    t(
      '{change, select, added {Added the bot {name}} removed {Removed the bot {name}} other {Changed the bot {name}}}',
      { change, name },
    ),
  channels: ({ change, name }) =>
    t(
      '{change, select, added {Added the channel {name}} removed {Removed the channel {name}} other {Changed the channel {name}}}',
      { change, name },
    ),
  groups: ({ change, name }) =>
    t(
      '{change, select, added {Added the group {name}} removed {Removed the group {name}} other {Changed the group {name}}}',
      { change, name },
    ),
  group_subgroups: ({ change, name }) =>
    t(
      '{change, select, added {Added a group in the group {name}} removed {Removed a group in the group {name}} other {Changed a group in the group {name}}}',
      { change, name },
    ),
  default_channels: ({ change, name }) =>
    t(
      '{change, select, added {Added the default channel {name}} removed {Removed the default channel {name}} other {Changed the default channel {name}}}',
      { change, name },
    ),
  default_channel_groups: ({ change, name }) =>
    t(
      '{change, select, added {Added the group of default channels {name}} removed {Removed the group of default channels {name}} other {Changed the group of default channels {name}}}',
      { change, name },
    ),
  channel_folders: ({ change, name }) =>
    t(
      '{change, select, added {Added the channel folder {name}} removed {Removed the channel folder {name}} other {Changed the channel folder {name}}}',
      { change, name },
    ),
  emoji: ({ change, name }) =>
    t(
      '{change, select, added {Added the emoji {name}} removed {Removed the emoji {name}} other {Changed the emoji {name}}}',
      { change, name },
    ),
  profile_fields: ({ change, name }) =>
    t(
      '{change, select, added {Added the profile field {name}} removed {Removed the profile field {name}} other {Changed the profile field {name}}}',
      { change, name },
    ),
  playgrounds: ({ change, name }) =>
    t(
      '{change, select, added {Added the playground {name}} removed {Removed the playground {name}} other {Changed the playground {name}}}',
      { change, name },
    ),
  linkifiers: ({ change, name }) =>
    t(
      '{change, select, added {Added the linkifier {name}} removed {Removed the linkifier {name}} other {Changed the linkifier {name}}}',
      { change, name },
    ),
  realm_domains: ({ change, name }) =>
    t(
      '{change, select, added {Added the mail domain {name}} removed {Removed the mail domain {name}} other {Changed the mail domain {name}}}',
      { change, name },
    ),
  api_keys: ({ change, name }) =>
    t(
      '{change, select, added {Made the API key {name}} removed {Ended the API key {name}} other {Changed the API key {name}}}',
      { change, name },
    ),
  log_in_methods: ({ change, name }) =>
    t(
      '{change, select, added {Added the log-in provider {name}} removed {Removed the log-in provider {name}} other {Changed the log-in provider {name}}}',
      { change, name },
    ),
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
    case 'groups':
      return groupName(chat, id ?? 0)
    case 'group_subgroups':
      return groupName(chat, groupId ?? 0)
    default: {
      const row = { ...change.before, ...change.after }
      const name = row.name ?? row.pattern ?? row.domain
      return typeof name === 'string' && change.table !== 'realms' ? name : ''
    }
  }
}

const kindOf = ({ before, after }: Change): ChangeText['change'] => {
  if (before === null) return 'added'
  return after === null ? 'removed' : 'changed'
}

/** One change: `Changed the channel #library`. */
export const describeChange = (chat: Chat, change: Change): string => {
  if (change.table === 'omitted') {
    return t('{count, plural, one {# more change} other {# more changes}}', { count: Number(change.key.count) })
  }
  if (change.table === 'messages') return describeMessages(chat, change)
  const kind = kindOf(change)
  const user = () => userName(chat, readId(change, 'user_id') ?? 0)
  if (change.table === 'subscriptions') {
    return t(
      '{change, select, added {Added the subscription of {name} to #{channel}} removed {Removed the subscription of {name} to #{channel}} other {Changed the subscription of {name} to #{channel}}}',
      { change: kind, name: user(), channel: channelName(chat, readId(change, 'channel_id') ?? 0) },
    )
  }
  if (change.table === 'group_members') {
    return t(
      '{change, select, added {Added a member of the group {group}: {name}} removed {Removed a member of the group {group}: {name}} other {Changed a member of the group {group}: {name}}}',
      { change: kind, name: user(), group: groupName(chat, readId(change, 'group_id') ?? 0) },
    )
  }
  if (change.table === 'log_ins') {
    return t(
      '{result, select, entered {Logged in with {provider}: {address}} linked {Linked an account of {provider}: {address}} created {Joined with {provider}: {address}} unlinked {Unlinked an account of {provider}} other {Refused a log-in with {provider}: {address}}}',
      {
        result: String(change.after?.result),
        provider: String(change.after?.provider),
        address: String(change.after?.address),
      },
    )
  }
  if (change.table === 'second_factors') {
    return t(
      '{result, select, added {Set up a second factor: {name}} removed {Removed the second factor: {name}} codes_renewed {Made new recovery codes: {name}} recovery_code_used {Used a recovery code: {name}} ended {Ended the second factor of {name}} other {Refused a code of the second factor: {name}}}',
      { result: String(change.after?.result), name: user() },
    )
  }
  if (change.table === 'sign_ups') {
    return t(
      '{result, select, approved {Approved the request to join of {name}: {address}} refused {Refused the request to join of {name}: {address}} other {Asks to join: {name}, {address}}}',
      {
        result: String(change.after?.result),
        name: String(change.after?.full_name),
        address: String(change.after?.email),
      },
    )
  }
  const describe = rowTexts[change.table]
  if (describe !== undefined) return describe({ change: kind, name: objectName(chat, change) }).trim()
  return t('{change, select, added {Added {table}} removed {Removed {table}} other {Changed {table}}}', {
    change: kind,
    table: change.table,
  })
}

/** Messages that were moved, deleted or restored, with their place. */
const describeMessages = (chat: Chat, { key, before, after }: Change): string => {
  if (typeof key.id === 'number') return t('Message {id}', { id: key.id })
  if (before !== null && after !== null) {
    return t('{count, plural, one {Moved a message to {place}} other {Moved # messages to {place}}}', {
      count: Number(key.count),
      place: placeName(chat, after),
    })
  }
  const place = placeName(chat, key)
  if (place === '') return after === null ? t('Deleted direct messages') : t('Restored direct messages')
  return after === null ? t('Deleted messages in {place}', { place }) : t('Restored messages in {place}', { place })
}

const placeName = (chat: Chat, { channel_id, topic }: Readonly<Record<string, unknown>>): string =>
  typeof channel_id === 'number' && typeof topic === 'string'
    ? `#${channelName(chat, channel_id)} › ${topicName(chat, topic)}`
    : ''

/** What an act was: its first change, and how many others there are. */
export const describeAct = (chat: Chat, { action, changes }: Act): string => {
  const [first, ...others] = [...changes].sort((a, b) => weigh(a) - weigh(b))
  if (first === undefined) return actNames.find(([begin]) => action.startsWith(begin))?.[1] ?? action
  const change = describeChange(chat, first)
  if (others.length === 0) return change
  return t('{change} and {count, plural, one {one more} other {# more}}', { change, count: others.length })
}

/** What an act is named after comes first: a new channel, and not its subscriptions. */
const weigh = ({ table }: Change): number => {
  if (table === 'subscriptions' || table === 'group_members') return 2
  return table === 'groups' ? 1 : 0
}

/** Columns that say nothing to a reader. */
const hidden = /^(id|realm_id|rendered_description|position)$/

const LONGEST = 200

/** A value as text, shortened. */
export const writeValue = (value: unknown): string => {
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
      ...(old[name] !== undefined && { before: writeValue(old[name]) }),
      ...(current[name] !== undefined && { after: writeValue(current[name]) }),
    }))
    .filter((column) => column.before !== column.after)
}

const flatten = (row: Change['before']): Record<string, unknown> => {
  const { settings, ...columns } = row ?? {}
  return typeof settings === 'object' ? { ...columns, ...settings } : { ...row }
}
