import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Several real hosts and agents at once in each file. Not beside the rest: what they serve shows on the whole machine, and a sandbox
 * allows less where the sockets of others are in reach.
 */
const HOSTS = ['test/{host,attacks,chaos}/**/*.test.ts', 'test/field-*.test.ts']

/** What takes all it gets until it is ended: meanwhile nobody else may be able to start a process. */
const STORMS = ['test/attacks/fork-bomb.test.ts', 'src/drivers/sandbox/limits.test.ts']

/** What plants files in the system before a sandbox is looked for: no other file may have looked in the same process. */
const PLANTED = ['test/attacks/credentials.test.ts']

/** A host and a browser each. Two at a time: each waits for the other's process half of the time. */
const BROWSERS = ['test/web/*.test.ts']

/** What takes longest: it begins first, or one worker goes on with it alone when all else is done. */
const LONG = [
  ...[
    'oracle',
    'runs-cli',
    'decisions-cli',
    'cli',
    'policies',
    'examples',
    'fingerprint',
    'demo',
    'put-back',
  ],
  ...['crash', 'decisions', 'faults', 'judgement', 'boundaries', 'answers', 'gates', 'preparation'],
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONG.indexOf(basename(moduleId, '.test.ts'))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

const group = (
  name: string,
  order: number,
  files: { include: string[]; exclude: string[]; workers: number; isolate?: boolean },
) => ({
  extends: true as const,
  test: {
    name,
    include: files.include,
    exclude: files.exclude,
    maxWorkers: files.workers,
    isolate: files.isolate ?? false,
    sequence: { groupOrder: order },
  },
})

/** `test/agents` is not in it: `npm run test:agents` has those. */
export default defineConfig({
  test: {
    globalSetup: 'test/programs.setup.ts',
    testTimeout: 120_000,
    // Hosts that are closed after a file end what they started; on a busy machine that is no matter of ten seconds.
    hookTimeout: 120_000,
    reporters: ['default', './test/attacks/attacks.reporter.ts'],
    // Not threads: a process starts another the slower the larger it is, and these start thousands.
    pool: 'forks',
    // No module keeps anything from one file to the next; loading them all anew for each took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      group('parts', 0, {
        include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/oracle/*.test.ts'],
        exclude: [...HOSTS, ...STORMS],
        workers: 2,
      }),
      group('hosts', 1, { include: HOSTS, exclude: [...STORMS, ...PLANTED], workers: 2 }),
      group('planted', 1, { include: PLANTED, exclude: [], workers: 2, isolate: true }),
      group('browsers', 2, { include: BROWSERS, exclude: [], workers: 2 }),
      group('storms', 3, { include: STORMS, exclude: [], workers: 1 }),
    ],
  },
})
