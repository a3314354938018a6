/**
 * Property test: the registration snapshot of an organization plus the events since equals the current snapshot.
 *
 * Random users change settings, users, groups, bots and channels through random gateways. Clients of every role, with
 * different capabilities, register queues in between. A refused request must change nothing for any client.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { KnownOrganization, organizationNames } from '../setup/clients/known-organization.js'
import type { Cursor, WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const capabilitySets = [
  { notification_settings_null: true },
  { notification_settings_null: true, include_deactivated_groups: true, archived_channels: true },
  { notification_settings_null: true, user_list_incomplete: true, user_settings_object: true },
]

const names = ['Owner', 'Admin', 'Moderator', 'Member', 'Other', 'Guest', 'Visitor'] as const
const person = fc.nat({ max: names.length - 1 })
/** Roles with more permissions occur more often. */
const actor = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 5, 6)
const pick = fc.nat({ max: 1_000 })
const does = <const D extends string>(what: D) =>
  fc.record({ do: fc.constant(what), who: actor, other: person, n: pick, m: pick })

const kinds = [
  'role',
  'rename',
  'address',
  'setting',
  'default',
  'realm',
  'permission',
  'create group',
  'group setting',
  'members',
  'subgroups',
  'deactivate group',
  'reactivate group',
  'create channel',
  'group of channels',
  'join',
  'leave',
  'write',
  'delete message',
  'restrict guests',
  'deactivate',
  'reactivate',
  'create bot',
  'change bot',
  'deactivate bot',
  'new key',
  'status',
  'default channel',
  'invite',
  'register',
] as const
const operation = fc.oneof(...kinds.map(does))
type Operation = { do: (typeof kinds)[number]; who: number; other: number; n: number; m: number }

const roles = [100, 200, 300, 400, 400, 600, 600]
const settings = [
  { email_address_visibility: 1 },
  { email_address_visibility: 2 },
  { email_address_visibility: 3 },
  { email_address_visibility: 5 },
  { color_scheme: 2 },
  { color_scheme: 1 },
  { presence_enabled: false },
  { presence_enabled: true },
  { emojiset: 'text' },
  { timezone: 'Europe/London' },
  { full_name: 'Somebody Else' },
]
const realmSettings = [
  { waiting_period_threshold: 3 },
  { waiting_period_threshold: 0 },
  { name: 'Engines' },
  { topics_policy: 'disable_empty_topic' },
  { message_content_edit_limit_seconds: 'unlimited' },
  { enable_read_receipts: false },
  { default_language: 'de' },
  { default_avatar_source: 'G' },
  { default_avatar_source: 'J' },
]
const permissions = [
  'can_create_groups',
  'can_manage_all_groups',
  'can_create_bots_group',
  'can_mention_many_users_group',
]
const groupSettings = ['can_manage_group', 'can_join_group', 'can_leave_group', 'can_mention_group']

const statuses = [
  { status_text: 'at lunch' },
  { status_text: '' },
  { status_text: 'away', emoji_name: 'tada' },
  { emoji_name: '' },
  { away: true },
  { away: false },
]

interface Queue extends Cursor {
  who: number
  capabilities: number
  client: KnownOrganization
  /** the invitations that the user could list at registration, as JSON */
  invitations: string
}

const run = async (areGuestsRestricted: boolean, steps: readonly Operation[][]): Promise<void> => {
  await using realm = await newRealm()
  const people = await realm.people(...names.map((full_name, i) => ({ full_name, role: roles[i] as number })))
  const at = (who: number) => people[who] as Person
  const ids = people.map(({ user_id }) => user_id)
  await ok(at(0), 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'news' }], is_default_stream: true })
  await ok(at(3), 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'lobby' }],
    principals: [ids[3], ids[5]],
  })
  if (areGuestsRestricted) await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
  const queues: Queue[] = []
  const written: { who: number; id: number }[] = []

  const register = (who: number, capabilities: number) =>
    call(at(who), 'POST', '/register', {
      client_gravatar: false,
      fetch_event_types: organizationNames,
      client_capabilities: capabilitySets[capabilities],
    })
  const known = (snapshot: Record<string, unknown>, capabilities: number) =>
    new KnownOrganization(structuredClone(snapshot), realm.host, capabilities === 2)

  const groups = async () =>
    (
      await ok(at(0), 'GET', '/user_groups', {
        include_deactivated_groups: true,
      }).catch(() => ({ user_groups: [{ id: 9 }] }))
    ).user_groups.map(({ id }) => id)
  const settingValue = async (n: number, m: number) => {
    const all = await groups()
    const group = all[n % all.length] as number
    if (m % 2 === 0) return group
    return { direct_members: [ids[n % ids.length]], direct_subgroups: m % 3 === 0 ? [group] : [] }
  }
  const customGroup = async (n: number) => {
    const custom = (await groups()).filter((id) => id > SystemGroup.internet)
    return custom[n % Math.max(custom.length, 1)] ?? 9
  }
  const bot = async (n: number) => {
    const { realm_bots } = await ok(at(0), 'POST', '/register', {
      fetch_event_types: ['realm_bot'],
    }).catch(() => ({ realm_bots: [] }))
    return realm_bots[n % Math.max(realm_bots.length, 1)]?.user_id ?? 999
  }

  const invitations = async (who: number) => {
    const { status, body } = await call(at(who), 'GET', '/invites')
    return JSON.stringify(status === 200 ? body.invites : [])
  }

  const runOperation = async ({ do: what, who, other, n, m }: Operation): Promise<{ status: number } | undefined> => {
    const self = at(who)
    const user = `/users/${at(other).user_id}`
    switch (what) {
      case 'role':
        return call(self, 'PATCH', user, { role: roles[n % roles.length] })
      case 'rename':
        return call(self, 'PATCH', user, { full_name: `Named ${n}` })
      case 'address':
        return call(self, 'PATCH', user, { new_email: `address${n}@example.com` })
      case 'setting':
        return call(at(other), 'PATCH', '/settings', settings[n % settings.length])
      case 'default':
        return call(self, 'PATCH', '/realm/user_settings_defaults', { color_scheme: 1 + (n % 3), emojiset: 'set_b' })
      case 'realm':
        return call(self, 'PATCH', '/realm', realmSettings[n % realmSettings.length])
      case 'permission':
        return call(self, 'PATCH', '/realm', { [permissions[n % 4] as string]: { new: await settingValue(n, m) } })
      case 'create group': {
        const members = [at(other).user_id]
        return call(self, 'POST', '/user_groups/create', { name: `group ${n}`, description: '', members })
      }
      case 'group setting': {
        const value = { new: await settingValue(n, m) }
        const change = m % 5 === 0 ? { name: `renamed ${n}` } : { [groupSettings[n % 4] as string]: value }
        return call(self, 'PATCH', `/user_groups/${await customGroup(m)}`, change)
      }
      case 'members':
        return call(self, 'POST', `/user_groups/${await customGroup(n)}/members`, {
          [m % 3 === 0 ? 'delete' : 'add']: [at(other).user_id],
        })
      case 'subgroups': {
        const all = await groups()
        return call(self, 'POST', `/user_groups/${await customGroup(n)}/subgroups`, {
          [m % 3 === 0 ? 'delete' : 'add']: [all[m % all.length]],
        })
      }
      case 'deactivate group':
        return call(self, 'POST', `/user_groups/${await customGroup(n)}/deactivate`)
      case 'reactivate group':
        return call(self, 'PATCH', `/user_groups/${await customGroup(n)}`, { deactivated: false })
      case 'create channel':
        return call(self, 'POST', '/users/me/subscriptions', {
          subscriptions: [{ name: `channel ${n}` }],
          principals: [self.user_id, at(other).user_id],
          invite_only: m % 3 !== 0,
          can_subscribe_group: await settingValue(n, m),
          can_administer_channel_group: await settingValue(m, n),
        })
      case 'group of channels':
        return m % 3 === 0
          ? call(self, 'DELETE', `/default_stream_groups/${1 + (n % 4)}`)
          : call(self, 'POST', '/default_stream_groups/create', {
              group_name: `channels ${n}`,
              description: '',
              stream_names: ['lobby'],
            })
      case 'join':
        return call(self, 'POST', '/users/me/subscriptions', {
          subscriptions: [{ name: m % 2 === 0 ? 'lobby' : 'news' }],
          principals: [at(other).user_id],
        })
      case 'leave':
        return call(self, 'DELETE', '/users/me/subscriptions', {
          subscriptions: [m % 2 === 0 ? 'lobby' : 'news'],
          principals: [at(other).user_id],
        })
      case 'write': {
        const to = [at(other).user_id, ...(m % 3 === 0 ? [ids[n % ids.length]] : [])]
        const answer = await call(self, 'POST', '/messages', { type: 'direct', to, content: 'hello' })
        if (answer.status === 200) written.push({ who, id: answer.body.id as number })
        return answer
      }
      case 'delete message': {
        const message = written[n % Math.max(written.length, 1)]
        return message && call(at(message.who), 'DELETE', `/messages/${message.id}`)
      }
      case 'restrict guests':
        return call(self, 'PATCH', '/realm', {
          can_access_all_users_group: { new: m % 2 === 0 ? SystemGroup.everyone : SystemGroup.members },
        })
      case 'deactivate':
        return call(self, 'DELETE', user)
      case 'reactivate':
        return call(self, 'POST', `${user}/reactivate`)
      case 'create bot':
        return call(self, 'POST', '/bots', {
          full_name: `Bot ${n}`,
          short_name: `bot${n}`,
          bot_type: m % 2 === 0 ? 1 : 3,
          payload_url: 'https://example.com/hook',
        })
      case 'change bot':
        return call(
          self,
          'PATCH',
          `/bots/${await bot(n)}`,
          [
            { full_name: `Bot renamed ${m}` },
            { role: roles[m % roles.length] },
            { bot_owner_id: at(other).user_id },
            { default_sending_stream: 'news', default_all_public_streams: m % 3 === 0 },
            { service_payload_url: `https://example.com/${m}` },
          ][m % 5],
        )
      case 'deactivate bot':
        return m % 3 === 0
          ? call(self, 'POST', `/users/${await bot(n)}/reactivate`)
          : call(self, 'DELETE', `/bots/${await bot(n)}`)
      case 'new key':
        return call(self, 'POST', `/bots/${await bot(n)}/api_key/regenerate`)
      case 'status':
        return call(at(other), 'POST', '/users/me/status', statuses[n % statuses.length])
      case 'default channel':
        return call(self, m % 2 === 0 ? 'POST' : 'DELETE', '/default_streams', { stream_id: 1 + (n % 3) })
      case 'invite': {
        const { body } = await call(self, 'GET', '/invites')
        const open = (body.invites ?? []) as { id: number; is_multiuse: boolean }[]
        const one = open[n % Math.max(open.length, 1)]
        if (one !== undefined && m % 3 === 0) {
          return call(self, 'DELETE', `/invites/${one.is_multiuse ? 'multiuse/' : ''}${one.id}`)
        }
        if (m % 3 === 1) return call(self, 'POST', '/invites/multiuse', { invite_as: roles[n % roles.length] })
        return call(self, 'POST', '/invites', { invitee_emails: `invited${n}@example.com`, stream_ids: [] })
      }
      case 'register': {
        const { status, body } = await register(other, n % capabilitySets.length)
        if (status !== 200) return undefined
        const { queue_id, last_event_id } = body as unknown as Cursor
        const capabilities = n % capabilitySets.length
        const client = known(body, capabilities)
        queues.push({
          who: other,
          capabilities,
          queue_id,
          last_event_id,
          client,
          invitations: await invitations(other),
        })
      }
    }
    return undefined
  }

  for (const other of people.keys()) await runOperation({ do: 'register', who: 0, other, n: other, m: 0 })
  for (const step of steps) {
    for (const outcome of await Promise.all(step.map(runOperation))) expect(outcome?.status ?? 200).toBeLessThan(500)
  }

  for (const { who, capabilities, client, queue_id, last_event_id, ...queue } of queues) {
    const now = await register(who, capabilities)
    if (now.status !== 200) continue
    const url = anyGateway()
    // A read that waits until the gateway knows all changes.
    await ok(at(who), 'GET', '/users/me', {}, { url })
    const poll = await call(at(who), 'GET', '/events', { queue_id, last_event_id, dont_block: true }, { url })
    // Deactivating a user deletes their queues.
    if (poll.body.code === 'BAD_EVENT_QUEUE_ID') continue
    const { events } = poll.body as unknown as { events: WireEvent[] }
    const before = JSON.stringify(client.known())
    const description = `${names[who]} with capabilities ${capabilities} knew ${before}, heard ${JSON.stringify(events)}`
    for (const event of events) {
      try {
        client.apply(event)
      } catch (cause) {
        throw new Error(description, { cause })
      }
    }
    expect(client.known(), description).toEqual(known(now.body, capabilities).known())
    const mayHaveChanged = client.areInvitationsOld || hasNewRole(events, at(who).user_id)
    if (!mayHaveChanged) expect(await invitations(who), description).toBe(queue.invitations)
  }
}

/**
 * Whether the user's role changed. A new role changes the list of invitations (all for administrators, own ones for
 * others) without an invites_changed event.
 */
const hasNewRole = (events: readonly WireEvent[], user_id: number): boolean =>
  events.some(({ type, person }) => {
    const { user_id: id, role } = (person ?? {}) as { user_id?: number; role?: number }
    return type === 'realm_user' && id === user_id && role !== undefined
  })

const steps = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 25 })
const numRuns = Number(process.env.PROPERTY_RUNS ?? 6)
const options = { numRuns, endOnFailure: true, interruptAfterTimeLimit: 120_000 }

test.each([
  ['all users have access to all users', false],
  ['guests are restricted', true],
])(
  'Where %s, the registration snapshot of every client plus the events since equals the current snapshot.',
  { timeout: 200_000 },
  async (_, areGuestsRestricted) => {
    await fc.assert(
      fc.asyncProperty(steps, (given) => run(areGuestsRestricted, given)),
      options,
    )
  },
)
