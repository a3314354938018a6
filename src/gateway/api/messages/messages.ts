/**
 * Messages: sending them, and fetching single messages or pages.
 *
 * Source: protocol/messages.md 2 and 3; the API document, endpoint 9.
 */
import { z } from 'zod'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { messageObject } from '../../../domain/messages/message.js'
import { parseSelection } from '../../../domain/messages/narrow/anchors.js'
import { checkSpectatorNarrow, parseNarrow, searchedQuery, type Term } from '../../../domain/messages/narrow/narrow.js'
import { parseDestination } from '../../../domain/messages/recipients.js'
import {
  isDirectType,
  messageTypes,
  readsDocumentNames,
  readsReactingUsers,
  topicAlias,
} from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { describeLevel, since } from '../../../domain/protocol/later-levels.js'
import { isRestrictedGuest } from '../../../domain/users/user-access.js'
import { findAnchor, findPage, resolveFetchNarrow } from '../../../store/messages/fetching/find-page.js'
import { loadFittingMessages, loadPage } from '../../../store/messages/fetching/load-page.js'
import { buildMessageObjects } from '../../../store/messages/fetching/message-objects.js'
import { loadHighlights } from '../../../store/messages/fetching/search-highlights.js'
import { loadAttached, type WholeMessages } from '../../../store/messages/fetching/whole-messages.js'
import type { NarrowQuery } from '../../../store/messages/narrow/conditions.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { selectPageIds } from '../../../store/messages/narrow/select-page-ids.js'
import { sendMessage as send } from '../../../store/messages/sending/send-message.js'
import { composeIdempotencyKey, sendOnce } from '../../../store/messages/sending/send-once.js'
import type { Sql } from '../../../store/sql.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { readIdempotencyKey } from '../../call/once.js'
import { bool, idInPath, int, json, literal, oneOf, type Params, str } from '../../call/params.js'
import { parseClientName } from '../../call/user-agent.js'
import { isHeavyQuery } from './heavy-query.js'

export const sendMessage = endpoint({
  method: 'POST',
  path: '/messages',
  summary: 'Sends a message to a channel or to users.',
  callers: 'webhookBot',
  condition: 'A channel asks for `can_send_message_group`, direct messages for `direct_message_permission_group`.',
  isFrequent: true,
  isTraced: true,
  ignoresKeys: true,
  takesAck: true,
  params: {
    type: oneOf(...messageTypes),
    to: str()
      .optional()
      .describe(
        "a channel by name or id (default: the bot's default channel), or users by addresses or ids; plain text or JSON",
      ),
    topic: str().alias(topicAlias).allowNul().optional(),
    content: str().allowNul(),
    queue_id: str().optional().describe('the queue whose event contains local_id'),
    local_id: str().optional().describe('with queue_id: a send that is repeated gets the answer of the first one'),
    read_by_sender: bool().optional(),
    widget_content: str().optional().describe('JSON text: the widget of the message'),
    forged: str().optional().describe('yes or true: send as another user, which is always refused'),
  },
  example: { type: 'channel', to: '{stream}', topic: 'logo', content: 'The **first** draft for @**Sam** :tada:' },
  response: z.object({ id: z.int(), automatic_new_visibility_policy: z.int().optional() }),
  errors: [
    errors.channelDoesNotExist,
    errors.channelWildcardNotAllowed,
    errors.topicWildcardNotAllowed,
    errors.idempotencyKeyReused,
    errors.eventAlreadyAcked,
  ],
  handle({ app, caller, state, write, params, request }) {
    const { type, topic, content, queue_id, local_id, read_by_sender, widget_content, forged = '' } = params
    const echo = queue_id === undefined || local_id === undefined ? undefined : { queue_id, local_id }
    // Without the queue: a bot that was started again has another one.
    const answered = write.ack === undefined ? [] : [{ ack: write.ack.event_id }]
    const asked = [type, params.to, topic, content, read_by_sender, widget_content, ...answered]
    const key = composeIdempotencyKey(readIdempotencyKey(request), echo, asked)
    return sendOnce(write, caller.user.id, key, async () => {
      // Loaded for restricted guests only: all other sends wait for nothing.
      const isKnown =
        isRestrictedGuest(state, caller.user) && isDirectType(type)
          ? await loadAccessCheck(app.store.sql, state, caller.user)
          : undefined
      const to = parseDestination(state, caller.user, params, isKnown)
      if (['yes', 'true'].includes(forged)) {
        throw errors.badRequest('You cannot send messages as another user: omit the parameter forged.')
      }
      const realm_url = realmUrl(state.realm.string_id, app.config)
      const { user: sender, client } = caller
      return send(write, { sender, to, content, client, realm_url, read_by_sender, widget_content, echo }, key)
    })
  },
})

/** One term of a narrow, as a client sends it. */
export const narrowTerm = z.union([
  z.looseObject({
    operator: z.string(),
    operand: z.union([z.string(), z.int(), z.array(z.int())]),
    negated: z.boolean().optional(),
  }),
  z.tuple([z.string(), z.string()]),
])

/**
 * The parameter for a narrow. Its errors have texts of their own (domain/messages/narrow/narrow.ts). The document says
 * that it has terms (component-schemas.ts).
 */
export const narrowParam = () =>
  json(
    z
      .array(z.unknown())
      .transform(parseNarrow)
      .meta({ items: { $ref: '#/$defs/NarrowTerm' } }),
  ).describe(`the terms that all messages match. The operator mentions: ${describeLevel(446)}`)

const formatParams = {
  apply_markdown: bool().default(true).describe('content as HTML; false: as the Markdown that was sent'),
  allow_empty_topic_name: bool().default(false).describe('false: an empty topic is replaced by its display name'),
}

export const getMessages = endpoint({
  method: 'GET',
  path: '/messages',
  summary: 'Fetches messages of a narrow: a page around an anchor, or those with the given ids.',
  callers: 'spectator',
  params: {
    anchor: str()
      .optional()
      .describe(`an id, or oldest, newest, first_unread, date. The value date: ${describeLevel(445)}`),
    anchor_date: literal(since(445, z.string()))
      .optional()
      .describe('with the anchor `date`: a date or a time (ISO 8601); the anchor is the first message from then on'),
    include_anchor: bool().default(true),
    num_before: int({ min: 0 }).default(0),
    num_after: int({ min: 0 }).default(0),
    narrow: narrowParam().default([] as Term[]),
    client_gravatar: bool().default(true),
    ...formatParams,
    use_first_unread_anchor: bool().default(false).describe('legacy: anchor is first_unread'),
    message_ids: json(z.array(z.int())).optional(),
  },
  example: {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [
      { operator: 'channel', operand: '{stream}' },
      { operator: 'topic', operand: 'logo' },
    ],
  },
  response: z.object({
    // not z.int(): the largest anchor is above 2^53
    anchor: z.number().optional(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    messages: z.array(messageObject),
  }),
  errors: [errors.badNarrow, errors.incompatibleParameters],
  isHeavy: ({ num_before, num_after, message_ids, narrow }) =>
    isHeavyQuery(message_ids?.length ?? num_before + num_after, narrow),
  handle(call) {
    const { app, caller, realm, state, params } = call
    const selection = parseSelection(params)
    const terms = caller === undefined ? checkSpectatorNarrow(params.narrow) : params.narrow
    if (terms === undefined) throw errors.notLoggedIn()
    return app.store.standbys.run(realm, async (sql) => {
      const context = { sql, state, reader: caller?.user }
      const query = { narrow: await resolveFetchNarrow(context, terms), ...context }
      if ('message_ids' in selection) {
        const { message_ids } = selection
        const ids = await selectPageIds({ ...query, ids: message_ids }, { from: 0, limit: message_ids.length })
        const messages = await loadFittingMessages(query, ids)
        const found = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false }
        return { ...found, messages: await buildHighlightedObjects(call, params, query, messages) }
      }
      const anchor = await findAnchor(query, selection.anchor)
      const { messages, ...found } = await loadPage(query, anchor, await findPage(query, anchor, params))
      return {
        anchor,
        ...found,
        history_limited: false,
        messages: await buildHighlightedObjects(call, params, query, messages),
      }
    })
  },
})

/** What a call that reads messages is to the functions below. */
type ReadingCall = Pick<Call<Params, 'spectator'>, 'app' | 'caller' | 'realm' | 'state' | 'request'>

/** The objects of these messages; if the narrow searches, with the hits highlighted. */
const buildHighlightedObjects = async (
  call: ReadingCall,
  format: RequestedFormat,
  query: NarrowQuery,
  found: WholeMessages,
) => {
  const messages = await buildObjects(call, format, query.sql, found)
  const searched = searchedQuery(query.narrow)
  if (searched === undefined) return messages
  const matches = await loadHighlights(query, searched, found.rows)
  return messages.map((message, i) => ({ ...message, ...matches[i] }))
}

export const getMessage = endpoint({
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'Fetches a single message.',
  callers: 'spectator',
  params: { message_id: idInPath(), ...formatParams },
  response: z.object({ message: messageObject, raw_content: z.string() }),
  async handle(call) {
    const { app, caller, state, params } = call
    const { sql } = app.store
    const context = { sql, state, reader: caller?.user }
    const rows = await loadReadableMessages(context, [params.message_id])
    const [row] = rows
    if (row === undefined) throw caller === undefined ? errors.notLoggedIn() : errors.invalidMessages()
    const [message] = await buildObjects(
      call,
      { ...params, client_gravatar: true },
      sql,
      await loadAttached(context, rows),
    )
    if (message === undefined) throw errors.invalidMessages()
    return { message, raw_content: row.content }
  },
})

interface RequestedFormat {
  apply_markdown: boolean
  allow_empty_topic_name: boolean
  client_gravatar: boolean
}

/**
 * The message objects in the requested format. A caller without credentials gets the URL of every avatar, because it
 * gets no addresses from which it could compute one.
 */
const buildObjects = async (
  { app, caller, realm, state, request }: ReadingCall,
  requested: RequestedFormat,
  sql: Sql,
  messages: WholeMessages,
) => {
  // An account may have been created, and have sent a message, after the state was read.
  if (messages.rows.some((row) => !state.users.has(row.sender_id))) await realm.barrier()
  const format = {
    apply_markdown: requested.apply_markdown,
    client_gravatar: requested.client_gravatar && caller !== undefined,
    empty_topic_name: requested.allow_empty_topic_name,
    reacting_users: caller !== undefined && readsReactingUsers(caller.client),
    document_names: readsDocumentNames(parseClientName(request.fields.client, request.userAgent)),
  }
  const host = realmHost(state.realm.string_id, app.config)
  return buildMessageObjects({ sql, state, reader: caller?.user }, messages, format, host)
}
