import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    // Tests that wait for processes leave their core to others; by default one core would stand idle.
    maxWorkers: 2,
  },
})
