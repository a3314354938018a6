/**
 * Lists of users, as in registrations, which most viewers of a role get in the same bytes.
 *
 * 1. A list is encoded in chunks of ids. When an account changes, only its chunk is encoded, and compressed, again.
 * 2. Viewers of two roles share the chunks in which both see the real addresses of the same accounts.
 * 3. The list of a role is that of a viewer who is not in it: of a viewer's own account, it has what others see. The
 *    viewer gets the bytes of the chunk around it.
 */
import { cachedJson, type Reuse, type Run } from '../log/cached-json.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type Fragment, RawJson, SharedObjects, separateFragments } from '../protocol/raw-json.js'
import {
  canSeeAddress,
  composeUserForSpectator,
  maxRoleSeeingAddress,
  omitActivity,
  type UserView,
  userJson,
} from './users.js'

/** Ids in one chunk. */
const CHUNK_IDS = 256

/** What a list consists of. */
export interface SharedUserList {
  state: RealmState
  /** one name for the same rows of a state */
  name: string
  /** in the order of ids */
  rows: readonly UserRow[]
}

/** How the users of a list are encoded. */
export interface ListView extends Omit<UserView, 'address'> {
  /** without `is_active`, as in a registration */
  listed: boolean
}

/** Who reads a list: users of a role, or callers without an account. */
type Form = (ListView & { role: number }) | { spectator_host: string }

interface Chunk extends Run<UserRow> {
  /** the ids divided by CHUNK_IDS */
  number: number
  /** by what its viewers see (2) */
  texts: Map<string, SharedObjects>
}

interface EncodedList {
  chunks: readonly { chunk: Chunk; objects: SharedObjects }[]
  fragments: readonly Fragment[]
}

/** The rows in chunks, shared by all forms of a list (2). */
const findChunks = cachedJson<readonly Chunk[], SharedUserList>({
  name: 'user_chunks',
  tables: ['users'],
  form: ({ name }) => name,
  compose: (_, { rows }, reuse) => splitIntoChunks(rows, reuse),
})

const findList = cachedJson<EncodedList, { list: SharedUserList; form: Form }>({
  name: 'users',
  tables: ['users'],
  form: ({ list, form }) => `${list.name} ${JSON.stringify(form)}`,
  compose(state, { list, form }) {
    const chunks = findChunks(state, list).map((chunk) => ({ chunk, objects: encodeChunk(chunk, form) }))
    return { chunks, fragments: separateFragments(chunks.map(({ objects }) => [objects.text])) }
  },
})

/** The list as a user sees it who has access to all accounts in it. */
export const composeListForUser = (list: SharedUserList, viewer: UserRow, view: ListView): RawJson => {
  const shared = composeSharedList(list, { role: viewer.role, ...view })
  if (viewer.role <= maxRoleSeeingAddress(viewer)) return new RawJson('[]', shared.fragments)
  const text = (user: UserRow) => userJson(user, { address: canSeeAddress(viewer, user), ...view }, view.listed)
  return new RawJson('[]', shared.replaceUser(viewer, text))
}

/** The list as callers without an account see it. @param spectator_host of the organization */
export const composeListForSpectator = (list: SharedUserList, spectator_host: string): RawJson =>
  new RawJson('[]', composeSharedList(list, { spectator_host }).fragments)

/** The list in fragments, and the same list for a viewer whose own account others see differently (3). */
const composeSharedList = (list: SharedUserList, form: Form) => {
  const { fragments, chunks } = findList(list.state, { list, form })
  return {
    fragments,
    replaceUser(user: UserRow, text: (user: UserRow) => string): readonly Fragment[] {
      const number = chunkNumber(user)
      return separateFragments(
        chunks.map(({ chunk, objects }) => {
          const position = chunk.number === number ? chunk.items.findIndex(({ id }) => id === user.id) : -1
          return position === -1 ? [objects.text] : objects.replace(position, text(user))
        }),
      )
    },
  }
}

const chunkNumber = ({ id }: UserRow): number => Math.floor(id / CHUNK_IDS)

/** The chunks of these rows. A former chunk is used again if its rows are the same objects (1). */
const splitIntoChunks = (rows: readonly UserRow[], reuse: Reuse): Chunk[] => {
  const chunks: Chunk[] = []
  for (let from = 0; from < rows.length; ) {
    const number = chunkNumber(rows[from] as UserRow)
    let to = from
    while (to < rows.length && chunkNumber(rows[to] as UserRow) === number) to += 1
    chunks.push(reuse.run(number, rows.slice(from, to), (items) => ({ number, items, texts: new Map() })))
    from = to
  }
  return chunks
}

const encodeChunk = ({ items, texts }: Chunk, form: Form): SharedObjects => {
  const [view, text] = describeForm(items, form)
  let encoded = texts.get(view)
  if (encoded === undefined) {
    encoded = new SharedObjects(items.map(text))
    texts.set(view, encoded)
  }
  return encoded
}

/** What these viewers see of the rows, as a name, and how a row is encoded for them. */
const describeForm = (rows: readonly UserRow[], form: Form): [view: string, text: (user: UserRow) => string] => {
  if ('spectator_host' in form) {
    const { spectator_host } = form
    return ['spectator', (user) => JSON.stringify(omitActivity(composeUserForSpectator(user, spectator_host)))]
  }
  const { role, client_gravatar, profile_data, listed } = form
  const seesAddress = (user: UserRow) => role <= maxRoleSeeingAddress(user)
  const view = `${client_gravatar} ${profile_data} ${listed} ${rows.map((user) => Number(seesAddress(user))).join('')}`
  return [view, (user) => userJson(user, { address: seesAddress(user), client_gravatar, profile_data }, listed)]
}
