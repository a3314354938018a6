/**
 * Permissions to send and access direct messages (protocol/permissions.md 8.2, 8.3 and 14), and visibility of users.
 * Every cell is tested over the API.
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import type { RealmSettings } from '../../src/domain/settings/realm-settings.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const vocabulary = {
  ...refusals,
  off: '400 BAD_REQUEST: This organization has turned off direct messages.',
  alone: '400 BAD_REQUEST: Add a user with the permission to authorize direct messages to this conversation.',
  begin: '400 BAD_REQUEST: You may not begin a direct message conversation: only answer in one.',
  gone: '400 BAD_REQUEST: … is deactivated: remove this recipient.',
  unmet: '400 BAD_REQUEST: You may not send direct messages to some of these recipients.',
  invalid: '400 BAD_REQUEST: There is no such message, or you may not read it.',
  foreign: '400 BAD_REQUEST: You may not edit this message.',
  topicless: '400 BAD_REQUEST: A direct message has no topic.',
  bound: '400 BAD_REQUEST: A direct message cannot move to a channel.',
  kept: '400 BAD_REQUEST: You may not delete this message.',
}

const roles = {
  owner: Role.owner,
  administrator: Role.administrator,
  moderator: Role.moderator,
  member: Role.member,
  guest: Role.guest,
} as const

let realm: TestRealm
let founder: Person
let cast: Record<string, Person>
let count = 0

beforeAll(async () => {
  realm = await newRealm()
  const people = await realm.people(
    { full_name: 'founder', role: Role.owner },
    ...Object.entries(roles).map(([full_name, role]) => ({ full_name, role })),
    { full_name: 'peer' },
    { full_name: 'gone' },
  )
  const names = ['founder', ...Object.keys(roles), 'peer', 'gone']
  cast = Object.fromEntries(names.map((name, i) => [name, people[i] as Person]))
  founder = people[0] as Person
  const owner_id = founder.user_id
  const bots = await realm.people(
    { full_name: 'bot', email: 'plain-bot@example.com', bot: { type: BotType.generic, owner_id } },
    { full_name: 'hook', email: 'hook-bot@example.com', bot: { type: BotType.incomingWebhook, owner_id } },
  )
  Object.assign(cast, { bot: bots[0], 'webhook-bot': bots[1] })
  await ok(founder, 'DELETE', `/users/${cast.gone?.user_id}`)
})
afterAll(() => realm[Symbol.asyncDispose]())

const idOf = (name: string): number => cast[name]?.user_id as number

const send = (by: Person, to: number[]) => call(by, 'POST', '/messages', { type: 'direct', to, content: 'hello' })

/** Creates a user with no conversations. */
const fresh = async (role: number = Role.member): Promise<Person> =>
  (await realm.people({ full_name: `fresh ${++count}`, email: `fresh${count}@example.com`, role }))[0] as Person

describe('Sending a direct message', () => {
  const to: Record<string, (caller: string) => Promise<number[]>> = {
    'a stranger': async () => [(await fresh()).user_id],
    'a moderator': async () => [(await fresh(Role.moderator)).user_id],
    'a guest': async () => [(await fresh(Role.guest)).user_id],
    'strangers and a moderator': async () => [(await fresh()).user_id, (await fresh(Role.moderator)).user_id],
    'a bot': async () => [idOf('bot')],
    oneself: async (caller) => [idOf(caller)],
    'a deactivated user': async () => [idOf('gone')],
    'an earlier sender': async (caller) => {
      const one = await fresh()
      await updateRealmSettings(realm, open)
      await ok(one, 'POST', '/messages', { type: 'direct', to: [idOf(caller)], content: 'hello' })
      return [one.user_id]
    },
  }
  const open: Partial<RealmSettings> = {
    direct_message_permission_group: SystemGroup.everyone,
    direct_message_initiator_group: SystemGroup.everyone,
  }

  const sending = async (settings: Partial<RealmSettings>, text: string) => {
    await walk(
      tableOf(text),
      async (row, caller) => {
        const recipients = await (to[row] as (typeof to)[string])(caller)
        await updateRealmSettings(realm, { ...open, ...settings })
        const answer = await send(cast[caller] as Person, recipients)
        if (answer.status !== 200) return wordOf(answer, vocabulary)
        return (await call(cast[caller], 'GET', `/messages/${answer.body.id}`)).status === 200 ? 'yes' : 'unread'
      },
      1,
    )
    await updateRealmSettings(realm, open)
  }

  test('Every user can write to every active user.', () =>
    sending(
      {},
      `
                              owner  moderator  member  guest  bot
        a stranger            yes    yes        yes     yes    yes
        a bot                 yes    yes        yes     yes    yes
        oneself               yes    yes        yes     yes    yes
        a deactivated user    gone   gone       gone    gone   gone
      `,
    ))

  // 8.2: one participant in direct_message_permission_group is enough. Messages from bots, to bots and to oneself
  // require none.
  test('A direct message needs one participant in direct_message_permission_group.', () =>
    sending(
      { direct_message_permission_group: SystemGroup.moderators },
      `
                                   owner  moderator  member  guest  bot
        a stranger                 yes    yes        alone   alone  yes
        a guest                    yes    yes        alone   alone  yes
        a moderator                yes    yes        yes     yes    yes
        strangers and a moderator  yes    yes        yes     yes    yes
        an earlier sender          yes    yes        alone   alone  yes
        a bot                      yes    yes        yes     yes    yes
        oneself                    yes    yes        yes     yes    yes
      `,
    ))

  test('With direct_message_permission_group set to nobody, users can write only to bots and to themselves.', () =>
    sending(
      { direct_message_permission_group: SystemGroup.nobody },
      `
                     owner  moderator  member  guest  bot
        a stranger   off    off        off     off    yes
        a moderator  off    off        off     off    yes
        a bot        yes    yes        yes     yes    yes
        oneself      yes    yes        yes     yes    yes
      `,
    ))

  // 8.2: direct_message_initiator_group applies only to the sender of the first message of a conversation.
  test('Only users in direct_message_initiator_group can begin a conversation, and every participant can answer.', () =>
    sending(
      { direct_message_initiator_group: SystemGroup.moderators },
      `
                           owner  moderator  member  guest  bot
        a stranger         yes    yes        begin   begin  yes
        a moderator        yes    yes        begin   begin  yes
        an earlier sender  yes    yes        yes     yes    yes
        a bot              yes    yes        yes     yes    yes
        oneself            yes    yes        yes     yes    yes
      `,
    ))
})

describe('Access to a direct message', () => {
  /** The request of each row. */
  const actions: Record<string, (by: Person, id: number) => Promise<Answer>> = {
    'read it': (by, id) => call(by, 'GET', `/messages/${id}`),
    'react to it': (by, id) => call(by, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
    'star it': (by, id) => call(by, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    'see who read it': (by, id) => call(by, 'GET', `/messages/${id}/read_receipts`),
    'see its history': (by, id) => call(by, 'GET', `/messages/${id}/history`),
    'edit it': (by, id) => call(by, 'PATCH', `/messages/${id}`, { content: 'other words' }),
    'give it a topic': (by, id) => call(by, 'PATCH', `/messages/${id}`, { topic: 'lunch' }),
    'move it': (by, id) => call(by, 'PATCH', `/messages/${id}`, { stream_id: 1 }),
    'delete it': (by, id) => call(by, 'DELETE', `/messages/${id}`),
  }
  const changing = ['react to it', 'edit it', 'delete it']

  // 8.2 "Read", 8.3, 8.7: only the two participants have access, regardless of other permissions: here administrators
  // are in can_delete_any_message_group, and members in all groups for moving messages.
  test('Only the two participants can access a direct message.', async () => {
    await ok(founder, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hall' }] })
    const seen = async (id: number) =>
      JSON.stringify(await call(cast.peer, 'GET', `/messages/${id}`, { apply_markdown: false }))
    await walk(
      tableOf(`
                         sender     peer       founder  owner    administrator  moderator  member   guest    bot
        read it          yes        yes        invalid  invalid  invalid        invalid    invalid  invalid  invalid
        react to it      yes        yes        invalid  invalid  invalid        invalid    invalid  invalid  invalid
        star it          yes        yes        invalid  invalid  invalid        invalid    invalid  invalid  invalid
        see who read it  yes        yes        invalid  invalid  invalid        invalid    invalid  invalid  invalid
        see its history  yes        yes        invalid  invalid  invalid        invalid    invalid  invalid  invalid
        edit it          yes        foreign    invalid  invalid  invalid        invalid    invalid  invalid  invalid
        give it a topic  topicless  topicless  invalid  invalid  invalid        invalid    invalid  invalid  invalid
        move it          bound      bound      invalid  invalid  invalid        invalid    invalid  invalid  invalid
        delete it        yes        kept       invalid  invalid  invalid        invalid    invalid  invalid  invalid
      `),
      async (row, caller) => {
        const sender = await fresh()
        const { body } = await send(sender, [idOf('peer')])
        const id = body.id as number
        const before = await seen(id)
        const answer = await (actions[row] as (typeof actions)[string])(
          caller === 'sender' ? sender : (cast[caller] as Person),
          id,
        )
        const hasChanged = before !== (await seen(id))
        if (answer.status !== 200) return wordOf(answer, vocabulary) + (hasChanged ? '!changed' : '')
        return changing.includes(row) && !hasChanged ? 'nothing' : 'yes'
      },
      4,
    )
  }, 60_000)

  // 8.7: can_delete_any_message_group applies to direct messages of which the caller is a participant.
  test('A participant in can_delete_any_message_group can delete the message of the other participant.', async () => {
    await walk(tableOf('          administrator  moderator\n it goes  yes  kept'), async (_row, caller) => {
      const { body } = await send(await fresh(), [idOf(caller)])
      const answer = await call(cast[caller], 'DELETE', `/messages/${body.id}`)
      return answer.status === 200 ? 'yes' : wordOf(answer, vocabulary)
    })
  })
})

describe('Visibility of email addresses', () => {
  const visibility: Record<string, number> = { everyone: 1, members: 2, admins: 3, nobody: 4, moderators: 5 }

  // Section 14: who sees the real email address, and by which email address a caller can fetch the user.
  test('Only the roles that a user chose see their email address.', async () => {
    const targets = new Map<string, Person>()
    for (const [name, email_address_visibility] of Object.entries(visibility)) {
      const one = await fresh()
      await ok(one, 'PATCH', '/settings', { email_address_visibility })
      targets.set(name, one)
    }
    await walk(
      tableOf(`
                    owner  administrator  moderator  member  guest  bot   self
        everyone    real   real           real       real    real   real  real
        members     real   real           real       real    none   real  real
        moderators  real   real           real       none    none   none  real
        admins      real   real           none       none    none   none  real
        nobody      none   none           none       none    none   none  real
      `),
      async (row, caller) => {
        const target = targets.get(row) as Person
        const by = caller === 'self' ? target : (cast[caller] as Person)
        const { user } = await ok(by, 'GET', `/users/${target.user_id}`)
        const isFound = (await call(by, 'GET', `/users/${target.email}`)).status === 200
        const placeholder = `user${target.user_id}@${target.host}`
        const isRight = user.email === (row === 'everyone' ? target.email : placeholder)
        if (!isRight) return `[API address ${user.email}]`
        const isShown = user.delivery_email === target.email
        if (isShown !== isFound) return `[shown ${isShown}, found ${isFound}]`
        return isShown ? 'real' : user.delivery_email === null ? 'none' : `[${user.delivery_email}]`
      },
    )
  })

  // Section 14: all users see the email address of a bot, regardless of the default settings of new users.
  test('Every user sees the email address of a bot.', async () => {
    await walk(
      tableOf(`
               owner  administrator  moderator  member  guest  bot
        a bot  real   real           real       real    real   real
      `),
      async (_row, caller) => {
        const { user } = await ok(cast[caller], 'GET', `/users/${idOf('webhook-bot')}`)
        return user.delivery_email === 'hook-bot@example.com' ? 'real' : 'none'
      },
    )
  })
})

describe('Visibility of users', () => {
  // 10.1: where can_access_all_users_group is members, guests have access to users they share a channel or a
  // conversation with, to themselves and to bots. The access of other callers does not change.
  test('A restricted guest sees only bots and users they share a channel or a conversation with.', async () => {
    await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
    const [sharesChannel, sharesConversation, stranger] = [await fresh(), await fresh(), await fresh()]
    await ok(founder, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'room' }],
      principals: [sharesChannel.user_id, idOf('guest')],
      send_new_subscription_messages: false,
    })
    await ok(sharesConversation, 'POST', '/messages', { type: 'direct', to: [idOf('guest')], content: 'hello' })
    const targets: Record<string, number> = {
      'of the same channel': sharesChannel.user_id,
      'of a conversation': sharesConversation.user_id,
      'of neither': stranger.user_id,
      'a bot': idOf('bot'),
      oneself: 0,
    }
    const idFor = (row: string, caller: string) => (row === 'oneself' ? idOf(caller) : (targets[row] as number))
    const table = (hidden: string) => `
                           owner  moderator  member  guest      bot
      of the same channel  yes    yes        yes     yes        yes
      of a conversation    yes    yes        yes     yes        yes
      of neither           yes    yes        yes     ${hidden}  yes
      a bot                yes    yes        yes     yes        yes
      oneself              yes    yes        yes     yes        yes
    `
    // protocol/endpoints.md 3.7: the server refuses a hidden user by ID.
    await walk(tableOf(table('denied')), async (row, caller) => {
      const answer = await call(cast[caller], 'GET', `/users/${idFor(row, caller)}`)
      return answer.status === 200 ? 'yes' : wordOf(answer, vocabulary)
    })
    await walk(tableOf(table('unknown')), async (row, caller) => {
      const { members } = await ok(cast[caller], 'GET', '/users')
      const found = members.find(({ user_id }) => user_id === idFor(row, caller))
      if (found?.full_name === 'Unknown user') return found.delivery_email === null ? 'unknown' : 'leak'
      return found === undefined ? 'missing' : 'yes'
    })
    await walk(
      tableOf(table('unmet')),
      async (row, caller) => {
        const answer = await send(cast[caller] as Person, [idFor(row, caller)])
        return answer.status === 200 ? 'yes' : wordOf(answer, vocabulary)
      },
      1,
    )
    await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.everyone })
  })
})
