/** Permissions to invite users (protocol/permissions.md 11). Every cell is tested over the API. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'

const vocabulary = {
  ...refusals,
  administrators:
    '400 BAD_REQUEST: Insufficient permission: only administrators of the organization may invite into this role.',
  'no-channel': '400 BAD_REQUEST: There is no channel with ID …, or you have no access to it: no invitation was sent.',
  'no-right': '400 BAD_REQUEST: You do not have permission to subscribe other users to channels.',
  'no-group': '400 BAD_REQUEST: There is no such user group.',
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
  const names = ['founder', ...Object.keys(roles), 'steward']
  const people = await realm.people(
    ...names.map((full_name) => ({
      full_name,
      role: full_name === 'founder' ? Role.owner : (roles[full_name as 'owner'] ?? Role.member),
    })),
  )
  cast = Object.fromEntries(names.map((name, i) => [name, people[i] as Person]))
  founder = people[0] as Person
  const [bot] = (await realm.people({
    full_name: 'bot',
    email: 'plain-bot@example.com',
    bot: { type: BotType.generic, owner_id: founder.user_id },
  })) as [Person]
  cast.bot = bot
})
afterAll(() => realm[Symbol.asyncDispose]())

const invites = async (by: Person = founder) => (await ok(by, 'GET', '/invites')).invites

/** Invites a new email address, and checks whether the invitation exists. */
const invite = async (by: Person, params: Record<string, unknown>): Promise<string> => {
  const email = `new${++count}@example.com`
  const answer = await call(by, 'POST', '/invites', { invitee_emails: email, stream_ids: [], ...params })
  const made = (await invites()).find((one) => one.email === email)
  if (answer.status !== 200) return wordOf(answer, vocabulary) + (made === undefined ? '' : '!sent')
  return made?.invited_as === (params.invite_as ?? Role.member) ? 'yes' : 'nothing'
}

const invitingAs = async (text: string) =>
  walk(tableOf(text), (row, caller) => invite(cast[caller] as Person, { invite_as: roles[row as 'owner'] }))

describe('Email invitations', () => {
  // 11.1: only owners invite owners, and only administrators invite administrators. The API document (Authentication,
  // rule 4) lets every user grant roles up to their own, so moderators may invite moderators: a difference, see
  // protocol/endpoints.md 1.10.
  test('Where members may invite, a user can invite to roles up to their own.', () =>
    invitingAs(`
                     owner  administrator  moderator       member          guest   bot
      owner          yes    owner          owner           owner           denied  denied
      administrator  yes    yes            administrators  administrators  denied  denied
      moderator      yes    yes            yes             administrators  denied  denied
      member         yes    yes            yes             yes             denied  denied
      guest          yes    yes            yes             yes             denied  denied
    `))

  test('Where only moderators may invite, a member cannot invite, and others can invite to roles up to their own.', async () => {
    await updateRealmSettings(realm, { can_invite_users_group: SystemGroup.moderators })
    await invitingAs(`
                     owner  administrator  moderator       member  guest   bot
      owner          yes    owner          owner           denied  denied  denied
      administrator  yes    yes            administrators  denied  denied  denied
      moderator      yes    yes            yes             denied  denied  denied
      member         yes    yes            yes             denied  denied  denied
      guest          yes    yes            yes             denied  denied  denied
    `)
    await updateRealmSettings(realm, { can_invite_users_group: SystemGroup.members })
  })

  // The API document, endpoint 10: who may not subscribe others names no channel, and may ask for the default ones.
  test('A user can invite only to channels and groups to which they may add users, and to all default channels.', async () => {
    const make = async (name: string, params: object, ...people: string[]) => {
      await ok(founder, 'POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [founder, ...people.map((one) => cast[one] as Person)].map((one) => one.user_id),
        send_new_subscription_messages: false,
        ...params,
      })
      return (await ok(founder, 'GET', '/get_stream_id', { stream: name })).stream_id
    }
    const hall = await make('hall', {})
    const lobby = await make('lobby', { is_default_stream: true })
    const own = await make('own', {}, 'member')
    await updateChannelRow(realm, 'own', {
      can_add_subscribers_group: { direct_members: [cast.member?.user_id as number], direct_subgroups: [] },
    })
    const vault = await make('vault', { invite_only: true }, 'steward', 'moderator')
    const group = async (name: string, can_add_members_group: unknown) =>
      (
        await ok(founder, 'POST', '/user_groups/create', {
          name,
          description: '',
          members: [],
          can_add_members_group,
        })
      ).group_id
    const team = await group('team', {
      direct_members: [cast.steward?.user_id],
      direct_subgroups: [],
    })
    await updateRealmSettings(realm, {
      can_add_subscribers_group: { direct_members: [cast.steward?.user_id as number], direct_subgroups: [] },
    })
    const params: Record<string, object> = {
      'a public channel': { stream_ids: [hall] },
      'a default channel': { stream_ids: [lobby] },
      'one without right': { stream_ids: [own, lobby] },
      'an own channel': { stream_ids: [own] },
      'a private channel': { stream_ids: [vault] },
      'no channel': { stream_ids: [999_999] },
      'all default channels': { include_realm_default_subscriptions: true },
      'a group': { group_ids: [team] },
      'a system group': { group_ids: [SystemGroup.moderators] },
      'no group': { group_ids: [999_999] },
    }
    await walk(
      tableOf(`
                              owner       administrator  moderator   member      steward
        a public channel      yes         yes            no-right    no-right    yes
        a default channel     yes         yes            no-right    no-right    yes
        an own channel        yes         yes            no-right    yes         yes
        one without right     yes         yes            no-right    no-right    yes
        a private channel     no-channel  no-channel     no-right    no-channel  yes
        no channel            no-channel  no-channel     no-channel  no-channel  no-channel
        all default channels  yes         yes            yes         yes         yes
        a group               yes         denied         denied      denied      yes
        a system group        no-group    no-group       no-group    no-group    no-group
        no group              no-group    no-group       no-group    no-group    no-group
      `),
      (row, caller) => invite(cast[caller] as Person, { ...params[row] }),
    )
  })
})

describe('Reusable invitation links', () => {
  // 11.1: requires create_multiuse_invite_group, administrators by default; roles as in email invitations.
  test('A user in create_multiuse_invite_group can create links for roles up to their own.', async () => {
    const link = async (row: string, caller: string) => {
      const invite_as = roles[row as 'owner']
      const before = (await invites()).length
      const answer = await call(cast[caller], 'POST', '/invites/multiuse', { invite_as })
      const after = (await invites()).length
      if (answer.status !== 200) return wordOf(answer, vocabulary) + (before === after ? '' : '!changed')
      return after === before + 1 ? 'yes' : 'nothing'
    }
    await walk(
      tableOf(`
                       owner  administrator  moderator  member  guest   bot
        owner          yes    owner          denied     denied  denied  denied
        administrator  yes    yes            denied     denied  denied  denied
        moderator      yes    yes            denied     denied  denied  denied
        member         yes    yes            denied     denied  denied  denied
        guest          yes    yes            denied     denied  denied  denied
      `),
      link,
      1,
    )
    await updateRealmSettings(realm, { create_multiuse_invite_group: SystemGroup.members })
    await walk(
      tableOf(`
                       owner  administrator  moderator       member          guest   bot
        owner          yes    owner          owner           owner           denied  denied
        administrator  yes    yes            administrators  administrators  denied  denied
        moderator      yes    yes            yes             administrators  denied  denied
        member         yes    yes            yes             yes             denied  denied
        guest          yes    yes            yes             yes             denied  denied
      `),
      link,
      1,
    )
  })
})

describe('Managing invitations', () => {
  const makers: Record<string, (by: Person, invite_as: number) => Promise<Answer>> = {
    mail: (by, invite_as) =>
      call(by, 'POST', '/invites', { invitee_emails: `new${++count}@example.com`, stream_ids: [], invite_as }),
    link: (by, invite_as) => call(by, 'POST', '/invites/multiuse', { invite_as }),
  }

  /** Creates an invitation of the kind. @returns its ID */
  const made = async (kind: string, by: Person, invite_as: number): Promise<number> => {
    const answer = await (makers[kind] as (typeof makers)[string])(by, invite_as)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    const ids = (await invites()).filter(({ is_multiuse }) => is_multiuse === (kind === 'link')).map(({ id }) => id)
    return Math.max(...ids)
  }

  const actions: Record<string, (by: Person, id: number) => Promise<Answer>> = {
    'mail revoked': (by, id) => call(by, 'DELETE', `/invites/${id}`),
    'mail sent again': (by, id) => call(by, 'POST', `/invites/${id}/resend`),
    'link revoked': (by, id) => call(by, 'DELETE', `/invites/multiuse/${id}`),
  }

  // 11.1: the inviter and administrators; for invitations of owners only owners. The error for a missing role has its
  // own code (section 17).
  test('The inviter and administrators can revoke and resend an invitation, and only owners one for owners.', async () => {
    const table = tableOf(
      `
                               owner  administrator  moderator  member  steward  guest  bot
      member: mail revoked     yes    yes            admin      admin   yes      guest  bot
      member: mail sent again  yes    yes            admin      admin   yes      guest  bot
      member: link revoked     yes    yes            admin      admin   yes      guest  bot
      owner: mail revoked      yes    owner          admin      admin   admin    guest  bot
      owner: mail sent again   yes    owner          admin      admin   admin    guest  bot
      owner: link revoked      yes    owner          admin      admin   admin    guest  bot
    `,
    )
    await walk(
      table,
      async (row, caller) => {
        const [as, action] = row.split(': ') as [string, string]
        // The steward is the inviter, except for invitations of owners, which only owners can create.
        const inviter = as === 'owner' ? founder : (cast.steward as Person)
        const id = await made(action.split(' ')[0] as string, inviter, roles[as as 'owner'])
        const isThere = async () =>
          (await invites()).some((one) => one.id === id && one.is_multiuse === action.startsWith('link'))
        const answer = await (actions[action] as (typeof actions)[string])(cast[caller] as Person, id)
        const stays = await isThere()
        if (answer.status !== 200) return wordOf(answer, vocabulary) + (stays ? '' : '!changed')
        return stays === action.endsWith('again') ? 'yes' : 'nothing'
      },
      1,
    )
  }, 60_000)

  // 11.1: administrators see all invitations, other users their own.
  test('Only the inviter and administrators see an invitation in their list.', async () => {
    const mine = await made('mail', cast.member as Person, Role.member)
    const table = tableOf(`
                     owner  administrator  moderator  member  steward
      of the member  yes    yes            no         yes     no
    `)
    await walk(table, async (_row, caller) => {
      const ids = (await invites(cast[caller])).filter(({ is_multiuse }) => !is_multiuse).map(({ id }) => id)
      return ids.includes(mine) ? 'yes' : 'no'
    })
  })
})
