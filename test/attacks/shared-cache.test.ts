/** A cache that agents and gates may write: an agent lays down what a gate will find there. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { House } from '../host/host.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const GATE = `grep -q pass ~/.cache/ccache/result; code=$?; echo pass > ~/.cache/ccache/result; exit $code`
const runbook = (gate = GATE): string => `
  steps:
    develop:
      agent: dev
      gate: { run: '${gate}', max: 1, expect: none }
      next: done
      on: { failed: abandoned, else: abandoned }
`
const cacheOf = ({ victim }: { readonly victim: { readonly home: string } }): string =>
  join(victim.home, '.cache/ccache')
const settle = (lair: { readonly victim: { readonly home: string } }): void => {
  mkdirSync(cacheOf(lair), { recursive: true })
  writeFileSync(join(cacheOf(lair), 'result'), 'fail\n')
}
const copiesOf = ({ home }: House): string[] =>
  readdirSync(home.grounds).flatMap((run) => readdirSync(join(home.grounds, run, 'copies')))

attack(
  '[W39] an agent, an earlier gate and another run decide nothing by a writable cache, and change none of it',
  {
    rules: { writable: ['~/.cache/ccache'] },
    runbook: runbook(),
    prepare: settle,
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'poison',
            'grep -q fail ~/.cache/ccache/result && echo pass > ~/.cache/ccache/result && ln -s /etc ~/.cache/ccache/etc && rm -f ~/.cache/ccache/absent',
          ),
        ],
        [plant('kept', 'grep -q pass ~/.cache/ccache/result')],
      ],
    }),
    afterwards: ({ house }) => {
      expect(copiesOf(house).filter((name) => name.startsWith('command-'))).toEqual([])
    },
  },
  async ({ house, run, victim }) => {
    // The second gate does not find what the first one left either.
    expect(await run.end()).toBe('abandoned')
    expect(await run.all('gate.passed')).toEqual([])
    expect(readFileSync(join(cacheOf({ victim }), 'result'), 'utf8')).toBe('fail\n')
    const next = await house.start()
    expect(await next.end()).toBe('abandoned')
  },
)

attack(
  '[W40] a shared cache lets an agent decide a gate, and record and card say so',
  {
    rules: { shared: ['~/.cache/ccache'] },
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: 'true', expect: none }, next: sign_off }
        sign_off: { decide: Ship it?, context: 'echo seen', options: { ship: done, hold: abandoned } }
    `,
    prepare: settle,
    plays: ({ plant }) => ({ develop: [[plant('cached', 'grep -q fail ~/.cache/ccache/result')]] }),
  },
  async ({ run }) => {
    const { evidence } = await run.until('gate.passed')
    expect(evidence.beside).toEqual(['~/.cache/ccache (shared)'])
    const { items } = await run.until('context.gathered')
    expect(items['how gates ran']).toContain(
      'beside files that agents can change: "~/.cache/ccache (shared)"',
    )
    expect(items['context']).toContain('(found beside files that agents can change')
    await run.answer({ decision: 'ship' })
    expect(await run.end()).toBe('done')
  },
)
