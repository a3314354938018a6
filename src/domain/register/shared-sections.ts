/**
 * The sections that are the same for many viewers: the organization's settings and lists, and facts about the server.
 *
 * 1. Their values depend on rows of `organizationTables`, on which members are full members, and on the form of the
 *    request. So all requests of one form get the same text until one of these changes.
 * 2. There are few forms, because a form consists of booleans and of facts about the server.
 */
import { openDerivedValues } from '../log/derived-values.js'
import { Role } from '../log/rows.js'
import { type TableName, tableNames } from '../log/tables.js'
import { formatLimit } from '../protocol/aliases.js'
import { rawMember, SharedText } from '../protocol/raw-json.js'
import { Later, type Section, type SnapshotRequest } from './asked.js'
import { fullMembersVersion } from './full-members.js'
import type { FetchName } from './sections.js'

const names: ReadonlySet<FetchName> = new Set([
  'channel_folders',
  'custom_profile_fields',
  'default_stream_groups',
  'default_streams',
  'giphy',
  'realm',
  'realm_billing',
  'realm_domains',
  'realm_embedded_bots',
  'realm_emoji',
  'realm_filters',
  'realm_incoming_webhook_bots',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'stop_words',
  'video_calls',
])

/** Whether the section is the same for all requests of a form. */
export const isSharedSection = (name: FetchName): boolean => names.has(name)

/** Tables of personal rows, on which no shared section depends (1). */
const personalTables: ReadonlySet<TableName> = new Set([
  'subscriptions',
  'user_statuses',
  'alert_words',
  'user_mutes',
  'sessions',
  'counters',
])
const organizationTables = tableNames.filter((table) => !personalTables.has(table))

const findSections = openDerivedValues<{ json: string; text: SharedText }>()

/** The members of a shared section, with commas between them; undefined when there are none. */
export const composeSharedSection = (
  request: SnapshotRequest,
  name: FetchName,
  section: Section,
): SharedText | undefined => {
  const { state, now } = request
  const version = `${state.versionOf(organizationTables)} ${fullMembersVersion(state, now)}`
  const { json, text } = findSections(state, `${name} ${formOf(request)}`, version, (former) => {
    const json = composeMembers(request, section)
    return former?.json === json ? former : { json, text: new SharedText(json) }
  })
  return json === '' ? undefined : text
}

const forms = new WeakMap<SnapshotRequest, string>()

/** Everything of a request that a shared section may read beside the state and the time (2). */
const formOf = (request: SnapshotRequest): string => {
  let form = forms.get(request)
  if (form === undefined) {
    const { viewer, client, profile, server } = request
    const viewers = viewer === null ? 'spectator' : viewer.role >= Role.guest ? 'guest' : 'member'
    const { linkifier_url_template, document_names } = profile
    form = JSON.stringify([viewers, formatLimit(client, null), linkifier_url_template, document_names, server])
    forms.set(request, form)
  }
  return form
}

const composeMembers = (request: SnapshotRequest, section: Section): string => {
  const members: string[] = []
  for (const [key, field] of Object.entries(section)) {
    const value = field.value(request)
    if (value instanceof Later) throw new Error(`${key} needs the database, so it cannot be in a shared section`)
    if (value !== undefined) members.push(rawMember(key, value))
  }
  return members.join()
}
