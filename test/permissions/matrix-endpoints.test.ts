/**
 * Every endpoint called by every kind of caller: the access rule that each one declares, which is checked before
 * parameters are read (protocol/errors.md 4 and 6; the roles of protocol/endpoints.md 0). The calls are generated from
 * the declarations. Permissions that depend on an object are in the other matrices.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { accessRules } from '../../src/gateway/call/access-rules.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { upload } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const vocabulary = {
  ...refusals,
  default: '400 BAD_REQUEST: Only administrators may change the default channels.',
}

/** What each access rule means for each caller. Spectators read what is public (`publicThings`). */
const rules = tableOf(`
                        owner  administrator  member   guest    bot      webhook-bot  deactivated  nobody
  anyone                past   past           past     past     past     past         past         past
  spectator             past   past           past     past     past     webhook      inactive     past
  webhookBot            past   past           past     past     past     past         inactive     login
  account               past   past           past     past     past     webhook      inactive     login
  draftSynchronizer     past   past           past     past     past     webhook      inactive     login
  human                 past   past           past     past     bot      webhook      inactive     login
  nonGuest              past   past           past     guest    past     webhook      inactive     login
  member                past   past           past     guest    bot      webhook      inactive     login
  administrator         past   past           admin    admin    admin    webhook      inactive     login
  defaultChannelEditor  past   past           default  default  default  webhook      inactive     login
  owner                 past   owner          owner    owner    owner    webhook      inactive     login
`)

let realm: TestRealm
let cast: Record<string, Person | undefined>
/** Values of parameters that name something in a web-public channel, for the endpoints of spectators. */
let publicThings: Record<string, unknown>

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
  const file = { filename: 'a.txt', type: 'text/plain', data: 'hello' }
  const { url } = (await upload(owner as Person, '/user_uploads', file)).json as { url: string }
  const message = { type: 'channel', to: 'window', topic: 'news', content: `[a](${url})` }
  const { id: message_id } = await ok(owner, 'POST', '/messages', message)
  const { stream_id } = await ok(owner, 'GET', '/get_stream_id', { stream: 'window' })
  const [, , realm_id, ...path] = url.split('/')
  const narrow = JSON.stringify([{ operator: 'channels', operand: 'web-public' }])
  publicThings = { message_id, stream_id, realm_id, path: path.join('/'), narrow, anchor: 'newest' }
  await ok(owner, 'DELETE', `/users/${deactivated?.user_id}`)
})
afterAll(() => realm[Symbol.asyncDispose]())

interface Line {
  endpoint: Endpoint
  path: string
}

/** The endpoints by method and path. An endpoint for anyone that has a condition reads the credentials by itself. */
const lines = new Map<string, Line>(
  Object.values<Endpoint>(registry)
    .filter(({ callers, condition }) => callers !== 'anyone' || condition === undefined)
    .flatMap((endpoint) => endpoint.paths.map((path) => [`${endpoint.method} ${path}`, { endpoint, path }] as const)),
)
const ownKey = 'POST /users/me/api_key/regenerate'

const isInPath = ({ wire }: { wire: string }) => wire === 'path' || wire === 'rest'

/** The path with values that name nothing, except what is public for spectators. */
const fillPath = ({ endpoint: { callers, list, site }, path }: Line): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = callers === 'spectator' ? publicThings[name] : undefined
    const isNumber = list.find(([key]) => key === name)?.[1].schema.type === 'number'
    return String(given ?? (isNumber ? 999_999 : 'none'))
  })
  return site === true ? filled : `/api/v1${filled}`
}

/**
 * The other parameters: what is public for spectators. Each other endpoint gets a broken value for every parameter that
 * is no text, so that a caller who may call it changes nothing.
 */
const composeFields = ({ endpoint: { callers, list } }: Line): string => {
  const fields = list.filter(([, param]) => !isInPath(param))
  const given = fields.flatMap(([name, { wire }]): [string, string][] => {
    if (callers !== 'spectator') return wire === 'text' ? [] : [[name, '{']]
    return publicThings[name] === undefined ? [] : [[name, String(publicThings[name])]]
  })
  return new URLSearchParams(given).toString()
}

const ask = async (caller: Person | undefined, line: Line): Promise<string> => {
  const { method } = line.endpoint
  const [path, fields] = [fillPath(line), composeFields(line)]
  const { status, text } = await sendRequest(Number(new URL(anyGateway()).port), {
    method,
    path: method === 'GET' && fields !== '' ? `${path}?${fields}` : path,
    host: realm.host,
    ...(caller === undefined ? {} : { authorization: basicAuthorization(caller) }),
    ...(method === 'GET' ? {} : { body: fields }),
  })
  // A page is an answer of the handler.
  if (status < 400 || !text.startsWith('{')) return 'past'
  const word = wordOf({ status, body: JSON.parse(text) }, vocabulary)
  // Any other refusal comes from a check after that of the access rule.
  return word === 'denied' || word.startsWith('[4') ? 'past' : word
}

const tryLines = (rule: string, names: readonly string[]) => {
  const row = rules.rows.get(rule) as string[]
  const rows = new Map(names.map((name) => [name, row]))
  return walk({ columns: rules.columns, rows }, (name, caller) => ask(cast[caller], lines.get(name) as Line))
}

test.each(Object.keys(accessRules))(
  'Only the callers whom the access rule allows may call an endpoint: %s.',
  async (rule) => {
    const names = [...lines].filter(([name, { endpoint }]) => endpoint.callers === rule && name !== ownKey)
    expect(names).not.toEqual([])
    await tryLines(
      rule,
      names.map(([name]) => name),
    )
  },
)

// The last one: the key with which each account has called is another one then.
test('Every account but incoming webhook bots may get another API key.', () => tryLines('account', [ownKey]))
