/**
 * The sections that are the same for many viewers: the organization's settings and lists, and facts about the server.
 *
 * 1. Their values depend on rows of `organizationTables`, on which members are full members, and on the form of the
 *    request. So all requests of one form get the same text until one of these changes.
 * 2. There are few forms, because a form consists of booleans and of facts about the server.
 */
import { cachedJson } from '../log/cached-json.js'
import { Role } from '../log/rows.js'
import { type TableName, tableNames } from '../log/tables.js'
import { formatLimit } from '../protocol/aliases.js'
import { rawMember, type SharedText } from '../protocol/raw-json.js'
import { countFullMembers } from './promotion-times.js'
import { DatabaseField, type Section, type SnapshotRequest } from './snapshot-request.js'

/** Tables of personal rows, on which no shared section depends (1). */
const personalTables: ReadonlySet<TableName> = new Set([
  'subscriptions',
  'user_statuses',
  'alert_words',
  'user_mutes',
  'sessions',
  'api_keys',
  'counters',
])
const organizationTables = tableNames.filter((table) => !personalTables.has(table))

/** A request, and what shared sections compare of it: described once for all of them. */
export interface SharedRequest {
  readonly request: SnapshotRequest
  /** what a shared section may read of the request beside the state and the time (2) */
  readonly form: string
  readonly fullMembers: number
}

/** Describes a request for the shared sections. */
export const describeSharedRequest = (request: SnapshotRequest): SharedRequest => {
  const { state, viewer, client, profile, server, now } = request
  const viewers = viewer === null ? 'spectator' : viewer.role >= Role.guest ? 'guest' : 'member'
  const { linkifier_url_template, document_names } = profile
  const form = JSON.stringify([viewers, formatLimit(client, null), linkifier_url_template, document_names, server])
  return { request, form, fullMembers: countFullMembers(state, now) }
}

/** Composes the members of a shared section, with commas between them; undefined when there are none. */
type ComposeShared = (request: SharedRequest) => SharedText | undefined

const composers = new Map<Section, ComposeShared>()

/**
 * Finds the function that composes the section for all requests of a form. Returns undefined if the section is not
 * shared.
 */
export const findSharedComposer = (section: Section): ComposeShared | undefined => composers.get(section)

/** Declares that a section is the same for all requests of a form. No field of it may need the database. */
export const sharedSection = <S extends Section>(section: S): S => {
  const findText = cachedJson<SharedText | undefined, SharedRequest>({
    name: 'sections',
    tables: organizationTables,
    version: (_, { fullMembers }) => fullMembers,
    form: ({ form }) => form,
    compose(_, { request }, reuse) {
      const members = composeMembers(request, section)
      return members === '' ? undefined : reuse.text('', members)
    },
  })
  composers.set(section, (shared) => findText(shared.request.state, shared))
  return section
}

const composeMembers = (request: SnapshotRequest, section: Section): string => {
  const members: string[] = []
  for (const [key, field] of Object.entries(section)) {
    const value = field.value(request)
    if (value instanceof DatabaseField)
      throw new Error(`${key} needs the database, so it cannot be in a shared section`)
    if (value !== undefined) members.push(rawMember(key, value))
  }
  return members.join()
}
