/**
 * Credentials of owners and of bots with the role of owner: no administrator gets hold of them, and the owner of an
 * account is mailed when another account changes its address or key. Source: protocol/permissions.md 1, 10.2 and 16.
 */
import { describe, expect, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { readRefusal } from '../setup/realm/refusals.js'
import { sendRequest } from '../setup/requests/raw-request.js'

let count = 0
const newAddress = () => `credentials-${process.pid}-${++count}@example.com`

/** An organization whose owner has a bot with the role of owner. */
const setUp = async () => {
  const realm = await newRealm()
  const [owner, admin, ada] = (await realm.people(
    { full_name: 'Owner', role: Role.owner, email: newAddress() },
    { full_name: 'Admin', role: Role.administrator, email: newAddress() },
    { full_name: 'Ada', email: newAddress() },
  )) as [Person, Person, Person]
  const bot = async (full_name: string, keeper: Person, role: number) => {
    const of = { type: BotType.generic, owner_id: keeper.user_id }
    return ((await realm.people({ full_name, role, bot: of })) as [Person])[0]
  }
  const strong = await bot('strong bot', owner, Role.owner)
  return { realm, owner, admin, ada, strong, bot, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const ownersOnly = {
  status: 400,
  code: 'UNAUTHORIZED_PRINCIPAL',
  msg: 'Only owners of the organization may do this.',
}

const refusalTo = (...given: Parameters<typeof call>) => readRefusal(call(...given))

const botsSeenBy = async (person: Person) =>
  (await ok(person, 'POST', '/register', { fetch_event_types: ['realm_bot'] })).realm_bots as {
    user_id: number
    api_key: string
  }[]

describe('An administrator and the credentials of an owner', () => {
  test('An administrator cannot change the email address of an owner, and an owner can.', async () => {
    await using s = await setUp()
    const [other] = (await s.realm.people({ full_name: 'Other', role: Role.owner })) as [Person]
    const path = `/users/${other.user_id}`
    expect(await refusalTo(s.admin, 'PATCH', path, { new_email: newAddress() })).toEqual(ownersOnly)
    expect(await refusalTo(s.admin, 'PATCH', `/users/${other.email}`, { new_email: newAddress() })).toEqual(ownersOnly)
    expect((await ok(s.admin, 'GET', path)).user).toMatchObject({ delivery_email: other.email })
    await ok(s.owner, 'PATCH', path, { new_email: newAddress() })
  })

  test('An administrator does not see the API key of a bot that is an owner, and cannot administer the bot.', async () => {
    await using s = await setUp()
    const path = `/bots/${s.strong.user_id}`
    expect(await refusalTo(s.admin, 'POST', `${path}/api_key/regenerate`)).toEqual(ownersOnly)
    expect(await refusalTo(s.admin, 'PATCH', path, { bot_owner_id: s.admin.user_id })).toEqual(ownersOnly)
    expect(await refusalTo(s.admin, 'PATCH', `/users/${s.strong.user_id}`, { new_email: newAddress() })).toEqual(
      ownersOnly,
    )
    expect(await refusalTo(s.admin, 'DELETE', path)).toEqual(ownersOnly)
    expect((await botsSeenBy(s.admin)).map(({ user_id }) => user_id)).not.toContain(s.strong.user_id)
    expect(await botsSeenBy(s.owner)).toContainEqual(expect.objectContaining({ user_id: s.strong.user_id }))
    await ok(s.owner, 'POST', `${path}/api_key/regenerate`)
  })

  test('An administrator who owned a bot before it became an owner has no valid API key of it.', async () => {
    await using s = await setUp()
    const bot = await s.bot('promoted bot', s.admin, Role.member)
    const types = { event_types: ['realm_bot'] }
    const [owner, admin] = [await listen(s.owner, types), await listen(s.admin, types)]
    await ok(s.owner, 'PATCH', `/bots/${bot.user_id}`, { role: Role.owner })

    const { user_id } = bot
    expect(await admin.events()).toMatchObject([{ op: 'delete', bot: { user_id } }])
    const [event] = (await owner.events()) as unknown as { bot: { api_key: string } }[]
    const api_key = event?.bot.api_key as string
    expect((await call(bot, 'GET', '/users/me')).status).toBe(401)
    expect(await ok({ ...bot, api_key }, 'GET', '/users/me')).toMatchObject({ user_id, role: Role.owner })
    expect(await ok(s.admin, 'GET', '/bots')).toMatchObject({ bots: [] })
    expect(await botsSeenBy(s.admin)).toEqual([])
    expect(await refusalTo(s.admin, 'POST', `/bots/${user_id}/api_key/regenerate`)).toEqual(ownersOnly)

    await ok(s.owner, 'PATCH', `/bots/${user_id}`, { role: Role.member })
    expect((await admin.events()).at(-1)).toMatchObject({ op: 'add', bot: { user_id, owner_id: s.admin.user_id } })
    expect(await botsSeenBy(s.admin)).toMatchObject([{ user_id }])
  })

  test('An administrator who becomes an owner receives the bots that are owners, and loses them with the role.', async () => {
    await using s = await setUp()
    const admin = await listen(s.admin, { event_types: ['realm_bot'] })
    await ok(s.owner, 'PATCH', `/users/${s.admin.user_id}`, { role: Role.owner })
    await ok(s.owner, 'PATCH', `/users/${s.admin.user_id}`, { role: Role.administrator })
    const { user_id } = s.strong
    expect(await admin.events()).toMatchObject([
      { op: 'add', bot: { user_id } },
      { op: 'delete', bot: { user_id } },
    ])
  })

  test('An administrator does not see the join URL of an invitation for an owner.', async () => {
    await using s = await setUp()
    const { invite_link } = await ok(s.owner, 'POST', '/invites/multiuse', { invite_as: Role.owner })
    const listed = async (person: Person) =>
      (await ok(person, 'GET', '/invites')).invites.map(({ link_url }) => link_url)
    expect(await listed(s.admin)).toEqual([undefined])
    expect(await listed(s.owner)).toEqual([invite_link])
  })

  test('An invitation for a role above that of its inviter is no longer valid.', async () => {
    await using s = await setUp()
    const [other] = (await s.realm.people({ full_name: 'Other', role: Role.owner })) as [Person]
    const { invite_link } = await ok(other, 'POST', '/invites/multiuse', { invite_as: Role.owner })
    const path = new URL(invite_link).pathname
    const open = () => sendRequest(Number(new URL(anyGateway()).port), { path, host: s.realm.host })
    expect((await open()).status).toBe(200)
    await ok(s.owner, 'PATCH', `/users/${other.user_id}`, { role: Role.administrator })
    expect((await open()).status).toBe(404)
    expect((await ok(s.owner, 'GET', '/invites')).invites).toEqual([])
  })
})

describe('Mails about changed credentials', () => {
  test('A user is mailed at the old and the new address when an administrator changes the address.', async () => {
    await using s = await setUp()
    const new_email = newAddress()
    await ok(s.admin, 'PATCH', `/users/${s.ada.user_id}`, { new_email })
    for (const address of [s.ada.email, new_email]) {
      const [mail] = (await waitForMails(address)) as [string]
      expect(mail).toContain('Admin changed the address of your account')
      expect(mail).toContain(new_email)
    }
  })

  test('The owner of a bot is mailed when another user regenerates its API key, and not when the owner does.', async () => {
    await using s = await setUp()
    const bot = await s.bot('plain bot', s.ada, Role.member)
    await ok(s.ada, 'POST', `/bots/${bot.user_id}/api_key/regenerate`)
    expect(readMails(s.ada.email)).toEqual([])
    await ok(s.admin, 'POST', `/bots/${bot.user_id}/api_key/regenerate`)
    const [mail] = (await waitForMails(s.ada.email)) as [string]
    expect(mail).toContain('Admin replaced the API key of your bot plain bot')
  })

  test('The owner of a bot is mailed when the bot becomes an owner, because its API key changes.', async () => {
    await using s = await setUp()
    const bot = await s.bot('plain bot', s.ada, Role.member)
    await ok(s.owner, 'PATCH', `/users/${bot.user_id}`, { role: Role.owner })
    expect((await waitForMails(s.ada.email))[0]).toContain('Owner replaced the API key of your bot plain bot')
  })
})
