/** Output without end: of the agent's words, of a tool, of a gate, in files that are to be kept. */
import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { logFile } from '../../src/host/machine/log.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const MIB = 1024 * 1024

attack(
  '[X10] the log stays small, and so does what is kept',
  {
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: 'yes ${'x'.repeat(1000)} | head -c ${80 * MIB}', expect: none }, next: done, on: { else: abandoned } }
    `,
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'kept',
            `head -c ${20 * MIB} /dev/zero > .signalbox/run/large && for nth in $(seq 210); do echo $nth > .signalbox/run/$nth; done`,
          ),
          { repeat: { times: 20, do: [{ say: 'x'.repeat(100_000) }] } },
        ],
      ],
    }),
  },
  async ({ run, house }) => {
    expect(await run.end()).toBe('done')
    expect(statSync(logFile(house.home.logs, run.id)).size).toBeLessThan(65 * MIB)
    expect((await run.all('artifact.kept')).length).toBeLessThanOrEqual(200)
    expect((await run.until('gate.passed')).evidence.output.length).toBeLessThan(MIB)
  },
)
