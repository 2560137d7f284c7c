import { defineConfig } from 'vitest/config'

/** Several real hosts and agents at once in each file. */
const HOSTS = ['test/{host,attacks}/**/*.test.ts', 'test/field-*.test.ts']
/** Kills, and programs that take all they get: nothing beside them. */
const STORMS = ['test/{chaos,agents}/**/*.test.ts']

const group = (
  name: string,
  order: number,
  files: { include: string[]; exclude?: string[]; workers: number },
) => ({
  extends: true as const,
  test: {
    name,
    include: files.include,
    ...(files.exclude === undefined ? {} : { exclude: files.exclude }),
    maxWorkers: files.workers,
    sequence: { groupOrder: order },
  },
})

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/attacks/attacks.reporter.ts'],
    // Not threads: a process starts another the slower the larger it is, and these start thousands.
    pool: 'forks',
    // No module keeps anything from one file to the next; loading them all anew for each took a third of the time.
    isolate: false,
    projects: [
      group('parts', 0, {
        include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/oracle/*.test.ts'],
        exclude: HOSTS,
        workers: 2,
      }),
      group('hosts', 1, { include: HOSTS, workers: 2 }),
      group('storms', 2, { include: STORMS, workers: 1 }),
    ],
  },
})
