import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files whose tests take long. Begun among the last, they would go on alone. */
const long = [
  'read-your-writes',
  'jobs',
  'python-follow',
  'exactly-once-delivery',
  'unreadable-messages',
  'narrow-query-plans',
  'scheduled-messages',
]

/** Vitest begins with what took longest; on a fresh clone, where it knows nothing of that, with the largest files. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`/${name}.test.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    // A process per file, so that a test may kill what it likes and open what it likes.
    pool: 'forks',
    // Vitest would leave a core free. But a test mostly waits: for processes, for Postgres, for terminals.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongFirst },
    testTimeout: 20_000,
    // CI machines are shared and stall for seconds: a test that fails there runs once more, and the report says so.
    retry: process.env.CI === 'true' ? 1 : 0,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
