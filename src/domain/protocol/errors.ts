/**
 * The catalogue of errors: the responses to failed calls (`errors`), and the
 * reasons for closing a connection (`closes`).
 *
 * Clients decide by `code` and HTTP status. `msg` is a sentence for users that says what to do, in the language of the
 * user. Public clients, or their tests, match some sentences: those are English for every user (`isMatched`). Errors of
 * a push relay, and errors that are never sent, are not in the catalogue.
 * Source: protocol/errors.md 2 to 7.
 */

import { z } from 'zod'
import { sourceLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { type Sentence, type SentenceValues, sentence, textsIn, toEnglish, translate } from '../languages/texts.js'

/** The extra keys of an answer. A function makes them, where they contain sentences. */
type ErrorFields = Readonly<Record<string, unknown>> | ((t: Texts, msg: string) => Readonly<Record<string, unknown>>)

/** What an error has beside its status, its code and its sentence. */
interface ErrorTraits {
  fields?: ErrorFields
  isFailedAuthentication?: boolean
  isMatched?: boolean
}

/**
 * The error response to one call. `message` is its sentence in English, for logs and operators; clients get it in the
 * language of their user (`bodyIn`).
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly #sentence: Sentence
  readonly #fields: ErrorFields
  /** whether the call had no valid credentials: such calls are counted by network address (gateway/call/count.ts) */
  readonly isFailedAuthentication: boolean
  /** whether clients match the sentence, so that it is English for every user */
  readonly isMatched: boolean
  /** whether newer state cannot change the error, so that the call must not run again (gateway/call) */
  isFinal = false
  /** the texts of the account that gets the error, if it is thrown to where the account is not known */
  reader: Texts | undefined

  constructor(status: number, code: string | undefined, said: Sentence, traits: ErrorTraits = {}) {
    super(toEnglish(said))
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.#sentence = said
    this.#fields = traits.fields ?? {}
    this.isFailedAuthentication = traits.isFailedAuthentication ?? false
    this.isMatched = traits.isMatched ?? false
  }

  /** The sentence for users, as part of another one. */
  get sentence(): Sentence {
    return this.#sentence
  }

  /** The response without its `result`. @param t the texts in the language of the user that reads it */
  bodyIn(t: Texts): Readonly<Record<string, unknown>> {
    const msg = this.isMatched ? this.message : translate(t, this.#sentence)
    const fields = typeof this.#fields === 'function' ? this.#fields(t, msg) : this.#fields
    return { msg, ...fields, ...(this.code === undefined ? {} : { code: this.code }) }
  }

  /** The response in English. */
  get body(): Readonly<Record<string, unknown>> {
    return this.bodyIn(textsIn(sourceLanguage))
  }

  /** Marks the error of a call that must not run again: its parameters are wrong, or it has changed something. */
  asFinal(): this {
    this.isFinal = true
    return this
  }
}

/** A row of the catalogue: a function that makes the error, with the properties that describe it. */
export interface ErrorKind<Arguments extends unknown[] = never[]> {
  (...args: Arguments): ApiError
  readonly status: number
  readonly code: string | undefined
  readonly msg: string
  /** clients match the sentence, so that it is English for every user (protocol/errors.md 7) */
  readonly isMatched?: boolean
  /** the extra keys of the answer */
  readonly data: z.ZodObject
}

/** The names in braces in a sentence. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Word}}${infer Rest}`
  ? Word | Placeholders<Rest>
  : never

type MessageValues<Text extends string, Data extends z.ZodRawShape> = {
  [K in keyof Data]: z.input<Data[K]> | (string extends z.input<Data[K]> ? Sentence : never)
} & { [Word in Exclude<Placeholders<Text>, keyof Data>]: string | number }

type ArgumentsOf<Text extends string, Data extends z.ZodRawShape> = [Placeholders<Text> | keyof Data] extends [never]
  ? []
  : [given: MessageValues<Text, Data>]

interface ErrorRow<Text extends string, Data extends z.ZodRawShape> {
  status?: number
  msg: Text
  data?: Data
  isFailedAuthentication?: true
  /** clients match the sentence: it is English for every user (protocol/errors.md 7) */
  isMatched?: true
}

/**
 * Declares an error. Its arguments fill the placeholders of the sentence; those named in `data` are sent as keys too.
 */
const error = <const Text extends string, Data extends z.ZodRawShape = Record<never, never>>(
  code: string | undefined,
  row: ErrorRow<Text, Data>,
): ErrorKind<ArgumentsOf<Text, Data>> => {
  const { status = 400, msg, isFailedAuthentication = false, isMatched = false } = row
  const data = z.object(row.data ?? {})
  const names = Object.keys(data.shape)
  const hasValues = msg.includes('{')
  const make = (given: Record<string, unknown> = {}) => {
    const values = hasValues
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toTextValue(value)]))
      : undefined
    const fields = (t: Texts) =>
      Object.fromEntries(names.map((name) => [name, isSentence(given[name]) ? translate(t, given[name]) : given[name]]))
    return new ApiError(status, code, sentence(msg, values), { fields, isFailedAuthentication, isMatched })
  }
  return Object.assign(make as (...args: ArgumentsOf<Text, Data>) => ApiError, { status, code, msg, isMatched, data })
}

const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Sentence>).text === 'string'

/** A value as the sentence shows it: a parameter can be any value. */
const toTextValue = (value: unknown): string | number | Sentence =>
  typeof value === 'number' || isSentence(value) ? value : String(value)

/** The codes of refusals by status: BAD_REQUEST has the status 400 and no other. */
const codeByStatus = {
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  426: 'UPGRADE_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  501: 'NOT_IMPLEMENTED',
} as const

/** Declares an error that has no code of its own. */
const refusal = <const Text extends string>(msg: Text, status: keyof typeof codeByStatus = 400) =>
  error(codeByStatus[status], { status, msg })

const unauthorized = <const Text extends string>(msg: Text) => error('UNAUTHORIZED', { status: 401, msg })

const failedAuthentication = <const Text extends string>(code: string, msg: Text) =>
  error(code, { status: 401, msg, isFailedAuthentication: true })

/** An invited address that is refused. The last item says whether its account is deactivated. */
export type RefusedAddress = readonly [email: string, reason: Sentence, is_deactivated: boolean]

const toSentence = (said: string | Sentence, values: SentenceValues | undefined): Sentence =>
  typeof said === 'string' ? sentence(said, values) : said

/** Every error that a client can receive, by the name that the code throws it with. */
export const errors = {
  /** An error that only one place throws: the sentence is the argument. */
  badRequest: Object.assign(
    (said: string | Sentence, values?: SentenceValues) => new ApiError(400, 'BAD_REQUEST', toSentence(said, values)),
    {
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'A sentence that says what was refused.',
      data: z.object({}),
    },
  ),
  /**
   * An invalid value of a form field: the sentence, also under the name of the field (protocol/endpoints.md 1.19,
   * 1.20).
   */
  invalidField: Object.assign(
    (field: string, said: string | Sentence, values?: SentenceValues) =>
      new ApiError(400, 'BAD_REQUEST', toSentence(said, values), {
        fields: (_, msg) => ({ errors: { [field]: [msg] } }),
      }),
    {
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'A sentence that says what is wrong with a value.',
      data: z.object({ errors: z.record(z.string(), z.array(z.string())) }),
    },
  ),
  /** Some of the invited addresses, or all of them, were not invited: each with its reason. */
  invitationFailed: Object.assign(
    (
      said: string,
      refused: readonly RefusedAddress[],
      fields: { sent_invitations: boolean; license_limit_reached: boolean; daily_limit_reached: boolean },
    ) =>
      new ApiError(400, 'INVITATION_FAILED', sentence(said), {
        fields: (t) => ({
          errors: refused.map(([email, reason, isDeactivated]) => [email, translate(t, reason), isDeactivated]),
          ...fields,
        }),
      }),
    {
      status: 400,
      code: 'INVITATION_FAILED',
      msg: 'A sentence that says which addresses were not invited.',
      data: z.object({
        errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
        sent_invitations: z.boolean(),
        license_limit_reached: z.boolean(),
        daily_limit_reached: z.boolean(),
      }),
    },
  ),

  // Parameters (section 5)
  missing: error('REQUEST_VARIABLE_MISSING', {
    msg: 'The parameter {var_name} is required.',
    data: { var_name: z.string() },
  }),
  badValue: error('REQUEST_VARIABLE_INVALID', {
    msg: '{var_name} cannot be {bad_value}: see the reference for its values.',
    data: { var_name: z.string(), bad_value: z.union([z.string(), z.number(), z.null()]) },
  }),
  confusing: error('REQUEST_CONFUSING_VAR', {
    msg: '{var_name1} and {var_name2} are two names of one parameter: send one of them.',
    data: { var_name1: z.string(), var_name2: z.string() },
  }),
  badFrame: refusal('A frame must be a JSON object with req (an integer), method, path and, if there are any, params.'),
  foreignPage: refusal(
    'A page of another site made this request: open it at the address of this server, or let it send an API key itself.',
    403,
  ),
  incompatibleParameters: error('BAD_REQUEST', {
    msg: 'These parameters cannot be combined: {parameters}',
    data: { parameters: z.string() },
  }),
  invalidJson: error('INVALID_JSON', { msg: 'This is not valid JSON, or it is nested too deeply.' }),
  malformedJsonBody: refusal('The request body is not a JSON object of at most 100 levels.'),
  malformedForm: refusal('The request body is not valid multipart/form-data.'),
  tooManyParts: refusal('The request body is not a form of at most 1,000 parts.'),
  bodyNotUtf8: refusal('The request body is not valid UTF-8.'),
  unsupportedBody: refusal(
    'A body of the type {content_type} is not read: send a form (application/x-www-form-urlencoded or multipart/form-data) or a JSON object (application/json).',
    415,
  ),
  unsupportedCoding: error('UNSUPPORTED_MEDIA_TYPE', {
    status: 415,
    msg: 'A body with the coding {content_encoding} is not read: send it without Content-Encoding.',
    data: { content_encoding: z.string() },
  }),
  bodyTooLarge: refusal('The request body is too large (limit: {limit} bytes).', 413),
  bodyTooLargeWithoutCredentials: refusal('Without credentials, a request body may have at most {limit} bytes.', 413),
  bodyTooSlow: refusal('The request body arrived too slowly: try again over a faster connection.', 408),
  tooManyBodies: error('RATE_LIMIT_HIT', {
    status: 429,
    msg: 'You are uploading too much at the same time: wait for an upload to finish, then try again.',
    data: { 'retry-after': z.number() },
  }),
  noMemoryForBody: error('SERVER_BUSY', {
    status: 503,
    msg: 'The server receives too many uploads at the moment: try again after the number of seconds in retry-after.',
    data: { 'retry-after': z.number() },
  }),

  // The form of a request
  unclearBodyLength: refusal('The headers do not say clearly where the body of this request ends.'),
  unsupportedTransferCoding: refusal('The transfer codings {codings} are not supported: send chunked only.', 501),
  invalidHandshake: refusal('This WebSocket handshake has no valid Sec-WebSocket-Key.'),

  // Paths and methods
  unknownPath: refusal('There is no {path} here.', 404),
  methodNotAllowed: error('METHOD_NOT_ALLOWED', {
    status: 405,
    msg: 'Method Not Allowed',
    isMatched: true,
    data: { allowed_methods: z.array(z.string()) },
  }),
  notOverSocket: refusal('{method} {path} cannot be called over a WebSocket: call it over HTTP.'),
  ticketOnlyForStreams: refusal('A ticket opens a stream only: send Accept: text/event-stream.'),
  upgradeRequired: refusal('This address needs a WebSocket handshake of version 13.', 426),

  // Credentials (section 4)
  notLoggedIn: failedAuthentication(
    'UNAUTHORIZED',
    'Log in first: send the email and API key of an account as HTTP basic authentication.',
  ),
  sessionEnded: failedAuthentication('UNAUTHORIZED', 'This session has ended: log in again.'),
  noSession: unauthorized('This call needs the session of a browser, which POST /sessions begins.'),
  noSuchApiKey: refusal('There is no such API key: it may have ended.'),
  keyScopeTooSmall: error('API_KEY_SCOPE', {
    status: 403,
    msg: 'This API key has the scope {scope}, and this call needs {required_scope}.',
    data: { scope: z.string(), required_scope: z.string() },
  }),
  closedToKeys: error('API_KEY_NOT_ACCEPTED', {
    status: 403,
    msg: 'No API key with a name may make this call: use the first key of the account, or log in.',
  }),
  noSuchSession: refusal('You have no such session: it may have ended.'),
  csrfFailed: error('CSRF_FAILED', {
    status: 403,
    msg: 'Send the csrf_token of this session (GET /sessions/current) in the header X-CSRF-Token.',
    data: { reason: z.string() },
  }),
  invalidAuthorization: failedAuthentication(
    'UNAUTHORIZED',
    'The Authorization header must be Basic with base64 of email:API key.',
  ),
  basicRequired: refusal('Only HTTP basic authentication (email and API key) is accepted here.'),
  invalidApiKey: failedAuthentication('UNAUTHORIZED', 'This API key does not belong to this account.'),
  apiKeyExpired: failedAuthentication('UNAUTHORIZED', 'This API key has expired: make a new one in your settings.'),
  malformedApiKey: failedAuthentication('UNAUTHORIZED', 'An API key is 32 letters and digits.'),
  invalidTicket: failedAuthentication(
    'UNAUTHORIZED',
    'This ticket is for another queue, has expired or is not valid: ask for a new one at POST /events/ticket.',
  ),
  accountDeactivated: failedAuthentication(
    'UNAUTHORIZED',
    'This account is deactivated: ask an administrator of the organization.',
  ),
  realmDeactivated: unauthorized('This organization is deactivated.'),
  wrongSubdomain: failedAuthentication(
    'UNAUTHORIZED',
    'This account belongs to another organization: call it under its own address.',
  ),
  notForWebhookBots: unauthorized('Incoming webhook bots may only send messages.'),
  invalidKeyParameter: failedAuthentication('INVALID_API_KEY', 'This API key does not belong to this account.'),
  expiredKeyParameter: failedAuthentication(
    'INVALID_API_KEY',
    'This API key has expired: make a new one in your settings.',
  ),
  malformedKeyParameter: failedAuthentication('INVALID_API_KEY', 'An API key is 32 letters and digits.'),
  authenticationFailed: error('AUTHENTICATION_FAILED', {
    status: 401,
    msg: 'The email address or the password is wrong.',
  }),
  userDeactivated: error('USER_DEACTIVATED', {
    status: 401,
    msg: 'This account is deactivated: ask an administrator of the organization.',
  }),
  signUpWaits: error('SIGN_UP_WAITS', {
    status: 401,
    msg: 'Your account waits for the approval of an administrator. You get a mail when it is decided.',
  }),
  realmIsDeactivated: error('REALM_DEACTIVATED', { status: 401, msg: 'This organization is deactivated.' }),
  passwordAuthDisabled: error('PASSWORD_AUTH_DISABLED', {
    status: 401,
    msg: 'This organization does not allow login with a password: log in another way.',
  }),
  passwordResetRequired: error('PASSWORD_RESET_REQUIRED', {
    status: 401,
    msg: 'This password must be reset before it can be used.',
  }),
  secondFactorRequired: error('SECOND_FACTOR_REQUIRED', {
    status: 401,
    msg: 'This account has a second factor, so a password is not enough: log in with the browser, which asks for both.',
  }),
  secondFactorEnrolmentRequired: error('SECOND_FACTOR_ENROLMENT_REQUIRED', {
    status: 401,
    msg: 'Your organization asks for a second factor: log in with the browser, and set it up there.',
  }),
  secondFactorFailed: error('SECOND_FACTOR_FAILED', {
    status: 401,
    msg: 'This code is wrong, or was used already: wait for the next one.',
  }),
  halfLogInEnded: error('LOG_IN_TOOK_TOO_LONG', {
    status: 401,
    msg: 'This log-in did not begin in this browser, or took too long: begin again.',
  }),
  recentLogInRequired: error('RECENT_LOG_IN_REQUIRED', {
    status: 401,
    msg: 'Log out and in again, and do this within ten minutes.',
  }),
  nonexistentSubdomain: error('NONEXISTENT_SUBDOMAIN', {
    status: 404,
    msg: 'There is no organization at this address.',
  }),
  invalidSubdomain: refusal('There is no organization at this address.'),
  subdomainRequired: refusal('Call this under the address of an organization.'),
  rateLimitHit: error('RATE_LIMIT_HIT', {
    status: 429,
    msg: 'Too many calls: wait for the number of seconds in retry-after, then try again.',
    data: { 'retry-after': z.number() },
  }),
  tooManyOpenRequests: error('RATE_LIMIT_HIT', {
    status: 429,
    msg: 'Too many requests and connections of your network are open: close some, then try again.',
    data: { 'retry-after': z.number() },
  }),

  // Roles (section 6)
  notAdministrator: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Only administrators of the organization may do this.' }),
  notOwner: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Only owners of the organization may do this.' }),
  notMember: error('UNAUTHORIZED_PRINCIPAL', { msg: 'Only members of the organization may do this.' }),
  notForBots: refusal('Bots may not do this.'),
  notForGuests: refusal('Guests may not do this.'),
  cannotChangeDefaultChannels: refusal('Only administrators may change the default channels.'),
  draftsDisabled: refusal('Turn on the setting enable_drafts_synchronization first.'),
  insufficientPermission: refusal('Insufficient permission: ask an administrator of the organization.'),
  contentAccessRequired: refusal('Only users who can read this channel may do this.'),
  cannotAdministerChannel: refusal('Only administrators of this channel may do this.'),
  accessDenied: refusal('This organization does not allow this.', 403),

  // Objects that do not exist, or that the caller cannot see: both cases get the same text
  invalidMessages: refusal('There is no such message, or you may not read it.'),
  invalidChannelId: refusal('There is no channel with this ID, or you may not see it.'),
  invalidChannelName: refusal('There is no channel named “{name}”, or you may not see it.'),
  channelExists: error('CHANNEL_ALREADY_EXISTS', {
    status: 409,
    msg: 'There is a channel named “{channel_name}” already.',
    data: { channel_name: z.string() },
  }),
  pushServiceNotConfigured: error('PUSH_SERVICE_NOT_CONFIGURED', {
    msg: 'This server has no push service, so it sends no push notifications.',
  }),
  mayNotCreateTopic: refusal('You may not begin topics in this channel: write in one that has messages.'),
  invalidFolderId: refusal('There is no channel folder with this ID.'),
  noSuchUser: refusal('There is no such user.'),
  noSuchBot: refusal('There is no such bot.'),
  noSuchKey: refusal('Nothing is stored under this key.'),
  invalidUserId: refusal('There is no user with ID {user_id}.'),
  invalidRecipient: refusal('There is no user with ID {user_id} to send to.'),
  invalidEmail: error('BAD_REQUEST', { msg: "Invalid email ''{email}''", isMatched: true }),
  invalidUserGroup: refusal('There is no such user group.'),
  invalidUserGroupId: refusal('There is no user group with ID {group_id}.'),
  userGroupDeactivated: refusal('This user group is deactivated: reactivate it first.'),
  invitationRequired: refusal('This organization can be joined with an invitation only.'),
  noSuchSignUp: refusal('Nobody with this ID waits for approval.'),
  noSuchInvitation: refusal('There is no such invitation.'),
  invalidAttachment: refusal('You have no attachment with this ID.'),
  noSuchProfileField: refusal('There is no profile field with ID {id}.'),
  noSuchLinkifier: refusal('There is no such linkifier.'),
  nothingToChange: error('BAD_REQUEST', { msg: 'Nothing to change', isMatched: true }),
  draftDoesNotExist: refusal('You have no draft with this ID.'),
  scheduledMessageDoesNotExist: refusal('You have no scheduled message with this ID.'),
  eventSubscriptionDoesNotExist: refusal('There is no event subscription with this ID.'),
  reminderDoesNotExist: refusal('You have no reminder with this ID.'),
  savedSnippetDoesNotExist: refusal('You have no saved snippet with this ID.'),
  navigationViewDoesNotExist: refusal('You have no navigation view with this fragment.'),
  unknownEmoji: refusal('There is no emoji named “{name}”.'),
  channelDoesNotExist: error('STREAM_DOES_NOT_EXIST', {
    msg: 'There is no channel named “{stream}”.',
    data: { stream: z.string() },
  }),
  channelIdDoesNotExist: error('STREAM_DOES_NOT_EXIST', {
    msg: 'There is no channel with ID {stream_id}.',
    data: { stream_id: z.int() },
  }),

  // Messages
  badNarrowCombination: error('BAD_NARROW', {
    msg: 'These narrow terms cannot be combined: {desc}',
    data: { desc: z.string() },
  }),
  badNarrow: error('BAD_NARROW', { msg: 'This narrow term cannot be used: {desc}', data: { desc: z.string() } }),
  badEventQueueId: error('BAD_EVENT_QUEUE_ID', {
    msg: 'Bad event queue ID: {queue_id}',
    isMatched: true,
    data: { queue_id: z.string() },
  }),
  eventPruned: refusal(
    'Events after {last_event_id} were already acknowledged: continue from the last event that you received.',
  ),
  eventNotInQueue: refusal(
    'This queue has had no event {last_event_id}: continue from the last event that you received.',
  ),
  eventAlreadyAcked: error('EVENT_ALREADY_ACKED', {
    status: 409,
    msg: 'This event was acknowledged already: continue after event {event_id}.',
    data: { queue_id: z.string(), event_id: z.number() },
  }),
  ackWithoutName: refusal('This queue has no position to move: register it with a queue_name.'),
  ackNotTaken: refusal('{method} {path} takes no ack, because its change is not one transaction of the log.'),
  ackOfParts: refusal('A request of this size is made in parts and takes no ack: name fewer users or channels.'),
  tooManyPositions: refusal('You have {max} named positions already: delete one with DELETE /events/positions.'),
  noSuchPosition: refusal('You have no position with the name {queue_name}.', 404),
  idempotencyKeyReused: error('IDEMPOTENCY_KEY_REUSED', {
    status: 422,
    msg: 'This idempotency key was used for another call: use a new key for each call.',
  }),
  reactionAlreadyExists: error('REACTION_ALREADY_EXISTS', { msg: 'You have already added this reaction.' }),
  reactionDoesNotExist: error('REACTION_DOES_NOT_EXIST', { msg: 'You have not added this reaction.' }),
  channelWildcardNotAllowed: error('STREAM_WILDCARD_MENTION_NOT_ALLOWED', {
    msg: 'You may not mention everyone in a channel of this size.',
  }),
  topicWildcardNotAllowed: error('TOPIC_WILDCARD_MENTION_NOT_ALLOWED', {
    msg: 'You may not mention everyone in a topic of this size.',
  }),
  moveTimeLimitExceeded: error('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
    msg: 'Only {total_messages_allowed_to_move} of the {total_messages_in_topic} messages of this topic are new enough for you to move.',
    data: {
      first_message_id_allowed_to_move: z.int().nullable(),
      total_messages_in_topic: z.int(),
      total_messages_allowed_to_move: z.int(),
    },
  }),
  oldValueMismatch: error('EXPECTATION_MISMATCH', {
    msg: 'The value is not the one in old: fetch it again before you change it.',
  }),
  actNotReversible: error('ACT_NOT_REVERSIBLE', {
    msg: 'This act cannot be undone: it is older than {days} days, or the audit log did not record how.',
  }),
  actAlreadyUndone: error('ACT_ALREADY_UNDONE', { status: 409, msg: 'This act is undone already.' }),
  changedSinceAct: error('CHANGED_SINCE_ACT', {
    status: 409,
    msg: 'This act cannot be undone: what it changed was changed again since.',
    data: { changed_since: z.array(z.record(z.string(), z.unknown())) },
  }),
  contentMismatch: error('EXPECTATION_MISMATCH', {
    msg: 'The message was changed in the meantime: fetch it again before you edit it.',
  }),

  // Accounts, groups, organization
  cannotDeactivateLastOwner: error('CANNOT_DEACTIVATE_LAST_USER', {
    msg: 'This is the only organization owner left: make another one first.',
    data: { is_last_owner: z.boolean(), entity: z.enum(['organization owner', 'user']) },
  }),
  cannotDeactivateLastUser: error('CANNOT_DEACTIVATE_LAST_USER', {
    msg: 'This is the only user left: make another one first.',
    data: { is_last_owner: z.boolean(), entity: z.enum(['organization owner', 'user']) },
  }),
  cannotDeactivateGroupInUse: error('CANNOT_DEACTIVATE_GROUP_IN_USE', {
    msg: 'This user group is in use: first remove it from the settings listed in objections.',
    data: { objections: z.array(z.record(z.string(), z.unknown())) },
  }),
  systemGroupRequired: error('SYSTEM_GROUP_REQUIRED', {
    msg: '{setting_name} must be a system group.',
    data: { setting_name: z.string() },
  }),
  groupNotAllowed: refusal('{setting_name} cannot be the group {group_name}.'),
  invalidPushDevice: error('INVALID_PUSH_DEVICE_TOKEN', { msg: 'You have registered no device with this token.' }),

  // Files
  noFile: error('BAD_REQUEST', { msg: 'You must specify a file to upload', isMatched: true }),
  badImage: error('BAD_IMAGE', { msg: 'This is not an image of a known format.' }),
  imageTooLarge: error('BAD_IMAGE', { msg: 'This image has too many pixels: send a smaller one.' }),
  imageNotDecoded: error('BAD_IMAGE', {
    msg: 'This image could not be decoded: it takes too much time or memory. Try again with a smaller one.',
  }),
  tooManyUploads: refusal('You have {limit} unfinished uploads: finish or cancel one of them first.', 429),
  uploadQuota: error('REALM_UPLOAD_QUOTA', { msg: 'The upload quota of the organization has no space for this file.' }),

  // Incoming webhooks
  missingEventHeader: error('MISSING_HTTP_EVENT_HEADER', {
    msg: 'The header “{header}” must contain the name of the event.',
    data: { header: z.string() },
  }),
  unsupportedWebhookEvent: error('UNSUPPORTED_WEBHOOK_EVENT_TYPE', {
    status: 200,
    msg: 'The {webhook_name} integration does not support “{event_type}” events.',
    data: { webhook_name: z.string(), event_type: z.string().nullable() },
  }),
  anomalousWebhookPayload: error('ANOMALOUS_WEBHOOK_PAYLOAD', {
    msg: 'The {webhook_name} integration cannot read this payload.',
    data: { webhook_name: z.string() },
  }),

  // Errors of the server
  notReady: error('SERVER_NOT_READY', { status: 500, msg: 'The server is not ready: try again soon.' }),
  internal: error('INTERNAL_SERVER_ERROR', { status: 500, msg: 'Internal server error' }),
  storageUnavailable: error('FILE_STORAGE_UNAVAILABLE', {
    status: 503,
    msg: 'The server cannot reach its storage of files at the moment: ask its operator, or try again later.',
    data: { 'retry-after': z.number() },
  }),
  storageFull: error('FILE_STORAGE_FULL', {
    status: 503,
    msg: 'The server has no room for more files at the moment: ask its operator to make room.',
    data: { 'retry-after': z.number() },
  }),
  databaseUnavailable: error('DATABASE_UNAVAILABLE', {
    status: 503,
    msg: 'The server cannot reach its database at the moment: try again after the number of seconds in retry-after.',
    data: { 'retry-after': z.number() },
  }),
  serverBusy: error('SERVER_BUSY', {
    status: 503,
    msg: 'Too many clients connect at the moment: try again after the number of seconds in retry-after.',
    data: { 'retry-after': z.number() },
  }),
  realmMoving: error('REALM_MOVING', {
    status: 503,
    msg: 'This organization is being moved to other servers: try again after the number of seconds in retry-after.',
    data: { 'retry-after': z.number() },
  }),
} as const

/** Why the server closes a connection, and what the client should do. */
export interface Close {
  /** 4000-4499: connect again; 4500-4999: do not */
  code: number
  /** the text in the close frame, at most 123 bytes */
  reason: string
}

/** Every reason for which the server closes a WebSocket. */
export const closes = {
  /** The gateway shuts down: connect again (to any gateway) with the last event id. */
  draining: { code: 4000, reason: 'draining: connect again and resume from your last event id' },
  /** The client did not read its events fast enough: connect again with the last event id, no event is lost. */
  slowConsumer: { code: 4001, reason: 'too slow: connect again and resume from your last event id' },
  /** An error in the gateway: connect again after a few seconds with the last event id. */
  internal: { code: 4002, reason: 'internal error: connect again and resume from your last event id' },
  /** The client sent too many calls without waiting for responses: connect again, and wait for responses. */
  tooManyCalls: { code: 4003, reason: 'too many unanswered calls: connect again and wait for answers' },
  /** A handshake came too early (429, 503): connect again after the `retry-after` seconds in the first frame. */
  tooEarly: { code: 4004, reason: 'too early: connect again after the retry-after of the first frame' },
  /** The event queue does not exist any more (deleted, expired, too far behind): register again, then connect. */
  queueGone: { code: 4010, reason: 'BAD_EVENT_QUEUE_ID: register again' },
  /** The client sent a binary frame, but calls are JSON in text frames. This is a bug in the client. */
  badFrame: { code: 4500, reason: 'bad frame: calls are JSON in text frames' },
  /** The client sent a call of more than 1 MiB. A message of more than 2 MiB ends the connection without a code. */
  frameTooLarge: { code: 1009, reason: 'too large: a call has at most 1 MiB' },
  /** The credentials are not valid any more: log in again. */
  unauthorized: {
    code: 4501,
    reason: 'UNAUTHORIZED: the session ended, or the account, its key or the organization was deactivated',
  },
  /** The handshake had no valid credentials: log in. The first frame has the error. */
  wrongCredentials: { code: 4501, reason: 'UNAUTHORIZED: the first frame has the error' },
  /** The handshake had other faults: change it. The first frame has the error. */
  refused: { code: 4504, reason: 'refused: the first frame has the error' },
  /** A newer connection of the same client reads this queue. */
  displaced: { code: 4502, reason: 'displaced: another connection reads this queue' },
  /** The client deleted its queue. */
  queueDeleted: { code: 4503, reason: 'the queue was deleted' },
} as const satisfies Record<string, Close>
