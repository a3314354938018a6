/**
 * Permissions to change human users and bots (protocol/permissions.md 1, 10.2, 10.3 and 16). Every cell is tested over
 * the API.
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const vocabulary = {
  ...refusals,
  closed: '400 BAD_REQUEST: Only administrators may change … in this organization.',
  fixed: '400 BAD_REQUEST: Only administrators can change this field.',
}

const roles = {
  owner: Role.owner,
  administrator: Role.administrator,
  moderator: Role.moderator,
  member: Role.member,
  guest: Role.guest,
} as const
type RoleName = keyof typeof roles

let realm: TestRealm
/** The founder owns `bot` and `admin-bot`; `keeper` owns the bots that are changed. */
let cast: Record<string, Person>
let founder: Person

beforeAll(async () => {
  realm = await newRealm()
  const names = ['founder', ...Object.keys(roles), 'keeper']
  const people = await realm.people(
    ...names.map((full_name) => ({
      full_name,
      role: full_name === 'founder' ? Role.owner : (roles[full_name as RoleName] ?? Role.member),
    })),
  )
  cast = Object.fromEntries(names.map((name, i) => [name, people[i] as Person]))
  founder = people[0] as Person
  const bot = { type: BotType.generic, owner_id: founder.user_id }
  const [plain, strong] = (await realm.people(
    { full_name: 'bot', email: 'plain-bot@example.com', bot },
    { full_name: 'admin bot', email: 'strong-bot@example.com', role: Role.administrator, bot },
  )) as [Person, Person]
  Object.assign(cast, { bot: plain, 'admin-bot': strong })
})
afterAll(() => realm[Symbol.asyncDispose]())

const readUser = async (user_id: number): Promise<string> => {
  await realm.realm.barrier()
  const { users } = realm.realm.state
  return JSON.stringify(users.get(user_id))
}

let count = 0
/** Creates `number` users that no test has changed yet. */
const targets = (number: number, given: () => object): Promise<Person[]> =>
  realm.people(
    ...Array.from({ length: number }, () => ({
      full_name: `target ${++count}`,
      email: `target${count}@example.com`,
      ...given(),
    })),
  )

/** Tries a table with callers as columns and actions as rows. Each cell has its own user. */
const tryTable = async (
  text: string,
  given: (row: string) => object,
  ask: (by: Person, target: Person, row: string) => Promise<Answer>,
  prepare?: (row: string, target: Person) => Promise<unknown>,
) => {
  const table = tableOf(text)
  const found = new Map<string, Person>()
  for (const row of table.rows.keys()) {
    const made = await targets(table.columns.length, () => given(row))
    for (const [i, column] of table.columns.entries()) found.set(`${row}/${column}`, made[i] as Person)
    if (prepare !== undefined) await Promise.all(made.map((target) => prepare(row, target)))
  }
  await walk(table, async (row, caller) => {
    const target = found.get(`${row}/${caller}`) as Person
    const by = caller === 'self' ? target : (cast[caller] as Person)
    const before = await readUser(target.user_id)
    const answer = await ask(by, target, row)
    const after = await readUser(target.user_id)
    if (answer.status !== 200) return wordOf(answer, vocabulary) + (before === after ? '' : '!changed')
    return before === after ? 'nothing' : 'yes'
  })
}

describe('Changing human users', () => {
  // Section 1 "Granting", section 16: a caller grants roles up to their own; only owners change roles from and to
  // owner.
  test('Administrators can change roles up to their own, and only owners can change roles from and to owner.', async () => {
    await tryTable(
      `
                                    owner  administrator  admin-bot  moderator  member  guest   bot     self
        owner to administrator      yes    owner          owner      denied     denied  denied  denied  yes
        owner to moderator          yes    owner          owner      denied     denied  denied  denied  yes
        owner to member             yes    owner          owner      denied     denied  denied  denied  yes
        owner to guest              yes    owner          owner      denied     denied  denied  denied  yes
        administrator to owner      yes    owner          owner      denied     denied  denied  denied  owner
        administrator to moderator  yes    yes            yes        denied     denied  denied  denied  yes
        administrator to member     yes    yes            yes        denied     denied  denied  denied  yes
        administrator to guest      yes    yes            yes        denied     denied  denied  denied  yes
        moderator to owner          yes    owner          owner      denied     denied  denied  denied  denied
        moderator to administrator  yes    yes            yes        denied     denied  denied  denied  denied
        moderator to member         yes    yes            yes        denied     denied  denied  denied  denied
        moderator to guest          yes    yes            yes        denied     denied  denied  denied  denied
        member to owner             yes    owner          owner      denied     denied  denied  denied  denied
        member to administrator     yes    yes            yes        denied     denied  denied  denied  denied
        member to moderator         yes    yes            yes        denied     denied  denied  denied  denied
        member to guest             yes    yes            yes        denied     denied  denied  denied  denied
        guest to owner              yes    owner          owner      denied     denied  denied  denied  denied
        guest to administrator      yes    yes            yes        denied     denied  denied  denied  denied
        guest to moderator          yes    yes            yes        denied     denied  denied  denied  denied
        guest to member             yes    yes            yes        denied     denied  denied  denied  denied
      `,
      (row) => ({ role: roles[row.split(' to ')[0] as RoleName] }),
      (by, { user_id }, row) =>
        call(by, 'PATCH', `/users/${user_id}`, { role: roles[row.split(' to ')[1] as RoleName] }),
    )
  }, 60_000)

  // Section 16, protocol/endpoints.md 3.7: administrators rename every user; other users rename themselves in their own
  // settings.
  test('Only administrators can rename other users.', async () => {
    await tryTable(
      `
                       owner  administrator  admin-bot  moderator  member  guest   bot     self
        owner          yes    yes            yes        denied     denied  denied  denied  yes
        administrator  yes    yes            yes        denied     denied  denied  denied  yes
        moderator      yes    yes            yes        denied     denied  denied  denied  denied
        member         yes    yes            yes        denied     denied  denied  denied  denied
        guest          yes    yes            yes        denied     denied  denied  denied  denied
      `,
      (row) => ({ role: roles[row as RoleName] }),
      (by, { user_id }) => call(by, 'PATCH', `/users/${user_id}`, { full_name: `renamed ${++count}` }),
    )
  }, 60_000)

  // 10.3, section 16: only owners deactivate owners. Every user may leave with DELETE /users/me (next test).
  test('Only administrators can deactivate users, and only owners can deactivate owners.', async () => {
    await tryTable(
      `
                       owner  administrator  admin-bot  moderator  member  guest   bot
        owner          yes    owner          owner      denied     denied  denied  denied
        administrator  yes    yes            yes        denied     denied  denied  denied
        moderator      yes    yes            yes        denied     denied  denied  denied
        member         yes    yes            yes        denied     denied  denied  denied
        guest          yes    yes            yes        denied     denied  denied  denied
      `,
      (row) => ({ role: roles[row as RoleName] }),
      (by, { user_id }) => call(by, 'DELETE', `/users/${user_id}`),
    )
  }, 60_000)

  test('Every user can deactivate their own account.', async () => {
    await tryTable(
      `
                       self
        owner          yes
        administrator  yes
        moderator      yes
        member         yes
        guest          yes
      `,
      (row) => ({ role: roles[row as RoleName] }),
      (by) => call(by, 'DELETE', '/users/me'),
    )
  })

  test('Only administrators can reactivate users, and only owners can reactivate owners.', async () => {
    await tryTable(
      `
                       owner  administrator  admin-bot  moderator  member  guest   bot     self
        owner          yes    owner          owner      denied     denied  denied  denied  inactive
        administrator  yes    yes            yes        denied     denied  denied  denied  inactive
        moderator      yes    yes            yes        denied     denied  denied  denied  inactive
        member         yes    yes            yes        denied     denied  denied  denied  inactive
        guest          yes    yes            yes        denied     denied  denied  denied  inactive
      `,
      (row) => ({ role: roles[row as RoleName] }),
      (by, { user_id }) => call(by, 'POST', `/users/${user_id}/reactivate`),
      (_row, { user_id }) => ok(founder, 'DELETE', `/users/${user_id}`),
    )
  }, 60_000)

  // Section 16 has a flag per user for this and for creating users. No endpoint sets the flags, so every administrator
  // has them here.
  test('Only administrators can change the email addresses of users, and only owners those of owners.', async () => {
    await tryTable(
      `
                       owner  administrator  moderator  member  guest   bot     self
        owner          yes    owner          denied     denied  denied  denied  yes
        administrator  yes    yes            denied     denied  denied  denied  yes
        member         yes    yes            denied     denied  denied  denied  denied
      `,
      (row) => ({ role: roles[row as RoleName] }),
      (by, { user_id }) => call(by, 'PATCH', `/users/${user_id}`, { new_email: `moved${++count}@example.com` }),
    )
  })

  test('Only administrators can create users.', async () => {
    const table = tableOf(`
                  owner  administrator  admin-bot  moderator  member  guest  bot
      a member    yes    yes            yes        admin      admin   admin  admin
    `)
    await walk(table, async (_row, caller) => {
      const email = `made${++count}@example.com`
      const account = { email, full_name: `Made ${count}`, password: 'correct horse battery staple' }
      const answer = await call(cast[caller], 'POST', '/users', account)
      await realm.realm.barrier()
      const isThere = realm.realm.state.userByEmail(email)?.role === Role.member
      if (answer.status !== 200) return wordOf(answer, vocabulary) + (isThere ? '!changed' : '')
      return isThere ? 'yes' : 'nothing'
    })
  })
})

describe('Profile fields and locked settings', () => {
  let open = 0
  let fixed = 0
  beforeAll(async () => {
    const field = async (name: string, editable_by_user: boolean) =>
      (await ok(founder, 'POST', '/realm/profile_fields', { name, field_type: 1, editable_by_user })).id
    open = await field('Pet', true)
    fixed = await field('Desk', false)
  })

  // Section 13: administrators may edit fields that users may not edit, in their own profile too.
  test('Administrators can set every profile field of all users, and other users only editable fields of their own.', async () => {
    await tryTable(
      `
                        owner  administrator  moderator  member  guest   bot     self
        of a member     yes    yes            denied     denied  denied  denied  denied
        fixed           yes    yes            denied     denied  denied  denied  denied
      `,
      () => ({}),
      (by, { user_id }, row) =>
        call(by, 'PATCH', `/users/${user_id}`, {
          profile_data: [{ id: row === 'fixed' ? fixed : open, value: 'cat' }],
        }),
    )
    await tryTable(
      `
                              self
        owner                 yes
        owner, fixed          yes
        administrator         yes
        administrator, fixed  yes
        member                yes
        member, fixed         fixed
        guest                 yes
        guest, fixed          fixed
      `.replaceAll(', fixed', '-fixed'),
      (row) => ({ role: roles[row.split('-')[0] as RoleName] }),
      (by, _target, row) =>
        call(by, 'PATCH', '/users/me/profile_data', {
          data: [{ id: row.endsWith('-fixed') ? fixed : open, value: 'cat' }],
        }),
    )
  })

  // 4.4, protocol/endpoints.md 1.4: administrators are exempt. The server ignores a new name without an error when
  // names are locked.
  test('Only administrators can change their name, email address and avatar when the organization has locked them.', async () => {
    await updateRealmSettings(realm, {
      name_changes_disabled: true,
      email_changes_disabled: true,
      avatar_changes_disabled: true,
    })
    const table = (name: string, other: string) => `
                       self
        owner          ${name}
        administrator  ${name}
        moderator      ${other}
        member         ${other}
        guest          ${other}
      `
    const byRole = (row: string) => ({ role: roles[row as RoleName] })
    await tryTable(table('yes', 'nothing'), byRole, (by) =>
      call(by, 'PATCH', '/settings', { full_name: `renamed ${++count}` }),
    )
    // An email address changes only after the user confirms the mailed link.
    await tryTable(table('nothing', 'closed'), byRole, (by) =>
      call(by, 'PATCH', '/settings', { email: `moved${++count}@example.com` }),
    )
    await tryTable(table('yes', 'closed'), byRole, (by) => call(by, 'DELETE', '/users/me/avatar'))
    await updateRealmSettings(realm, {
      name_changes_disabled: false,
      email_changes_disabled: false,
      avatar_changes_disabled: false,
    })
  })
})

describe('Changing bots', () => {
  const ofKeeper = () => ({
    email: `target${++count}-bot@example.com`,
    bot: { type: BotType.generic, owner_id: cast.keeper?.user_id },
  })

  // 10.2, protocol/endpoints.md 3.8: the owner of the bot and administrators may change it; only administrators change
  // its role, and only owners of the organization make it an owner.
  test('The owner of a bot and administrators can change it, and only administrators can change its role.', async () => {
    const params: Record<string, object> = {
      name: { full_name: 'another name' },
      owner: {},
      moderator: { role: Role.moderator },
      'to be an owner': { role: Role.owner },
    }
    await tryTable(
      `
                        owner  administrator  keeper  moderator  member  guest  bot
        name            yes    yes            yes     denied     denied  guest  bot
        owner           yes    yes            yes     denied     denied  guest  bot
        moderator       yes    yes            admin   denied     denied  guest  bot
        to be an owner  yes    owner          owner   denied     denied  guest  bot
      `,
      ofKeeper,
      (by, { user_id }, row) =>
        call(by, 'PATCH', `/bots/${user_id}`, {
          ...(row === 'owner'
            ? { bot_owner_id: cast.member?.user_id }
            : { ...params[row], ...(row === 'name' ? { full_name: `renamed ${++count}` } : {}) }),
        }),
    )
  })

  test('The owner of a bot and administrators can regenerate its API key, deactivate it and reactivate it.', async () => {
    await tryTable(
      `
                        owner  administrator  keeper  moderator  member  guest   bot
        key             yes    yes            yes     denied     denied  guest   bot
        end             yes    yes            yes     denied     denied  guest   bot
        return          yes    yes            yes     denied     denied  denied  denied
      `,
      ofKeeper,
      (by, { user_id }, row) => {
        if (row === 'key') return call(by, 'POST', `/bots/${user_id}/api_key/regenerate`)
        return row === 'end' ? call(by, 'DELETE', `/bots/${user_id}`) : call(by, 'POST', `/users/${user_id}/reactivate`)
      },
      async (row, { user_id }) => {
        if (row === 'return') await ok(founder, 'DELETE', `/bots/${user_id}`)
      },
    )
  })

  test('The owner of a bot and administrators can rename it through the endpoint for users.', async () => {
    await tryTable(
      `
                owner  administrator  keeper  moderator  member  guest   bot
        name    yes    yes            yes     denied     denied  denied  denied
      `,
      ofKeeper,
      (by, { user_id }) => call(by, 'PATCH', `/users/${user_id}`, { full_name: `renamed ${++count}` }),
    )
  })
})
