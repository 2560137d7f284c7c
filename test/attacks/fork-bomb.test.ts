/** Processes and memory without end. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[D16] a fork bomb is ended whole, and told as what it is',
  {
    rules: { limits: { processes: 60, memoryBytes: null, openFiles: null } },
    plays: ({ plant }) => ({
      develop: [
        // It doubles, as such a bomb does, but not for ever: what fails to end it must not take the machine along.
        [
          plant('begin', 'true'),
          {
            run: 'bomb() { if [ $1 -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 60; }; bomb 8',
          },
          { hang: true },
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
    expect((await run.until('member.faulted')).detail).toContain(
      'more processes and threads than it may (60)',
    )
  },
)

attack(
  '[D16] a hog of memory is ended whole, and told as what it is',
  {
    rules: { limits: { processes: null, memoryBytes: 512 * 1024 * 1024, openFiles: null } },
    plays: ({ plant }) => ({
      develop: [
        [
          plant('begin', 'true'),
          {
            // Each less than one process may have, and they stay: whoever looks at the sum cannot miss it.
            run: `for i in 1 2 3; do perl -e 'my @all; push @all, "x" x 10_000_000 for 1 .. 30; sleep 100' & done; wait`,
          },
          { hang: true },
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
    expect((await run.until('member.faulted')).detail).toMatch(/more memory than it may/)
  },
)
