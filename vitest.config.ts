import { defineConfig } from 'vitest/config'

/** Several real hosts and agents at once in each file: one file at a time. */
const HOSTS = ['test/{host,chaos,agents}/**/*.test.ts', 'test/field-*.test.ts']

export default defineConfig({
  test: {
    testTimeout: 120_000,
    pool: 'threads',
    // No module keeps anything from one file to the next; loading them all anew for each took a third of the time.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: HOSTS,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'hosts', include: HOSTS, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
