/**
 * Copies an organization from a server with the Zulip API (Zulip, or Parley) to a Parley server, through their APIs.
 *
 *   node scripts/move-from-zulip.mjs --from FROM.zuliprc --to TO.zuliprc --state move.json
 *
 * docs/move-from-zulip.md says what it moves and what it cannot. Each step is noted in the file of --state, so the
 * command can be stopped and run again: it continues where it was.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const PAGE = 1000

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    state: { type: 'string', default: 'move.json' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || values.from === undefined || values.to === undefined) {
  console.log('node scripts/move-from-zulip.mjs --from FROM.zuliprc --to TO.zuliprc [--state move.json]')
  process.exit(values.help ? 0 : 1)
}

/** Accounts of moved users by their id on the source. */
const senders = new Map()

const source = account(readZuliprc(values.from))
const target = account(readZuliprc(values.to))
const state = openState(values.state)

await moveUsers()
await moveEmoji()
await moveChannels()
await moveMessages()
console.log(`Done. ${values.state} has the new passwords: send each user theirs, or let them ask for a link.`)

/** Creates the accounts that do not exist. Deactivated accounts and bots are not moved: the owner posts for them. */
async function moveUsers() {
  const existing = new Map((await target.call('GET', '/users')).members.map((user) => [emailOf(user), user.user_id]))
  for (const user of (await source.call('GET', '/users')).members) {
    if (user.is_bot || !user.is_active || state.users[user.user_id] !== undefined) continue
    const email = emailOf(user)
    const known = existing.get(email)
    const password = known === undefined ? randomBytes(12).toString('base64url') : undefined
    const { user_id } =
      known === undefined
        ? await target.call('POST', '/users', { email, full_name: user.full_name, password })
        : { user_id: known }
    // Guests, moderators and administrators keep their role. Only an owner can make owners, and does it by hand.
    if (known === undefined && user.role !== 400 && user.role !== 100)
      await target.call('PATCH', `/users/${user_id}`, { role: user.role })
    note(() => {
      state.users[user.user_id] = { user_id, email, password }
    })
  }
  console.log(`Users: ${Object.keys(state.users).length}`)
}

async function moveEmoji() {
  const existing = Object.values((await target.call('GET', '/realm/emoji')).emoji)
  for (const emoji of Object.values((await source.call('GET', '/realm/emoji')).emoji)) {
    if (emoji.deactivated || existing.some(({ name, deactivated }) => name === emoji.name && !deactivated)) continue
    await target.upload(`/realm/emoji/${emoji.name}`, await source.download(emoji.source_url), `${emoji.name}.png`)
  }
}

/** Creates the channels that the reader of the source can see, and subscribes their members. */
async function moveChannels() {
  for (const channel of (await source.call('GET', '/streams')).streams) {
    if (state.channels[channel.stream_id] !== undefined) continue
    const { subscribers } = await source.call('GET', `/streams/${channel.stream_id}/members`)
    const principals = subscribers.flatMap((id) => state.users[id]?.user_id ?? [])
    await target.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel.name, description: channel.description }],
      principals: [...new Set([...principals, (await target.me()).user_id])],
      invite_only: channel.invite_only,
      is_web_public: channel.is_web_public,
      history_public_to_subscribers: channel.history_public_to_subscribers,
      send_new_subscription_messages: false,
      announce: false,
    })
    const { stream_id } = await target.call('GET', '/get_stream_id', { stream: channel.name })
    note(() => {
      state.channels[channel.stream_id] = { stream_id, anchor: 0 }
    })
  }
  console.log(`Channels: ${Object.keys(state.channels).length}`)
}

/** Sends the messages of each channel again, oldest first, by their authors, with the time and the reactions. */
async function moveMessages() {
  for (const [from, channel] of Object.entries(state.channels)) {
    for (let isLast = false; !isLast; ) {
      const page = await source.call('GET', '/messages', {
        anchor: channel.anchor,
        include_anchor: false,
        num_before: 0,
        num_after: PAGE,
        narrow: [{ operator: 'channel', operand: Number(from) }],
        apply_markdown: false,
        allow_empty_topic_name: true,
      })
      for (const message of page.messages) {
        await moveMessage(message, channel.stream_id)
        note(() => {
          channel.anchor = message.id
          state.messages += 1
        })
      }
      isLast = page.found_newest
    }
  }
  console.log(`Messages: ${state.messages}`)
}

async function moveMessage(message, stream_id) {
  const author = await senderOf(message.sender_id)
  const name = author === undefined ? `**${message.sender_full_name}** ` : ''
  const time = new Date(message.timestamp * 1000).toISOString()
  const content = await moveFiles(message.content, author ?? target)
  const { id } = await (author ?? target).call('POST', '/messages', {
    type: 'channel',
    to: stream_id,
    topic: message.subject,
    content: `${name}<time:${time}>\n${content}`,
  })
  for (const { user_id, emoji_name, emoji_code, reaction_type } of message.reactions) {
    const reader = await senderOf(user_id)
    // The codes of custom emoji differ between servers: the name selects it.
    const emoji = reaction_type === 'realm_emoji' ? { emoji_name } : { emoji_name, emoji_code, reaction_type }
    await reader?.call('POST', `/messages/${id}/reactions`, emoji)
  }
}

/** Uploads the files that a message links to, and returns its text with the new links. */
async function moveFiles(content, author) {
  let text = content
  for (const [path] of content.matchAll(/\/user_uploads\/\d+\/[^\s)"']+/g)) {
    const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
    const { url } = await author.upload('/user_uploads', await source.download(path), name)
    text = text.replace(path, url)
  }
  return text
}

/** The account that writes for a user; undefined for a bot, a deactivated user, and one that existed before. */
async function senderOf(id) {
  const user = state.users[id]
  if (user?.user_id === (await target.me()).user_id) return target
  if (user?.password === undefined) return undefined
  if (senders.has(id)) return senders.get(id)
  const { api_key } = await target.call('POST', '/fetch_api_key', { username: user.email, password: user.password })
  const sender = account({ site: target.site, email: user.email, key: api_key })
  senders.set(id, sender)
  return sender
}

/** An account on a server: its calls wait when the server says that it received too many. */
function account({ site, email, key }) {
  const Authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const request = async (method, path, params, body) => {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    const inAddress = method === 'GET'
    const url = `${site}/api/v1${path}${inAddress ? `?${form}` : ''}`
    for (;;) {
      const answer = await fetch(url, {
        method,
        headers: { Authorization },
        body: inAddress ? undefined : (body ?? form),
      })
      const json = await answer.json()
      if (json.result === 'success') return json
      if (answer.status !== 429) throw new Error(`${method} ${path} as ${email}: ${json.msg}`)
      await sleep(1000 * (json['retry-after'] ?? 1))
    }
  }
  let own
  return {
    site,
    call: (method, path, params = {}) => request(method, path, params),
    upload(path, blob, name) {
      const body = new FormData()
      body.set('file', blob, name)
      return request('POST', path, {}, body)
    },
    async download(path) {
      // A file of a message needs a temporary link; a picture has none.
      const isUpload = path.startsWith('/user_uploads/')
      const url = isUpload ? (await request('GET', path, {})).url : path
      const answer = await fetch(new URL(url, site), { headers: { Authorization } })
      if (!answer.ok) throw new Error(`GET ${path} of ${site}: ${answer.status}`)
      return answer.blob()
    },
    me: () => {
      own ??= request('GET', '/users/me', {})
      return own
    },
  }
}

function emailOf(user) {
  return (user.delivery_email ?? user.email).toLowerCase()
}

function readZuliprc(file) {
  const lines = readFileSync(file, 'utf8').matchAll(/^\s*(email|key|site)\s*=\s*(.*?)\s*$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
}

function openState(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  return { users: {}, channels: {}, messages: 0 }
}

/** Changes the state and writes it, in one step: a crash leaves the old file or the new one. */
function note(change) {
  change()
  writeFileSync(`${values.state}.new`, JSON.stringify(state, null, 1), { mode: 0o600 })
  renameSync(`${values.state}.new`, values.state)
}
