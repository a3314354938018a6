import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    // A process per file, so that a test may kill what it likes and open what it likes.
    pool: 'forks',
    // Most of a test's time is waiting for processes, for Postgres and for terminals: two cores do four files at once.
    maxWorkers: Math.max(4, availableParallelism()),
    testTimeout: 20_000,
    // CI machines are shared and stall for seconds: a test that fails there runs once more, and the report says so.
    retry: process.env.CI === 'true' ? 1 : 0,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
