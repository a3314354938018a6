/**
 * The rules of migrations that run while the previous release works: squawk's, and ours.
 *
 * A step that removes what the previous release does not use any more says so: `-- contract: unused since v1.2.0`, and
 * `-- squawk-ignore RULE` before the statement.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/dev/root.js'
import { type MigrationStep, parseSteps } from '../../src/store/migration-steps.js'

const folder = join(root, 'src/store/migrations')
/** The last migration of the first release. No database was in use before. */
const LAST_OF_FIRST_RELEASE = '0160_sessions.sql'

/** The migrations after the first release. */
export const listNewMigrations = (): { name: string; text: string }[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && name > LAST_OF_FIRST_RELEASE)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

const notOurs = [
  // The runner sets a timeout for locks. A timeout for statements would end the wait for a standby.
  'require-lock-timeout',
  'require-statement-timeout',
  'require-timeout-settings',
  // Ids are numbers of one organization.
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  // The runner records each step in the transaction of the step.
  'prefer-robust-stmts',
]

/** What is wrong with a migration, one line for each fault. */
export const lintMigration = (name: string, text: string): string[] => {
  const steps = parseSteps(name, text)
  const created = new Set(
    [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim)].map(([, t]) => t),
  )
  const isContract = /^-- contract: unused since v\d+\.\d+\.\d+/m.test(text)
  return [
    ...(/squawk-ignore/.test(text) && !isContract
      ? ['A step that breaks a rule needs the line "-- contract: unused since v…".']
      : []),
    ...steps.flatMap((step) => [...lintStep(step, created), ...runSquawk(step)]),
  ]
}

const lintStep = (step: MigrationStep, created: ReadonlySet<string | undefined>): string[] => {
  const sql = step.text.replace(/--.*$/gm, '')
  const statements = sql.split(';').flatMap((statement) => statement.trim().toLowerCase() || [])
  if (step.kind === 'concurrently') {
    return [
      ...(statements.length === 1 ? [] : ['A concurrent step has one statement.']),
      ...statements.flatMap((statement) =>
        /^(create (unique )?index concurrently if not exists|drop index concurrently if exists) /.test(statement)
          ? []
          : ['A concurrent step creates an index if it does not exist, or drops one if it exists.'],
      ),
    ]
  }
  if (step.kind === 'backfill') return statements.length === 1 ? [] : ['A backfill has one statement.']
  return statements.flatMap((statement) => {
    const written = /^(?:with\b.*?\b)?(?:update|delete from|truncate(?: table)?|insert into) (?:only )?(\w+)/s.exec(
      statement,
    )?.[1]
    if (written !== undefined && !created.has(written)) return [`Rows of ${written} are changed outside of a backfill.`]
    if (/\bvalidate constraint\b/.test(statement) && statements.length > 1)
      return ['A constraint is validated in a step of its own: other locks would be held meanwhile.']
    return []
  })
}

const runSquawk = ({ kind, text }: MigrationStep): string[] => {
  const done = spawnSync(
    process.execPath,
    [
      join(root, 'test/node_modules/squawk-cli/js/bin/squawk'),
      ...['--reporter', 'json', '--pg-version', '16', '--stdin-filepath', 'step.sql', '--exclude', notOurs.join()],
      kind === 'transaction' ? '--assume-in-transaction' : '--no-assume-in-transaction',
    ],
    { input: text.replaceAll(':batch', 'true'), encoding: 'utf8' },
  )
  if (done.stdout === '') throw new Error(`squawk failed: ${done.stderr}`)
  const found = JSON.parse(done.stdout) as { rule_name: string; message: string }[]
  return found.map(({ rule_name, message }) => `${rule_name}: ${message}`)
}

/** The columns that migrations after the first release add. */
export const listAddedColumns = (): { table: string; column: string }[] =>
  listNewMigrations().flatMap(({ text }) =>
    text
      .replace(/--.*$/gm, '')
      .split(';')
      .flatMap((statement) => {
        const table = /^\s*alter table (?:if exists )?(\w+)/i.exec(statement)?.[1]
        if (table === undefined) return []
        const columns = statement.matchAll(/\badd column (?:if not exists )?(\w+)/gi)
        return [...columns].map(([, column = '']) => ({ table, column }))
      }),
  )
