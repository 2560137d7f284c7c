/** An agent that would have another command for the tests: by files that tell of one, and by a config. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[L22] the tests are those of the base, whatever the worktree says of itself by then',
  {
    files: { 'a.txt': 'a\n', Makefile: 'test:\n\tgrep -q fixed a.txt\n' },
    runbook: `
      agents: { dev: { writes: ['**', '!Makefile'] } }
      steps:
        develop: { agent: dev, gate: { run: '\${run.test}', max: 0 }, next: done, on: { else: abandoned } }
    `,
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant('manifest', `echo '{"scripts":{"test":"${evil}"},"packageManager":"npm@1"}' > package.json`),
          plant('lock', 'touch pnpm-lock.yaml Cargo.toml'),
          plant('config', 'mkdir -p .signalbox && echo "commands: { test: true }" > .signalbox/config.yaml'),
        ],
      ],
    }),
  },
  async ({ run, fired }) => {
    expect(await run.end()).toBe('abandoned')
    const { placement } = await run.until('run.placed')
    expect(placement.commands).toEqual({ test: 'make test' })
    expect((await run.until('member.faulted')).detail).toContain('grep -q fixed a.txt')
    expect(await run.all('gate.passed')).toEqual([])
    expect(fired()).toBe(0)
  },
)
