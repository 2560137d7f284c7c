import { defineConfig } from 'vitest/config'

/** Programs of others, about a gigabyte of them, installed first: nothing else runs beside them. */
export default defineConfig({
  test: {
    globalSetup: 'test/programs.setup.ts',
    include: ['test/agents/**/*.test.ts'],
    testTimeout: 120_000,
    // Their hosts are closed after all of them, and each ends what it started.
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
