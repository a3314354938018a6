/** Callers who guess addresses do not learn whose they are. */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { startGateway } from '../setup/processes/processes.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const setUp = async () => {
  const realm = await newRealm()
  const [owner, ada, grace, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person, Person]
  return { realm, owner, ada, grace, guest, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const absent = 'nobody.at.all@example.com'
const range = { anchor: 'newest', num_before: 5, num_after: 0 }

test('A visitor finds no person by an address, in every form of a narrow, and finds them by id and placeholder.', async () => {
  await using s = await setUp()
  await updateRealmSettings(s.realm, {
    enable_spectator_access: true,
    can_create_web_public_channel_group: SystemGroup.owners,
  })
  const open = await createChannel(s.owner, 'open', [s.owner, s.ada], { is_web_public: true })
  const id = await postMessage(s.ada, open, 'plans', 'hello')
  const ask = (operator: string, operand: string | number, negated = false) =>
    call(
      undefined,
      'GET',
      '/messages',
      {
        ...range,
        narrow: [
          { operator: 'channels', operand: 'web-public' },
          { operator, operand, negated },
        ],
      },
      { host: s.owner.host },
    )
  const tell = async (operator: string, address: string, negated: boolean) => {
    const { status, body } = await ask(operator, address, negated)
    return [status, JSON.stringify(body).replaceAll(address, 'ADDRESS')]
  }
  for (const operator of ['sender', 'from', 'dm', 'pm-with', 'dm-including']) {
    for (const negated of [false, true]) {
      for (const address of [s.ada.email, s.ada.email.toUpperCase(), s.guest.email]) {
        expect(await tell(operator, address, negated), operator).toEqual(await tell(operator, absent, negated))
      }
    }
  }
  const { body } = await ask('sender', s.ada.user_id)
  expect(body).toMatchObject({ messages: [{ id }] })
  const [{ sender_email } = { sender_email: '' }] = body.messages as { sender_email: string }[]
  expect((await ask('sender', sender_email)).body).toMatchObject({ messages: [{ id }] })
})

test('A guest who may not see an account does not find it by its address.', async () => {
  await using s = await setUp()
  await updateRealmSettings(s.realm, { can_access_all_users_group: SystemGroup.members })
  const own = await sendDirectMessage(s.guest, [s.guest], 'x')
  const narrow = (operator: string, operand: unknown) => [{ operator, operand }]
  const forms = (email: string) =>
    [
      ...['sender', 'dm', 'dm-including', 'group-pm-with', 'mentions'].flatMap(
        (operator) =>
          [
            ['GET', '/messages', { ...range, narrow: narrow(operator, email) }],
            ['GET', '/messages/matches_narrow', { msg_ids: [own], narrow: narrow(operator, email) }],
            ['POST', '/messages/flags/narrow', { ...range, op: 'add', flag: 'read', narrow: narrow(operator, email) }],
          ] as const,
      ),
      ['GET', `/users/${email}`, {}],
      ['GET', `/users/${email}/presence`, {}],
      ['PATCH', `/users/${email}`, { full_name: 'Other' }],
      ['POST', '/messages', { type: 'direct', to: [email], content: 'x' }],
      ['POST', '/messages', { type: 'private', to: email, content: 'x' }],
    ] as const
  const tell = async (email: string) => {
    const answers: unknown[] = []
    for (const [method, path, params] of forms(email)) {
      const { status, body } = await call(s.guest, method, path, params)
      answers.push([path.replace(email, 'ADDRESS'), status, JSON.stringify(body).replaceAll(email, 'ADDRESS')])
    }
    return answers
  }
  expect(await tell(s.ada.email)).toEqual(await tell(absent))
  // With a conversation, they know each other.
  await sendDirectMessage(s.ada, [s.guest], 'hello')
  const { messages } = await ok(s.guest, 'GET', '/messages', { ...range, narrow: narrow('sender', s.ada.email) })
  expect(messages).toHaveLength(1)
  await ok(s.guest, 'POST', '/messages', { type: 'direct', to: [s.ada.email], content: 'hello' })
})

test('An administrator who tests hidden addresses is refused after some answers, whatever the next address is.', async () => {
  await using s = await setUp()
  const [admin, hidden] = (await s.realm.people(
    { full_name: 'Admin', role: Role.administrator },
    { full_name: 'Hidden', settings: { email_address_visibility: 4 } },
  )) as [Person, Person]
  await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES: 'address_tests_by_user=2/3600' })
  const at = { url: gateway.url }
  const create = async (email: string) => {
    const params = { email, full_name: 'New', password: 'weak' }
    const { status, body } = await call(admin, 'POST', '/users', params, at)
    return [status, body.code ?? body.result]
  }
  const rename = async (new_email: string) =>
    (await call(admin, 'PATCH', `/users/${s.ada.user_id}`, { new_email }, at)).status
  // What the administrator may see, and free addresses, count for nothing.
  for (let n = 0; n < 4; n++) expect(await create(s.grace.email)).toEqual([400, 'BAD_REQUEST'])
  for (let n = 0; n < 4; n++) expect(await create(absent)).toEqual([400, 'BAD_REQUEST'])
  expect(await create(hidden.email)).toEqual([400, 'BAD_REQUEST'])
  expect(await rename(hidden.email)).toBe(400)
  for (const email of [hidden.email, absent, s.grace.email]) {
    expect(await create(email)).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(await rename(email)).toBe(429)
  }
})
