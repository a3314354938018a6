/**
 * The demo organization: made on the first start, found again on every later one.
 *
 * 1. Only the organization and its accounts come from the store; all that is done in it goes through the API, with
 *    each account's own key, as clients do it.
 * 2. Every step may be repeated, so a start that was interrupted is completed by the next one.
 * 3. Nothing is remembered beside the database: keys and passwords derive from the secret key.
 */
import { createHmac } from 'node:crypto'
import type { Administration } from '../administration/administration.js'
import { BotType, type UserRow } from '../domain/log/rows.js'
import type { Realm } from '../store/log/realm.js'
import { type ApiCaller, apiCaller } from './api-caller.js'
import { addressOf, bot, channels, history, people } from './demo-content.js'
import type { DemoUser } from './welcome.js'

export const REALM = 'demo'

export interface DemoSetting {
  administration: Administration
  secretKey: string
  /** The site of a running gateway that serves the demo organization. */
  url: string
  tell(line: string): void
}

/** Makes what is missing of it. @returns its accounts, the owner first and the bot last */
export async function demoOrganization(setting: DemoSetting): Promise<DemoUser[]> {
  const realm = await demoRealm(setting)
  const users = (await demoAccounts(setting, realm)).map((row) => demoUser(setting, realm, row))
  await fill(setting, users)
  return users
}

async function demoRealm(setting: DemoSetting): Promise<Realm> {
  const { administration, tell } = setting
  const found = await administration.realm(REALM)
  if (found !== undefined) return found
  tell('Creating the demo organization')
  await administration.createRealm({ string_id: REALM, name: 'Parley demo', description: 'Made up to try things.' })
  return demoRealm(setting)
}

async function demoAccounts({ administration, secretKey }: DemoSetting, realm: Realm): Promise<UserRow[]> {
  const account = (name: string) => realm.state.userByEmail(addressOf(name))
  const missing = Object.entries(people).filter(([name]) => account(name) === undefined)
  if (missing.length > 0) {
    const users = missing.map(([name, person]) => {
      const email = addressOf(name)
      return { ...person, email, password: passwordOf(secretKey, email) }
    })
    await administration.createUsers(realm, users)
  }
  if (account(bot.name) === undefined) {
    const owner_id = account(bot.owner)?.id ?? null
    const { full_name } = bot
    await administration.createUsers(realm, [
      { email: addressOf(bot.name), full_name, bot: { type: BotType.generic, owner_id } },
    ])
  }
  return [...Object.keys(people), bot.name].flatMap((name) => account(name) ?? [])
}

function demoUser({ administration, secretKey }: DemoSetting, realm: Realm, row: UserRow): DemoUser {
  const { id: user_id, delivery_email: email, full_name, role } = row
  const password = row.is_bot ? null : passwordOf(secretKey, email)
  return { user_id, email, full_name, role, password, api_key: administration.apiKey(realm, row) }
}

/** Guessed by nobody who does not hold the secret key, and the same at every start. */
const passwordOf = (secretKey: string, email: string): string =>
  createHmac('sha256', secretKey).update(`demo password of ${email}`).digest('base64url').slice(0, 16)

/** Channels, and what is said in them. What is refused is left out and told: it is no reason not to serve. */
async function fill({ url, tell }: DemoSetting, users: DemoUser[]): Promise<void> {
  const callers = new Map(users.map((user) => [user.email, apiCaller(url, user)]))
  const as = (name: string) => callers.get(addressOf(name)) as ApiCaller
  const idOf = (name: string) => users.find((user) => user.email === addressOf(name))?.user_id
  if (await isFull(as('sam'), idOf('sam'))) return

  tell('Filling it with channels and messages')
  const refused: string[] = []
  const attempt = <T>(call: Promise<T>) => call.catch((error: Error) => void refused.push(error.message))
  await attempt(as('mira').patch('/realm', { enable_spectator_access: true }))
  for (const { name, description, members, options } of channels) {
    const subscriptions = [{ name, description }]
    const principals = members.map(idOf)
    const params = { subscriptions, principals, send_new_subscription_messages: false, ...options }
    await attempt(as(members[0]).post('/users/me/subscriptions', params))
  }
  for (const { from, to, content, reactions = {} } of history) {
    const address = Array.isArray(to)
      ? { type: 'direct', to: to.map(idOf) }
      : { type: 'channel', to: to.channel, topic: to.topic }
    const sent = await attempt(as(from === 'bot' ? bot.name : from).post('/messages', { ...address, content }))
    if (sent === undefined) continue
    for (const [name, emoji_name] of Object.entries(reactions)) {
      await attempt(as(name).post(`/messages/${sent.id}/reactions`, { emoji_name }))
    }
  }
  if (refused.length > 0)
    tell(`The demo organization is not complete; ${refused.length} refusals, first: ${refused[0]}`)
}

/** Whether the last message of the history is there: the note that its sender wrote to himself. */
async function isFull(sender: ApiCaller, sender_id: number | undefined): Promise<boolean> {
  const narrow = [{ operator: 'dm', operand: [sender_id] }]
  const { messages } = await sender.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
  return (messages as unknown[]).length > 0
}
