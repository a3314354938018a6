import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
// @ts-expect-error A script, without types.
import { installPackages } from './scripts/clone/packages.mjs'
// @ts-expect-error A script, without types.
import { prepareInPlace } from './scripts/prepare.mjs'

// Tests load dist/. `npm test` has compiled it before; `npx vitest` and the test runner of an editor have not.
await prepareInPlace('npm test')
installPackages('test')

/** Small files whose tests take long. If they started last, they would run alone at the end. */
const long = [
  'bench/smoke',
  'clients/python-follow',
  'deploy/database-roles',
  'deploy/install',
  'deploy/pgbouncer',
  'docs/recipes',
  'drills/large-migration',
  'event-subscriptions/failing-receiver',
  'events/exactly-once-delivery',
  'events/read-your-writes',
  'events/revoked-credentials',
  'files/image-decoding',
  'http/endpoint-contract',
  'jobs/jobs',
  'messages/narrow-query-plans',
  'messages/scheduled-messages',
  'messages/unreadable-messages',
  'monitoring/postgres-outages',
  'monitoring/warnings',
  'permissions/matrix-channel-group-settings',
  'redis/redis-access',
  'redis/redis-cluster',
  'redis/redis-sentinel',
  'reference/page',
  'web/back-forward',
  'web/contrast',
  'web/outages',
  'web/small-signs',
  'web/views',
]

/** Starts the files above first. Vitest sorts the others by their last duration, or by size on a fresh clone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`/${name}.test.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const root = fileURLToPath(new URL('.', import.meta.url))
const escapedRoot = root.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** By a relative path, or by an absolute one. */
const importOfSource = new RegExp(`^(?:(?:\\.\\./)+|${escapedRoot})src/(.*)\\.[jt]s$`)
/** By such a path, or by the name that the sources use. */
const importOfRules = new RegExp(`^(?:(?:(?:\\.\\./)+|${escapedRoot})rules/src|#rules)/(.*)\\.[jt]s$`)

export default defineConfig({
  // Tests import the sources. They get the compiled files, which Node loads in a third of the time that Vitest takes to
  // transform and evaluate the sources again for each test file. The processes of the fleet run bundles of the same
  // build.
  resolve: {
    alias: [
      { find: importOfSource, replacement: `${root}dist/$1.js` },
      { find: importOfRules, replacement: `${root}dist/rules/$1.js` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [new RegExp(`^${escapedRoot}dist/`)] } },
    execArgv: ['--enable-source-maps'],
    globalSetup: ['test/setup/global.ts'],
    pool: 'forks',
    // A process runs many files, one after the other, and keeps what it has imported: to load the programs and the test
    // runner again took a third of the time of files without a browser. A file leaves no state and no process behind.
    isolate: false,
    setupFiles: ['test/setup/each-file.ts'],
    // By default, Vitest leaves one core free. Tests wait for processes, timers and Postgres for a part of their time:
    // on two cores, two at a time left an eighth of the CPU unused, and three a fifth.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 20_000,
    // A second, the default, passes without any progress on a machine that stalls.
    expect: { poll: { timeout: 10_000 } },
    // CI machines are shared and stall for seconds: a failed test runs once more there, and .ci/run lists it.
    retry: process.env.CI === 'true' ? 1 : 0,
    // That list shows what a test expected and got, which is cut after 40 characters otherwise.
    chaiConfig: { truncateThreshold: 1_000 },
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
