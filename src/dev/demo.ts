/**
 * The demo organization. The first start creates it; later starts find it.
 *
 * 1. Only the organization and its accounts are created in the store. Channels, messages and reactions are created
 *    through the API, with the key of the acting account, as clients do it.
 * 2. Every step can be repeated, so the next start completes a start that was interrupted.
 * 3. Only the database keeps state: keys and passwords are derived from the secret key.
 */
import { createHmac } from 'node:crypto'
import type { Administration } from '../administration/administration.js'
import { BotType, type UserRow } from '../domain/log/rows.js'
import type { Realm } from '../store/log/realm.js'
import { type ApiCaller, apiCaller } from './api-caller.js'
import { bot, channels, emailAddress, history, people } from './demo-content.js'
import type { DemoUser } from './welcome.js'

/** The `string_id` of the demo organization. */
export const REALM = 'demo'

export interface DemoContext {
  administration: Administration
  secretKey: string
  /** The address of a running gateway that serves the demo organization. */
  url: string
  tell(line: string): void
}

/** Creates what is missing of the demo organization. @returns its accounts, the owner first and the bot last */
export async function createDemoOrganization(context: DemoContext): Promise<DemoUser[]> {
  const realm = await findOrCreateRealm(context)
  const users = (await findOrCreateAccounts(context, realm)).map((row) => demoUser(context, realm, row))
  await fillRealm(context, users)
  return users
}

async function findOrCreateRealm(context: DemoContext): Promise<Realm> {
  const { administration, tell } = context
  const found = await administration.realm(REALM)
  if (found !== undefined) return found
  tell('Creating the demo organization')
  await administration.createRealm({ string_id: REALM, name: 'Parley demo', description: 'Made up to try things.' })
  return findOrCreateRealm(context)
}

async function findOrCreateAccounts({ administration, secretKey }: DemoContext, realm: Realm): Promise<UserRow[]> {
  const account = (name: string) => realm.state.userByEmail(emailAddress(name))
  const missing = Object.entries(people).filter(([name]) => account(name) === undefined)
  if (missing.length > 0) {
    const users = missing.map(([name, person]) => {
      const email = emailAddress(name)
      return { ...person, email, password: derivePassword(secretKey, email) }
    })
    await administration.createUsers(realm, users)
  }
  if (account(bot.name) === undefined) {
    const owner_id = account(bot.owner)?.id ?? null
    const { full_name } = bot
    await administration.createUsers(realm, [
      { email: emailAddress(bot.name), full_name, bot: { type: BotType.generic, owner_id } },
    ])
  }
  return [...Object.keys(people), bot.name].flatMap((name) => account(name) ?? [])
}

function demoUser({ administration, secretKey }: DemoContext, realm: Realm, row: UserRow): DemoUser {
  const { id: user_id, delivery_email: email, full_name, role } = row
  const password = row.is_bot ? null : derivePassword(secretKey, email)
  return { user_id, email, full_name, role, password, api_key: administration.apiKey(realm, row) }
}

/** The same password at every start. Without the secret key it cannot be guessed. */
const derivePassword = (secretKey: string, email: string): string =>
  createHmac('sha256', secretKey).update(`demo password of ${email}`).digest('base64url').slice(0, 16)

/** Creates channels and messages. Requests that fail are counted and printed; they do not stop the start. */
async function fillRealm({ url, tell }: DemoContext, users: DemoUser[]): Promise<void> {
  const callers = new Map(users.map((user) => [user.email, apiCaller(url, user)]))
  const callerOf = (name: string) => callers.get(emailAddress(name)) as ApiCaller
  const idOf = (name: string) => users.find((user) => user.email === emailAddress(name))?.user_id
  if (await hasHistory(callerOf('sam'), idOf('sam'))) return

  tell('Filling it with channels and messages')
  const failures: string[] = []
  const attempt = <T>(call: Promise<T>) => call.catch((error: Error) => void failures.push(error.message))
  await attempt(callerOf('mira').patch('/realm', { enable_spectator_access: true }))
  for (const { name, description, members, options } of channels) {
    const subscriptions = [{ name, description }]
    const principals = members.map(idOf)
    const params = { subscriptions, principals, send_new_subscription_messages: false, ...options }
    await attempt(callerOf(members[0]).post('/users/me/subscriptions', params))
  }
  for (const { from, to, content, reactions = {} } of history) {
    const address = Array.isArray(to)
      ? { type: 'direct', to: to.map(idOf) }
      : { type: 'channel', to: to.channel, topic: to.topic }
    const sent = await attempt(callerOf(from === 'bot' ? bot.name : from).post('/messages', { ...address, content }))
    if (sent === undefined) continue
    for (const [name, emoji_name] of Object.entries(reactions)) {
      await attempt(callerOf(name).post(`/messages/${sent.id}/reactions`, { emoji_name }))
    }
  }
  if (failures.length > 0)
    tell(`The demo organization is not complete; ${failures.length} requests failed, the first: ${failures[0]}`)
}

/** Whether the last message of the history exists, which its sender sent to himself. */
async function hasHistory(sender: ApiCaller, sender_id: number | undefined): Promise<boolean> {
  const narrow = [{ operator: 'dm', operand: [sender_id] }]
  const { messages } = await sender.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
  return (messages as unknown[]).length > 0
}
