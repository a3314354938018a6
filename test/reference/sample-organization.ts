/**
 * The organization in which the examples of the API reference are recorded. An example names its things in braces:
 * `{message_id}` is the id of a message. Mira owns the organization; Sam and Lena are members.
 *
 * 1. A sample is made when it is first asked for, by calls like those of a client.
 * 2. A sample that a call may have changed or deleted is not used again: the next call gets a new one, and so do the
 *    samples that were made of it.
 */
import type { Person } from '../setup/realm/realm.js'
import { redPixel } from '../setup/requests/files.js'
import type { Send } from './example-recorder.js'

export interface Cast {
  mira: Person
  sam: Person
  lena: Person
}

export interface SampleOrganization {
  /** Makes one of each sample, so that the lists of the first calls are not empty. */
  makeAll(): Promise<void>
  /** Replaces the names in braces by the values of the samples, and adds the names to `used`. */
  fill<T>(value: T, used: Set<string>): Promise<T>
  /** Forgets samples and those that were made of them (2). */
  forget(names: Iterable<string>): void
}

interface Tools extends Cast {
  send: Send
  find(name: string): Promise<unknown>
  /** how many of these samples were made before */
  made: number
}

export const password = 'correct horse battery staple'
export const file = { filename: 'logo.png', type: 'image/png', data: redPixel }
const secondsNow = () => Math.floor(Date.now() / 1000)

/** A name for each sample of a kind. */
const select = (names: string, made: number): string => {
  const all = names.split(' ')
  const name = all[made % all.length] as string
  return made < all.length ? name : `${name}${Math.floor(made / all.length) + 1}`
}

const createPerson = async ({ send, mira }: Tools, full_name: string) => {
  const email = `${full_name.toLowerCase()}@example.com`
  const { user_id } = await send(mira, 'POST', '/users', { email, full_name, password })
  return [user_id as number, email] as const
}

const createChannel = async ({ send, mira, sam, lena }: Tools, name: string) => {
  const subscribers = [mira, sam, lena].map(({ user_id }) => user_id)
  const { id } = await send(mira, 'POST', '/channels/create', { name, description: `About ${name}`, subscribers })
  return [id as number, name] as const
}

const createGroup = async ({ send, mira, sam }: Tools, name: string): Promise<number> => {
  const members = [mira.user_id, sam.user_id]
  return (await send(mira, 'POST', '/user_groups/create', { name, description: 'A team', members })).group_id
}

const postMessage = async (by: Person, { send, find }: Tools, content: string, topic = 'logo'): Promise<number> => {
  const to = await find('stream_id')
  return (await send(by, 'POST', '/messages', { type: 'channel', to, topic, content })).id
}

const findInvitation = async ({ send, mira }: Tools, is_multiuse: boolean) => {
  const { invites } = await send(mira, 'GET', '/invites')
  return Math.max(
    ...invites.flatMap((one: { is_multiuse: boolean; id: number }) =>
      one.is_multiuse === is_multiuse ? [one.id] : [],
    ),
  )
}

/** Makes samples. The key has their names, in the order of the values. */
const makers: Readonly<Record<string, (tools: Tools) => Promise<readonly unknown[]>>> = {
  'user_id email': (tools) => createPerson(tools, select('Noor Ravi Tomas Aiko Femi Olga Juan Mina', tools.made)),
  async deactivated_user_id(tools) {
    const [user_id] = await createPerson(tools, select('Hugo Zoe', tools.made))
    await tools.send(tools.mira, 'DELETE', `/users/${user_id}`)
    return [user_id]
  },
  async user_with_status({ send, sam }) {
    await send(sam, 'POST', '/users/me/status', { status_text: 'At lunch', emoji_name: 'car' })
    return [sam.user_id]
  },
  async user_id_or_email({ send, sam }) {
    await send(sam, 'POST', '/users/me/presence', { status: 'active', new_user_input: true })
    return [sam.user_id]
  },
  async muted_user_id({ send, mira, lena }) {
    await send(mira, 'POST', `/users/me/muted_users/${lena.user_id}`)
    return [lena.user_id]
  },
  async bot_id({ send, mira, sam, made }) {
    // Sam's bot becomes Mira's, which is an event of its own.
    const names = { full_name: `Test bot ${made + 1}`, short_name: `test${made + 1}` }
    const { user_id } = await send(sam, 'POST', '/bots', names)
    await send(mira, 'PATCH', `/bots/${user_id}`, { bot_owner_id: mira.user_id })
    return [user_id]
  },
  async 'key_id api_key_id'({ send, mira, made }) {
    const { id } = await send(mira, 'POST', '/users/me/api_keys', { name: `Dashboard ${made + 1}`, scope: 'read' })
    return [id, id]
  },
  async session_id({ send, mira }) {
    await send(undefined, 'POST', '/sessions', { username: mira.email, password })
    const { sessions } = await send(mira, 'GET', '/sessions')
    return [sessions[0].id]
  },
  async storage_key({ send, mira }) {
    await send(mira, 'PUT', '/bot_storage', { storage: { cursor: '41' } })
    return ['cursor']
  },
  async fragment({ send, mira, made }) {
    const fragment = `narrow/topic/${select('ideas plans', made)}`
    await send(mira, 'POST', '/navigation_views', { fragment, is_pinned: true, name: `View ${made + 1}` })
    return [encodeURIComponent(fragment)]
  },
  async alert_word({ send, mira }) {
    await send(mira, 'POST', '/users/me/alert_words', { alert_words: ['draft'] })
    return ['draft']
  },
  async apple_token({ send, mira }) {
    await send(mira, 'POST', '/users/me/apns_device_token', { token: 'beef', appid: 'org.zulip.Zulip' })
    return ['beef']
  },
  async android_token({ send, mira }) {
    await send(mira, 'POST', '/users/me/android_gcm_reg_id', { token: 'babe' })
    return ['babe']
  },
  async invite_id(tools) {
    const invitee_emails = `${select('anna boris', tools.made)}@example.com`
    await tools.send(tools.mira, 'POST', '/invites', { invitee_emails, stream_ids: [], invite_as: 400 })
    return [await findInvitation(tools, false)]
  },
  async invite_link_id(tools) {
    await tools.send(tools.mira, 'POST', '/invites/multiuse', { stream_ids: [] })
    return [await findInvitation(tools, true)]
  },
  async 'user_group_id subgroup_id'(tools) {
    const names = select('writers painters builders printers', tools.made)
    const [outer, inner] = [await createGroup(tools, names), await createGroup(tools, `new ${names}`)]
    await tools.send(tools.mira, 'POST', `/user_groups/${outer}/subgroups`, { add: [inner] })
    return [outer, inner]
  },
  other_group_id: async (tools) => [await createGroup(tools, select('testers guides', tools.made))],
  'stream_id stream': (tools) => createChannel(tools, select('product sales press travel books music', tools.made)),
  'other_stream_id other_stream': (tools) => createChannel(tools, select('events games', tools.made)),
  async default_stream_id(tools) {
    const [stream_id] = await createChannel(tools, select('welcome help', tools.made))
    await tools.send(tools.mira, 'POST', '/default_streams', { stream_id })
    return [stream_id]
  },
  async new_stream_id(tools) {
    const [stream_id] = await createChannel(tools, select('breaks parties', tools.made))
    return [stream_id]
  },
  async group_id({ send, mira, find, made }) {
    const stream_names = [await find('stream')]
    const group = {
      group_name: select('Sellers Writers Painters Helpers', made),
      description: 'For newcomers',
      stream_names,
    }
    await send(mira, 'POST', '/default_stream_groups/create', group)
    const wanted = { event_types: [], fetch_event_types: ['default_stream_groups'] }
    const { realm_default_stream_groups: groups } = await send(mira, 'POST', '/register', wanted)
    return [groups.at(-1).id]
  },
  async channel_folder_id({ send, mira, made }) {
    const name = select('Customers Partners Finance', made)
    return [(await send(mira, 'POST', '/channel_folders/create', { name })).channel_folder_id]
  },
  async message_id(tools) {
    const { send, mira, sam } = tools
    const id = await postMessage(mira, tools, 'The **first** draft for @**Sam** :tada:')
    await send(mira, 'PATCH', `/messages/${id}`, { content: 'The **second** draft for @**Sam** :tada:' })
    await send(sam, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await send(sam, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    return [id]
  },
  message_of_sam: async (tools) => [await postMessage(tools.sam, tools, 'Buy our chairs, @**Mira**!', 'offers')],
  async deleted_message_id(tools) {
    const id = await postMessage(tools.mira, tools, 'Deleted by mistake')
    await tools.send(tools.mira, 'DELETE', `/messages/${id}`)
    return [id]
  },
  async reacted_message_id(tools) {
    const id = await postMessage(tools.mira, tools, 'Done.')
    await tools.send(tools.mira, 'POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
    return [id]
  },
  poll_id: async (tools) => [await postMessage(tools.sam, tools, '/poll Where?\nHere\nThere', 'lunch')],
  async reminder_id({ send, mira, find }) {
    const reminder = { message_id: await find('message_id'), scheduled_delivery_timestamp: await find('tomorrow') }
    return [(await send(mira, 'POST', '/reminders', reminder)).reminder_id]
  },
  async scheduled_message_id({ send, mira, find }) {
    const message = { type: 'channel', to: await find('stream_id'), topic: 'news', content: 'Good morning' }
    const scheduled_delivery_timestamp = await find('tomorrow')
    const answer = await send(mira, 'POST', '/scheduled_messages', { ...message, scheduled_delivery_timestamp })
    return [answer.scheduled_message_id]
  },
  async draft_id({ send, mira, find }) {
    const draft = {
      type: 'stream',
      to: [await find('stream_id')],
      topic: 'ideas',
      content: 'What',
      timestamp: secondsNow(),
    }
    return (await send(mira, 'POST', '/drafts', { drafts: [draft] })).ids
  },
  async saved_snippet_id({ send, mira }) {
    const snippet = { title: 'Thanks', content: 'Thank you for **everything**!' }
    return [(await send(mira, 'POST', '/saved_snippets', snippet)).saved_snippet_id]
  },
  /** Paused: its receiver does not exist. */
  async subscription_id({ send, mira }) {
    const wanted = { name: 'Tickets', address: 'https://tickets.example.com/parley', event_types: ['message'] }
    const { subscription_id } = await send(mira, 'POST', '/event_subscriptions', wanted)
    await send(mira, 'POST', `/event_subscriptions/${subscription_id}/pause`)
    return [subscription_id]
  },
  async 'attachment_id realm_id path'({ send, mira, sam }) {
    const { url } = await send(mira, 'POST', '/user_uploads', {}, file)
    const content = `[logo.png](${url})`
    await send(mira, 'POST', '/messages', { type: 'direct', to: [sam.user_id], content })
    const { attachments } = await send(mira, 'GET', '/attachments')
    const [, , realm_id, ...path] = (url as string).split('/')
    return [Math.max(...attachments.map(({ id }: { id: number }) => id)), realm_id, path.join('/')]
  },
  async domain({ send, mira, made }) {
    const domain = `${select('chairs tables lamps', made)}.example.com`
    await send(mira, 'POST', '/realm/domains', { domain, allow_subdomains: false })
    return [domain]
  },
  async filter_id({ send, mira, made }) {
    const linkifier = { pattern: `T${made + 1}-(?P<id>[0-9]+)`, url_template: 'https://example.com/tasks/{id}' }
    return [(await send(mira, 'POST', '/realm/filters', linkifier)).id]
  },
  async playground_id({ send, mira, made }) {
    const playground = {
      name: `Rust ${made + 1}`,
      pygments_language: 'Rust',
      url_template: 'https://rust.example/?{code}',
    }
    return [(await send(mira, 'POST', '/realm/playgrounds', playground)).id]
  },
  async field_id({ send, mira, made }) {
    const field = { name: select('Team City Motto', made), hint: 'In one word', field_type: 1 }
    return [(await send(mira, 'POST', '/realm/profile_fields', field)).id]
  },
  async emoji_name({ send, mira, made }) {
    const emoji_name = select('desk shelf', made)
    await send(mira, 'POST', `/realm/emoji/${emoji_name}`, {}, file)
    return [emoji_name]
  },
  export_id: async ({ send, mira }) => [(await send(mira, 'POST', '/export/realm')).id],
  /** Reports need a channel of the moderators. */
  async moderation({ send, mira }) {
    const subscriptions = [{ name: 'moderation', description: 'Reports of messages' }]
    await send(mira, 'POST', '/users/me/subscriptions', { subscriptions, invite_only: true })
    const { stream_id } = await send(mira, 'GET', '/get_stream_id', { stream: 'moderation' })
    await send(mira, 'PATCH', '/realm', { moderation_request_channel_id: stream_id })
    return [stream_id]
  },
  // The last one, so that its events are few.
  async 'queue_id last_event_id'({ send, mira, find }) {
    const queue = await send(mira, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const to = await find('stream_id')
    await send(mira, 'POST', '/messages', { type: 'channel', to, topic: 'logo', content: 'Hello' })
    return [queue.queue_id, queue.last_event_id]
  },
  async 'named_queue_id newest_event_id queue_name'({ send, mira, find }) {
    const queue_name = 'reminders'
    const { queue_id, last_event_id } = await send(mira, 'POST', '/register', { event_types: ['message'], queue_name })
    const to = await find('stream_id')
    await send(mira, 'POST', '/messages', { type: 'channel', to, topic: 'logo', content: 'Hello again' })
    const { events } = await send(mira, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
    return [queue_id, events.at(-1).id, queue_name]
  },
}

const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id).reverse()

/** What is looked up for each call. */
const lookups: Readonly<Record<string, (tools: Omit<Tools, 'made'>) => unknown>> = {
  mira_id: ({ mira }) => mira.user_id,
  sam_id: ({ sam }) => sam.user_id,
  lena_id: ({ lena }) => lena.user_id,
  password: () => password,
  now: secondsNow,
  tomorrow: () => secondsNow() + 86_400,
  channel_folder_order: async ({ send, mira }) => idsOf((await send(mira, 'GET', '/channel_folders')).channel_folders),
  linkifier_order: async ({ send, mira }) => idsOf((await send(mira, 'GET', '/realm/linkifiers')).linkifiers),
  profile_field_order: async ({ send, mira }) =>
    idsOf((await send(mira, 'GET', '/realm/profile_fields')).custom_fields),
}

const namesOf = (key: string): string[] => key.split(' ')
const keyOfName = new Map(Object.keys(makers).flatMap((key) => namesOf(key).map((name) => [name, key] as const)))

/** Opens the organization. @param send must throw if a call fails */
export const openSampleOrganization = (cast: Cast, send: Send): SampleOrganization => {
  const values = new Map<string, unknown>()
  const counts = new Map<string, number>()
  /** by maker: the makers whose samples it was made of */
  const sources = new Map<string, Set<string>>()

  const find = async (name: string, asker?: string): Promise<unknown> => {
    const lookup = lookups[name]
    if (lookup !== undefined) return lookup({ ...cast, send, find })
    const key = keyOfName.get(name)
    if (key === undefined)
      throw new Error(`there is no sample ${name}: add it to test/reference/sample-organization.ts`)
    if (asker !== undefined) sources.get(asker)?.add(key)
    if (!values.has(name)) await make(key)
    return values.get(name)
  }

  const make = async (key: string): Promise<void> => {
    const made = counts.get(key) ?? 0
    counts.set(key, made + 1)
    sources.set(key, new Set())
    const found = await makers[key]?.({ ...cast, send, made, find: (name) => find(name, key) })
    for (const [i, name] of namesOf(key).entries()) values.set(name, found?.[i])
  }

  const forget = (names: Iterable<string>): void => {
    for (const name of names) {
      const key = keyOfName.get(name)
      if (key === undefined || !values.has(name)) continue
      for (const sibling of namesOf(key)) values.delete(sibling)
      for (const [made, of] of sources) if (of.has(key)) forget(namesOf(made))
    }
  }

  const fill = async (value: unknown, used: Set<string>): Promise<unknown> => {
    if (typeof value === 'string') {
      const name = /^\{(\w+)\}$/.exec(value)?.[1]
      if (name === undefined) return value
      used.add(name)
      return find(name)
    }
    if (typeof value !== 'object' || value === null) return value
    const filled = []
    // One after the other, so that every recording has the same ids.
    for (const [key, inner] of Object.entries(value)) filled.push([key, await fill(inner, used)] as const)
    return Array.isArray(value) ? filled.map(([, inner]) => inner) : Object.fromEntries(filled)
  }

  return {
    forget,
    fill: <T>(value: T, used: Set<string>) => fill(value, used) as Promise<T>,
    async makeAll() {
      for (const name of keyOfName.keys()) await find(name)
    },
  }
}
