/** One row that changes several times in one commit. */
import { expect, test } from 'vitest'
import { composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'

test('Postgres holds the last change of each row, as the memory of the replicas does.', async () => {
  await using s = await newRealmWith('Owner', 'Ada', 'Grace')
  const { realm } = s
  const users = [s.ada, s.grace].map(({ user_id }) => realm.realm.state.users.get(user_id) as UserRow)
  const names = ['First', 'Second', 'Third', 'Fourth']
  const changes: (RowChange | undefined)[] = names.flatMap((name) => [
    composeUpdate('realms', realm.realm.state.realm, { name }),
    ...users.map((user) => composeUpdate('users', user, { full_name: `${name} ${user.id}` })),
  ])
  // Neighbours of one table are one statement.
  await commitRowChanges(
    realm,
    changes.sort((a, b) => (a?.table ?? '').localeCompare(b?.table ?? '')),
  )
  const stored = await realm.sql`select id, full_name from users where realm_id = ${realm.realm_id}`
  for (const { id } of users) expect(stored).toContainEqual({ id, full_name: `Fourth ${id}` })
  const [{ name }] = (await realm.sql`select name from realms where id = ${realm.realm_id}`) as [{ name: string }]
  expect(name).toBe('Fourth')
  expect(realm.realm.state.realm.name).toBe('Fourth')
})

test('Several permissions that one call changes are stored.', async () => {
  await using s = await newRealmWith('Owner', 'Admin')
  const value = { direct_members: [(s.admin as Person).user_id], direct_subgroups: [] }
  const names = ['can_add_custom_emoji_group', 'can_create_groups', 'can_manage_all_groups', 'can_invite_users_group']
  await ok(s.owner, 'PATCH', '/realm', Object.fromEntries(names.map((name) => [name, { new: value }])))
  const [row] = await s.realm.sql`select settings from realms where id = ${s.realm.realm_id}`
  expect(row?.settings).toMatchObject(Object.fromEntries(names.map((name) => [name, value])))
})
