import { defineConfig } from 'vitest/config'

/** Programs of others, gigabytes of them, installed first: nothing else runs beside them. */
export default defineConfig({
  test: {
    globalSetup: 'test/programs.setup.ts',
    include: ['test/agents/**/*.test.ts'],
    // Some try a failing model again for minutes before they tell.
    testTimeout: 300_000,
    // Their hosts are closed after all of them, and each ends what it started.
    hookTimeout: 120_000,
    pool: 'forks',
    env: { PATIENCE_MS: '150000' },
  },
})
