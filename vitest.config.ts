import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    pool: 'threads',
    // One file at a time: many tests start real hosts and agents, which need the other core.
    maxWorkers: 1,
  },
})
