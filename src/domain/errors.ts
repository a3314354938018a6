/**
 * Everything that can go wrong for a client: a failed call is answered (`errors`), a connection that must end is
 * closed (`closes`).
 *
 * Clients decide by `code` and HTTP status; `msg` is for people, except for the few texts they match on.
 * What belongs to a push relay, or is never on the wire, has no row. Source: errors.md sections 2 to 7.
 */
import { z } from 'zod'

/** A refusal of one call. `body` is the answer without its `result`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, code: string | undefined, msg: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(msg)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.body = { msg, ...fields, ...(code === undefined ? {} : { code }) }
  }
}

/** A row of the catalogue: call it to make the error, read it to describe one. */
export interface ErrorKind<Arguments extends unknown[] = never[]> {
  (...args: Arguments): ApiError
  readonly status: number
  readonly code: string | undefined
  readonly msg: string
  /** the extra keys of the answer */
  readonly data: z.ZodObject
}

/** The words in braces of a sentence. */
type Words<Text extends string> = Text extends `${string}{${infer Word}}${infer Rest}` ? Word | Words<Rest> : never

type Given<Text extends string, Data extends z.ZodRawShape> = { [K in keyof Data]: z.input<Data[K]> } & {
  [Word in Exclude<Words<Text>, keyof Data>]: string | number
}

type ArgumentsOf<Text extends string, Data extends z.ZodRawShape> = [Words<Text> | keyof Data] extends [never]
  ? []
  : [given: Given<Text, Data>]

/**
 * Declares an error. Its sentence is filled from what it is called with; the keys of `data` go to the client too.
 */
const error = <const Text extends string, Data extends z.ZodRawShape = Record<never, never>>(
  code: string | undefined,
  row: { status?: number; msg: Text; data?: Data },
): ErrorKind<ArgumentsOf<Text, Data>> => {
  const { status = 400, msg } = row
  const data = z.object(row.data ?? {})
  const fields = Object.keys(data.shape)
  const make = (given: Record<string, unknown> = {}) => {
    const text = msg.replace(/\{(\w+)\}/g, (_, word: string) => String(given[word]))
    return new ApiError(status, code, text, Object.fromEntries(fields.map((field) => [field, given[field]])))
  }
  return Object.assign(make as (...args: ArgumentsOf<Text, Data>) => ApiError, { status, code, msg, data })
}

/** A refusal without a code of its own. */
const refusal = <const Text extends string>(msg: Text, status = 400) => error('BAD_REQUEST', { status, msg })

const unauthorized = <const Text extends string>(msg: Text) => error('UNAUTHORIZED', { status: 401, msg })

export const errors = {
  /** Any other refusal, used in one place only: the sentence is the argument. */
  badRequest: Object.assign((msg: string) => new ApiError(400, 'BAD_REQUEST', msg), {
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'A sentence that says what was refused.',
    data: z.object({}),
  }),
  /** A value that a form would refuse: the sentence, and the same by the name of the field (endpoints.md 1.19, 1.20). */
  invalidField: Object.assign(
    (field: string, msg: string) => new ApiError(400, 'BAD_REQUEST', msg, { errors: { [field]: [msg] } }),
    {
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'A sentence that says what is wrong with a value.',
      data: z.object({ errors: z.record(z.string(), z.array(z.string())) }),
    },
  ),

  // Parameters (section 5)
  missing: error('REQUEST_VARIABLE_MISSING', {
    msg: "Missing '{var_name}' argument",
    data: { var_name: z.string() },
  }),
  badValue: error('REQUEST_VARIABLE_INVALID', {
    msg: "Bad value for '{var_name}': {bad_value}",
    data: { var_name: z.string(), bad_value: z.union([z.string(), z.number(), z.null()]) },
  }),
  confusing: error('REQUEST_CONFUSING_VAR', {
    msg: "Can't decide between '{var_name1}' and '{var_name2}' arguments",
    data: { var_name1: z.string(), var_name2: z.string() },
  }),
  badFrame: refusal('A frame is a JSON object with req (an integer), method, path and, if it has any, params.'),
  incompatibleParameters: error('BAD_REQUEST', {
    msg: 'Unsupported parameter combination: {parameters}',
    data: { parameters: z.string() },
  }),
  invalidJson: error('INVALID_JSON', { msg: 'Malformed JSON' }),
  malformedBody: refusal('The request body is not {what}.'),
  bodyTooLarge: refusal('The request body is too large (limit: {limit} bytes).', 413),

  // Paths and methods
  unknownPath: refusal('There is no {path} here.', 404),
  methodNotAllowed: error(undefined, {
    status: 405,
    msg: 'Method Not Allowed',
    data: { allowed_methods: z.array(z.string()) },
  }),
  notOverSocket: refusal('{method} {path} is a stream of its own: call it over HTTP.'),
  upgradeRequired: error('BAD_REQUEST', { status: 426, msg: 'A WebSocket handshake was expected.' }),

  // Credentials (section 4)
  notLoggedIn: unauthorized('Not logged in: API authentication or user session required'),
  invalidAuthorization: unauthorized('Invalid authorization header for basic auth'),
  basicRequired: refusal('This endpoint requires HTTP basic authentication.'),
  invalidApiKey: unauthorized('Invalid API key'),
  malformedApiKey: unauthorized('Malformed API key'),
  accountDeactivated: unauthorized('Account is deactivated'),
  realmDeactivated: unauthorized('This organization has been deactivated'),
  wrongSubdomain: unauthorized('Account is not associated with this subdomain'),
  notForWebhookBots: unauthorized('This API is not available to incoming webhook bots.'),
  invalidKeyParameter: error('INVALID_API_KEY', { status: 401, msg: 'Invalid API key' }),
  malformedKeyParameter: error('INVALID_API_KEY', { status: 401, msg: 'Malformed API key' }),
  authenticationFailed: error('AUTHENTICATION_FAILED', {
    status: 401,
    msg: 'Your username or password is incorrect',
  }),
  userDeactivated: error('USER_DEACTIVATED', { status: 401, msg: 'Account is deactivated' }),
  realmIsDeactivated: error('REALM_DEACTIVATED', { status: 401, msg: 'This organization has been deactivated' }),
  passwordAuthDisabled: error('PASSWORD_AUTH_DISABLED', {
    status: 401,
    msg: 'Password authentication is disabled in this organization',
  }),
  passwordResetRequired: error('PASSWORD_RESET_REQUIRED', {
    status: 401,
    msg: 'Your password has been disabled and needs to be reset',
  }),
  nonexistentSubdomain: error('NONEXISTENT_SUBDOMAIN', { status: 404, msg: 'Invalid subdomain' }),
  invalidSubdomain: refusal('Invalid subdomain'),
  subdomainRequired: refusal('Subdomain required'),
  rateLimitHit: error('RATE_LIMIT_HIT', {
    status: 429,
    msg: 'API usage exceeded rate limit',
    data: { 'retry-after': z.number() },
  }),

  // Roles (section 6)
  notAdministrator: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Must be an organization administrator' }),
  notOwner: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Must be an organization owner' }),
  notMember: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Must be an organization member' }),
  notForBots: refusal('This endpoint does not accept bot requests.'),
  notForGuests: refusal('Not allowed for guest users'),
  cannotChangeDefaultChannels: refusal('You do not have permission to change default channels.'),
  draftsDisabled: refusal('User has disabled synchronizing drafts.'),
  insufficientPermission: refusal('Insufficient permission'),
  contentAccessRequired: refusal('Channel content access is required.'),
  cannotAdministerChannel: refusal('You do not have permission to administer this channel.'),
  accessDenied: refusal('Access denied', 403),

  // Things that are not there, or not for the caller to see: the same answer, to the letter
  invalidMessages: refusal('Invalid message(s)'),
  invalidChannelId: refusal('Invalid channel ID'),
  invalidChannelName: refusal("Invalid channel name '{name}'"),
  invalidFolderId: refusal('Invalid channel folder ID'),
  noSuchUser: refusal('No such user'),
  noSuchBot: refusal('No such bot'),
  noSuchKey: refusal('Key does not exist.'),
  invalidUserId: refusal('Invalid user ID: {user_id}'),
  invalidRecipient: refusal('Invalid user ID {user_id}'),
  invalidUserGroup: refusal('Invalid user group'),
  invalidUserGroupId: refusal('Invalid user group ID: {group_id}'),
  userGroupDeactivated: refusal('User group is deactivated.'),
  noSuchInvitation: refusal('No such invitation'),
  invalidAttachment: refusal('Invalid attachment'),
  noSuchProfileField: refusal('Field id {id} not found.'),
  noSuchLinkifier: refusal('Linkifier not found.'),
  nothingToChange: refusal('Nothing to change'),
  draftDoesNotExist: refusal('Draft does not exist', 404),
  scheduledMessageDoesNotExist: refusal('Scheduled message does not exist', 404),
  savedSnippetDoesNotExist: refusal('Saved snippet does not exist.', 404),
  navigationViewDoesNotExist: refusal('Navigation view does not exist.', 404),
  emojiDoesNotExist: refusal("Emoji '{name}' does not exist", 404),
  unknownEmoji: refusal("Emoji '{name}' does not exist"),
  channelDoesNotExist: error('STREAM_DOES_NOT_EXIST', {
    msg: "Channel '{stream}' does not exist",
    data: { stream: z.string() },
  }),
  channelIdDoesNotExist: error('STREAM_DOES_NOT_EXIST', {
    msg: "Channel with ID '{stream_id}' does not exist",
    data: { stream_id: z.int() },
  }),

  // Messages
  badNarrowCombination: error('BAD_NARROW', {
    msg: 'Invalid narrow operator combination: {desc}',
    data: { desc: z.string() },
  }),
  badNarrow: error('BAD_NARROW', { msg: 'Invalid narrow operator: {desc}', data: { desc: z.string() } }),
  badEventQueueId: error('BAD_EVENT_QUEUE_ID', {
    msg: 'Bad event queue ID: {queue_id}',
    data: { queue_id: z.string() },
  }),
  eventPruned: refusal('An event newer than {last_event_id} has already been pruned!'),
  eventNotInQueue: refusal('Event {last_event_id} was not in this queue'),
  reactionAlreadyExists: error('REACTION_ALREADY_EXISTS', { msg: 'Reaction already exists.' }),
  reactionDoesNotExist: error('REACTION_DOES_NOT_EXIST', { msg: "Reaction doesn't exist." }),
  channelWildcardNotAllowed: error('STREAM_WILDCARD_MENTION_NOT_ALLOWED', {
    msg: 'You do not have permission to use channel wildcard mentions in this channel.',
  }),
  topicWildcardNotAllowed: error('TOPIC_WILDCARD_MENTION_NOT_ALLOWED', {
    msg: 'You do not have permission to use topic wildcard mentions in this topic.',
  }),
  moveTimeLimitExceeded: error('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
    msg: 'Only {total_messages_allowed_to_move} of the {total_messages_in_topic} messages of this topic are new enough for you to move.',
    data: {
      first_message_id_allowed_to_move: z.int().nullable(),
      total_messages_in_topic: z.int(),
      total_messages_allowed_to_move: z.int(),
    },
  }),
  oldValueMismatch: error('EXPECTATION_MISMATCH', { msg: "'old' value does not match the expected value." }),
  contentMismatch: error('EXPECTATION_MISMATCH', {
    msg: "'prev_content_sha256' value does not match the expected value.",
  }),

  // Accounts, groups, organization
  cannotDeactivateLastUser: error('CANNOT_DEACTIVATE_LAST_USER', {
    msg: 'Cannot deactivate the only {entity}.',
    data: { is_last_owner: z.boolean(), entity: z.enum(['organization owner', 'user']) },
  }),
  cannotDeactivateGroupInUse: error('CANNOT_DEACTIVATE_GROUP_IN_USE', {
    msg: 'Cannot deactivate user group in use.',
    data: { objections: z.array(z.record(z.string(), z.unknown())) },
  }),
  systemGroupRequired: error('SYSTEM_GROUP_REQUIRED', {
    msg: "'{setting_name}' must be a system user group.",
    data: { setting_name: z.string() },
  }),
  groupNotAllowed: refusal("'{setting_name}' setting cannot be set to '{group_name}' group."),
  invitationFailed: error('INVITATION_FAILED', {
    msg: '{msg}',
    data: {
      errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
      sent_invitations: z.boolean(),
      license_limit_reached: z.boolean(),
      daily_limit_reached: z.boolean(),
    },
  }),
  invalidPushDevice: error('INVALID_PUSH_DEVICE_TOKEN', { msg: 'Device not recognized' }),

  // Files
  badImage: error('BAD_IMAGE', { msg: 'Invalid image format' }),
  imageTooLarge: error('BAD_IMAGE', { msg: 'Image size exceeds limit' }),
  uploadQuota: error('REALM_UPLOAD_QUOTA', { msg: "Upload would exceed your organization's upload quota." }),

  // Incoming webhooks
  missingEventHeader: error('MISSING_HTTP_EVENT_HEADER', {
    msg: "The header '{header}' must name the event",
    data: { header: z.string() },
  }),
  unsupportedWebhookEvent: error('UNSUPPORTED_WEBHOOK_EVENT_TYPE', {
    status: 200,
    msg: "The {webhook_name} integration has no use for '{event_type}' events.",
    data: { webhook_name: z.string(), event_type: z.string().nullable() },
  }),
  anomalousWebhookPayload: error('ANOMALOUS_WEBHOOK_PAYLOAD', {
    msg: 'The {webhook_name} integration cannot read this payload',
    data: { webhook_name: z.string() },
  }),

  // The server's own trouble
  notReady: error('SERVER_NOT_READY', { status: 500, msg: 'The server is not ready: try again soon.' }),
  internal: error(undefined, { status: 500, msg: 'Internal server error' }),
} as const

/** Why the server ends a connection, and what the client should do then. */
export interface Close {
  /** 4000-4499 come back, 4500-4999 do not */
  code: number
  /** goes in the close frame, so at most 123 bytes */
  reason: string
}

export const closes = {
  /** The replica is going away: connect again (any replica) with the last event id. */
  draining: { code: 4000, reason: 'draining: connect again and resume from your last event id' },
  /** Events were not read fast enough: connect again with the last event id, nothing is lost. */
  slowConsumer: { code: 4001, reason: 'too slow: connect again and resume from your last event id' },
  /** Something here failed: connect again after a moment with the last event id. */
  internal: { code: 4002, reason: 'internal error: connect again and resume from your last event id' },
  /** More calls were sent than answers awaited: connect again, and wait for answers. */
  tooManyCalls: { code: 4003, reason: 'too many unanswered calls: connect again and wait for answers' },
  /** The event queue is gone (deleted, expired, too far behind): register again, then connect. */
  queueGone: { code: 4010, reason: 'BAD_EVENT_QUEUE_ID: register again' },
  /** A binary frame came: calls are JSON in text frames. A bug in the client. */
  badFrame: { code: 4500, reason: 'bad frame: calls are JSON in text frames' },
  /** The credentials are worth nothing any more: log in again. */
  unauthorized: { code: 4501, reason: 'UNAUTHORIZED: the account, its key or the organization was deactivated' },
  /** A newer connection of the same client reads this queue. */
  displaced: { code: 4502, reason: 'displaced: another connection reads this queue' },
  /** The client deleted its queue. */
  queueDeleted: { code: 4503, reason: 'the queue was deleted' },
} as const satisfies Record<string, Close>
