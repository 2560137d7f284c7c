/**
 * The host is killed with -9 in the middle of its duties, over runs of five flows at once, while the world does what it can;
 * nothing that was told is lost or done twice. CHAOS_KILLS says how often.
 */
import { describe } from 'vitest'
import { MOMENTS, peopleOfRuns } from './people.fixture.ts'
import { openProject } from './project.fixture.ts'
import { SCRIPTS } from './scripts.fixture.ts'
import { describeStorms } from './suite.fixture.ts'
import { kindsOf } from './under-way.fixture.ts'

const sandbox = process.env['CHAOS_SANDBOX'] === 'auto' ? 'auto' : 'off'

describe('a host that is killed', () => {
  describeStorms({
    name: 'chaos',
    claim:
      '[E2] [E4] [E5] [K1] [K2] [K3] [K4] [K5] [K6] [K9] loses nothing, does nothing twice and ends every run',
    kills: Number(process.env['CHAOS_KILLS'] ?? 8),
    runs: { few: 2, many: 4 },
    open: () => openProject({ sandbox, scripts: () => SCRIPTS }),
    storm: () => ({ people: peopleOfRuns, moments: MOMENTS, kinds: kindsOf('runs') }),
  })
})
