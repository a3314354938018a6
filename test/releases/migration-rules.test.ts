/** Migrations run while gateways and workers of the previous release use the database. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { tables } from '../../src/domain/log/tables.js'
import { openSql } from '../../src/store/sql.js'
import { lintMigration, listAddedColumns, listNewMigrations } from './migration-rules.js'
import { findPreviousRelease, git } from './previous-release.js'

describe('A migration is refused that', () => {
  const refused: [name: string, text: string, fault: string][] = [
    ['drops a column', 'alter table messages drop column client;', 'ban-drop-column'],
    ['drops a table', 'drop table drafts;', 'ban-drop-table'],
    ['renames a column', 'alter table messages rename column client to program;', 'renaming-column'],
    ['renames a table', 'alter table drafts rename to notes;', 'renaming-table'],
    ['adds a required column', 'alter table messages add column mood text not null;', 'adding-required-field'],
    ['changes a type', 'alter table messages alter column topic type varchar(60);', 'changing-column-type'],
    ['requires a column', 'alter table messages alter column edit_history set not null;', 'adding-not-nullable-field'],
    ['adds a constraint', 'alter table messages add constraint c check (id > 0);', 'constraint-missing-not-valid'],
    ['adds a unique constraint', 'alter table messages add unique (id);', 'disallowed-unique-constraint'],
    [
      'blocks writes with an index',
      'create index i on messages (realm_id, client);',
      'require-concurrent-index-creation',
    ],
    ['drops an index with a lock', 'drop index messages_channel;', 'require-concurrent-index-deletion'],
    [
      'computes a default',
      'alter table users add column tag uuid default gen_random_uuid();',
      'adding-field-with-default',
    ],
    ['changes all rows at once', "update messages set client = 'x';", 'Rows of messages are changed outside'],
    ['deletes rows', 'delete from jobs where done_at is null;', 'Rows of jobs are changed outside'],
    [
      'validates with other locks',
      'alter table users add column nick text; alter table messages validate constraint c;',
      'A constraint is validated in a step of its own',
    ],
    [
      'cannot build its index twice',
      '-- step: concurrently\ncreate index concurrently i on messages (client);',
      'if it does not exist',
    ],
    [
      'breaks a rule without a reason',
      '-- squawk-ignore ban-drop-column\nalter table messages drop column client;',
      'needs the line "-- contract: unused since v…"',
    ],
  ]
  test.each(refused)('%s', (_, text, fault) => {
    expect(lintMigration('0999_refused.sql', text).join('\n')).toContain(fault)
  })
})

test('A migration is accepted that adds tables, columns with defaults, backfills, and indexes concurrently.', () => {
  const text = `-- What it is for.
-- step: transaction
create table moods (realm_id int not null, id int not null, name text not null, primary key (realm_id, id));
create index moods_name on moods (realm_id, name);
insert into moods (realm_id, id, name) select id, 1, 'good' from realms;
alter table messages add column mood int;
alter table messages add column is_loud boolean not null default false;
alter table messages add constraint loud_or_not check (mood <> 0) not valid;
-- step: backfill messages
update messages set mood = 1 where mood is null and :batch;
-- step: transaction
alter table messages validate constraint loud_or_not;
-- step: concurrently
create index concurrently if not exists messages_mood on messages (realm_id, mood, id);`
  expect(lintMigration('0999_accepted.sql', text)).toEqual([])
  const contract = `-- contract: unused since v0.1.0
-- squawk-ignore ban-drop-column
alter table messages drop column client;`
  expect(lintMigration('0999_contract.sql', contract)).toEqual([])
})

test('Every migration after the first release can run while the previous release works.', () => {
  const faults = listNewMigrations().flatMap(({ name, text }) =>
    lintMigration(name, text).map((fault) => `${name}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test('No migration of the previous release was changed.', ({ skip }) => {
  const release = findPreviousRelease()
  if ('missing' in release) return skip(release.missing)
  const folder = 'src/store/migrations'
  const names = git(['ls-tree', '--name-only', release.commit, `${folder}/`])
    .split('\n')
    .filter((path) => path.endsWith('.sql'))
  expect(names.length).toBeGreaterThan(50)
  const changed = names.filter(
    (path) => git(['show', `${release.commit}:${path}`]) !== readFileSync(join(root, path), 'utf8'),
  )
  expect(changed).toEqual([])
})

test('Every column that was added to a structural table is declared with its default, for rows of other releases.', async () => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  for (const { table, column } of listAddedColumns()) {
    if (!Object.hasOwn(tables, table)) continue
    const [row] = await sql<{ text: string | null }[]>`
      select column_default as text from information_schema.columns
      where table_name = ${table} and column_name = ${column}`
    const [found] = await sql.unsafe(`select to_jsonb(${row?.text ?? 'null::int'}) as value`)
    const { addedColumns = {} } = tables[table as keyof typeof tables]
    expect(addedColumns, `${table}.${column} in domain/log/tables.ts`).toHaveProperty(column, found?.value)
  }
})
