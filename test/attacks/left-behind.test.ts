/** Processes that leave their session, their parents, their environment and their folder, to outlive the agent. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { eventually } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
/** So long that nobody else sleeps for it. */
const LONG = `${700_000 + process.pid}`

const sleepers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`sleep\0${LONG}`)
    } catch {
      return false
    }
  })

attack(
  '[D9] none is left when the visit is over',
  {
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'leave',
            `setsid sh -c '(cd / && env -i /bin/sh -c "trap : TERM HUP; sleep ${LONG}1 & sleep ${LONG}2" &) &' > /dev/null 2>&1`,
          ),
          plant('daemon', `(setsid env -i sleep ${LONG}3 < /dev/null > /dev/null 2>&1 &)`),
          plant(
            'see',
            `until [ $(ps ax 2>/dev/null | grep -c '[s]leep ${LONG}' || ls /proc | wc -l) -ge 3 ]; do :; done`,
          ),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
    await eventually(sleepers).toEqual([])
  },
)
