/**
 * Every endpoint called by every kind of caller: the permission check before parameters are read (protocol/errors.md 4
 * and 6; the roles of protocol/endpoints.md 0). Permissions that depend on an object are in the other matrices.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { openDispatch } from '../../src/gateway/transport/dispatch.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const vocabulary = {
  ...refusals,
  default: '400 BAD_REQUEST: Only administrators may change the default channels.',
}

const roles = `
              owner  administrator  member   guest    bot      webhook-bot  deactivated  nobody
  anyone      past   past           past     past     past     past         past         past
  spectators  past   past           past     past     past     webhook      inactive     past
  sending     past   past           past     past     past     past         inactive     login
  accounts    past   past           past     past     past     webhook      inactive     login
  people      past   past           past     past     bot      webhook      inactive     login
  non-guests  past   past           past     guest    past     webhook      inactive     login
  members     past   past           past     guest    bot      webhook      inactive     login
  admins      past   past           admin    admin    admin    webhook      inactive     login
  defaults    past   past           default  default  default  webhook      inactive     login
  owners      past   owner          owner    owner    owner    webhook      inactive     login
`

/** Endpoints by row of the table above. A tilde stands for the root of the site. The rows are tried in this order. */
const endpoints: Record<string, string> = {
  anyone: `
    GET /server_settings  GET ~/compatibility  POST /fetch_api_key  POST /dev_fetch_api_key  GET /dev_list_users
    POST /sessions  GET /sessions/demo  POST /sessions/demo  GET /sessions/state
    POST /jwt/fetch_api_key
  `,
  spectators: `
    POST /register  GET /users  GET ~/avatar/999999  GET ~/avatar/999999/medium
  `,
  sending: `
    POST /messages
  `,
  accounts: `
    GET /users/me  POST /users/me/avatar  GET ~/avatar/nobody@example.com  GET ~/avatar/nobody@example.com/medium
    GET /users/999999  GET /users/nobody@example.com  PATCH /users/999999  PATCH /users/nobody@example.com
    DELETE /users/999999  POST /users/999999/reactivate  DELETE /users/me/avatar
    GET /events  DELETE /events  POST /events/ticket
    POST /invites  POST /invites/multiuse
    GET /streams  GET /streams/999999  PATCH /streams/999999  DELETE /streams/999999  GET /get_stream_id
    GET /streams/999999/members  GET /streams/999999/email_address  GET /channel_folders
    POST /users/me/subscriptions  DELETE /users/me/subscriptions  PATCH /users/me/subscriptions
    GET /users/me/subscriptions
    POST /users/me/subscriptions/properties  PATCH /users/me/subscriptions/999999  GET /users/999999/subscriptions/999999
    GET /users/999999/channels
    GET /messages/matching_topics
    GET /messages/matches_narrow  PATCH /messages/999999  DELETE /messages/999999  GET /messages/999999/history
    POST /messages/999999/reactions  DELETE /messages/999999/reactions  GET /messages/999999/read_receipts
    POST /messages/render  POST /messages/flags  POST /messages/flags/narrow  POST /mark_stream_as_read
    POST /mark_topic_as_read  POST /mark_all_as_read  POST /reminders  GET /reminders
    DELETE /reminders/999999  POST /message/999999/report
    POST /messages/999999/report  POST /submessage
    POST /typing  POST /message_edit_typing  POST /messages/999999/typing
    GET /drafts  POST /drafts  PATCH /drafts/999999  DELETE /drafts/999999
    GET /saved_snippets  POST /saved_snippets  PATCH /saved_snippets/999999  DELETE /saved_snippets/999999
    GET /scheduled_messages  POST /scheduled_messages  PATCH /scheduled_messages/999999  DELETE /scheduled_messages/999999
    GET /navigation_views  POST /navigation_views  PATCH /navigation_views/inbox  DELETE /navigation_views/inbox
    POST /user_topics  PATCH /users/me/subscriptions/muted_topics
    POST /users/me/muted_users/999999  DELETE /users/me/muted_users/999999
    GET /users/me/alert_words  POST /users/me/alert_words  DELETE /users/me/alert_words
    GET /realm/presence  GET /users/999999/presence  GET /users/999999/status
    GET /realm/emoji  DELETE /realm/emoji/none  GET /realm/linkifiers  GET /realm/profile_fields
    GET /realm/filters  GET /realm/domains  GET /realm/icon  GET /realm/logo
    GET /attachments  DELETE /attachments/999999  POST /user_uploads
    POST /tus/  POST /tus  GET /tus/none  PATCH /tus/none  DELETE /tus/none
    PUT /bot_storage  GET /bot_storage  DELETE /bot_storage
    GET /calls/bigbluebutton/create  POST /calls/zoom/create
  `,
  // Here a spectator who finds nothing receives the answer to log in. What spectators can read is in the matrix of
  // visibility.
  'accounts and, of what is public, spectators': `
    GET /messages?anchor=newest  GET /messages/999999  GET /users/me/999999/topics  GET /user_uploads/1/none
    GET /messages/search_corrections?narrow=[]
  `,
  people: `
    PATCH /settings  PATCH /settings/display  PATCH /settings/notifications
    POST /zcommand  POST /users/me/onboarding_steps
    GET /sessions  GET /sessions/current  DELETE /sessions/current  DELETE /sessions/999999
    POST /users/me/apns_device_token  DELETE /users/me/apns_device_token  POST /mobile_push/register
    POST /users/me/android_gcm_reg_id  DELETE /users/me/android_gcm_reg_id  POST /mobile_push/test_notification
    POST /users/me/presence  POST /users/me/status  PATCH /users/me/profile_data  DELETE /users/me/profile_data
  `,
  // Bots may call these, although the protocol refuses them at this feature level (protocol/permissions.md 10.2 calls
  // that harmless).
  'non-guests': `
    POST /channels/create
    GET /user_groups  POST /user_groups/create  PATCH /user_groups/999999  POST /user_groups/999999/deactivate
    DELETE /user_groups/999999
    GET /user_groups/999999/members  POST /user_groups/999999/members  GET /user_groups/999999/members/999999
    GET /user_groups/999999/subgroups  POST /user_groups/999999/subgroups
  `,
  members: `
    GET /bots  POST /bots  PATCH /bots/999999  DELETE /bots/999999  POST /bots/999999/api_key/regenerate
      GET /bots/999999/api_key
      GET /invites  DELETE /invites/999999  DELETE /invites/multiuse/999999
    POST /invites/999999/resend  POST /realm/emoji/none
  `,
  admins: `
    POST /users  PATCH /realm  PATCH /realm/user_settings_defaults
    POST /realm/profile_fields  PATCH /realm/profile_fields  PATCH /realm/profile_fields/999999
    DELETE /realm/profile_fields/999999  POST /realm/playgrounds  DELETE /realm/playgrounds/999999
    POST /realm/filters  PATCH /realm/filters/999999  DELETE /realm/filters/999999  PATCH /realm/linkifiers
    POST /channel_folders/create  PATCH /channel_folders/999999  PATCH /channel_folders
    POST /realm/test_welcome_bot_custom_message  POST /streams/999999/delete_topic
    POST /users/999999/status
    GET /export/realm  DELETE /export/realm/999999  GET /export/realm/consents  POST /export/realm?export_type=9
    POST /realm/icon  DELETE /realm/icon  POST /realm/logo  DELETE /realm/logo
  `,
  defaults: `
    POST /default_streams  DELETE /default_streams
    POST /default_stream_groups/create  PATCH /default_stream_groups/999999  DELETE /default_stream_groups/999999
    PATCH /default_stream_groups/999999/streams
  `,
  owners: `
    GET /realm/audit_log  POST /realm/domains  PATCH /realm/domains/example.org  DELETE /realm/domains/example.org
    POST /realm/deactivate?deletion_delay_days=1
  `,
  'accounts, whose key is another one then': `
    POST /users/me/api_key/regenerate
  `,
  'accounts, which are gone then': `
    DELETE /users/me
  `,
}

/** Endpoints for which the URL is the permission, and files, which check access themselves (file-access.test.ts). */
const withOwnAccessCheck = [
  'showInvitation',
  'joinByInvitation',
  'showEmailChange',
  'confirmEmailChange',
  'showMailUnsubscribing',
  'unsubscribeFromMail',
  'showForgottenPassword',
  'askForPassword',
  'showNewPassword',
  'chooseNewPassword',
  'getPicture',
  'getFile',
  'downloadFile',
  'getTemporaryFile',
  'getThumbnail',
  'getExternalPicture',
  'getExportArchive',
]

let realm: TestRealm
let cast: Record<string, Person | undefined>

beforeAll(async () => {
  realm = await newRealm()
  const [owner, administrator, member, guest, deactivated] = await realm.people(
    { full_name: 'owner', role: Role.owner },
    { full_name: 'administrator', role: Role.administrator },
    { full_name: 'member' },
    { full_name: 'guest', role: Role.guest },
    { full_name: 'deactivated' },
  )
  const bot = (name: string, type: number) => ({
    full_name: name,
    email: `${name}-bot@example.com`,
    bot: { type, owner_id: owner?.user_id ?? null },
  })
  const [plain, hook] = await realm.people(bot('plain', BotType.generic), bot('hook', BotType.incomingWebhook))
  cast = { owner, administrator, member, guest, deactivated, bot: plain, 'webhook-bot': hook }
  await updateRealmSettings(realm, { enable_spectator_access: true })
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'window' }], is_web_public: true })
  await ok(owner, 'DELETE', `/users/${deactivated?.user_id}`)
})
afterAll(() => realm[Symbol.asyncDispose]())

const table = tableOf(roles)

const linesOf = (role: string) => (endpoints[role] as string).trim().split(/\s{2,}|\n\s*/)
const [port, prefix] = [() => Number(new URL(anyGateway()).port), '/api/v1']
const target = (path: string) => (path.startsWith('~') ? path.slice(1) : `${prefix}${path}`)

const asked = async (caller: Person | undefined, line: string): Promise<string> => {
  const [method, path] = line.split(' ') as [string, string]
  const answer = await sendRequest(port(), {
    method,
    path: target(path),
    host: realm.host,
    ...(caller === undefined ? {} : { authorization: basicAuthorization(caller) }),
    ...(method === 'GET' ? {} : { body: '' }),
  })
  if (answer.status < 400) {
    const { api_key } = answer.text.startsWith('{') ? answer.json : {}
    if (caller !== undefined && typeof api_key === 'string') caller.api_key = api_key
    return 'past'
  }
  const word = wordOf({ status: answer.status, body: answer.json }, vocabulary)
  // Any other refusal comes from a check after the permission check.
  return word === 'denied' || word.startsWith('[4') ? 'past' : word
}

test.each(Object.keys(endpoints))('Only the callers of the row may call the endpoints for %s.', async (role) => {
  const row = table.rows.get(role.split(/[ ,]/, 1)[0] as string) as string[]
  const rows = new Map(linesOf(role).map((line) => [line, row]))
  await walk({ columns: table.columns, rows }, (line, caller) => asked(cast[caller], line))
})

test('The tables contain every endpoint of the registry.', () => {
  const dispatch = openDispatch(registry, [], {} as Parameters<typeof openDispatch>[2])
  const named = Object.keys(endpoints)
    .flatMap(linesOf)
    .map((line) => {
      const [method, path] = line.split(/[ ?]/) as [string, string]
      const place = dispatch.findRoute(target(path))
      if (place === undefined || 'page' in place) throw new Error(`there is nothing at ${path}`)
      return dispatch.selectEndpoint(place.match, method)[0].name
    })
  expect([...new Set([...named, ...withOwnAccessCheck])].sort()).toEqual(Object.keys(registry).sort())
})
