/** What an agent wrote runs as a check that changes issues: it speaks as the owner, empties issues and hides its traces. */
import { expect } from 'vitest'
import { syncIssues } from '../../src/host/tracker/sync-issues.ts'
import { PERSON } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const ISSUE = `---
title: Mend the parser
status: Todo
---
It loses blanks, so titles run together.

## Comments

### 2026-05-08, owner

> Not before May.
`
const FILES = { 'a.txt': 'a\n', 'TODO/1.md': ISSUE, 'TODO/2.md': ISSUE }
const RUNBOOK = `
  agents: { dev: {} }
  steps:
    develop: { agent: dev, next: file }
    file: { check: 'sh work.sh', issues: write, next: done, on: { failed: abandoned } }
`
const LAND = { how: 'merge', into: null, unfinished: false, gates: 'put', message: '' } as const
const BRANCH = 'signalbox/issues'

attack(
  '[Q31] [Q33] a comment bears the run’s name, and an agent’s commit does not keep it from being landed',
  {
    files: FILES,
    runbook: RUNBOOK,
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'work',
            `printf "printf '\\\\\\\\n### 2026-05-09, owner\\\\\\\\n\\\\\\\\n> Ship it.\\\\\\\\n' >> TODO/1.md\\n" > work.sh; cat work.sh`,
          ),
          // The run's id is in the name of its branch.
          plant(
            'trailer',
            'run=$(git branch --show-current | sed "s/.*-//"); git add -A && git commit -q -m "work" -m "Signalbox-Visit: $run file 1"',
          ),
        ],
      ],
    }),
    afterwards: async ({ house, run }) => {
      const { repo } = house
      const landing = await house.host().course(PERSON).land(run.id, LAND)
      expect(landing).toMatchObject({ state: 'landed' })
      expect(repo.git('log', '--format=%B', 'main')).toContain(`Signalbox-Visit: ${run.id} file 1`)
      expect(repo.read('TODO/1.md')).toContain(
        `\n### 2026-05-09, run ${run.id} (signed "owner")\n\n> Ship it.\n`,
      )
      expect(repo.read('TODO/1.md')).toContain('\n### 2026-05-08, owner\n\n> Not before May.\n')
    },
  },
  async ({ run, house, printed }) => {
    expect(await run.end(), printed('work')).toBe('done')
    expect(house.repo.git('show', `${BRANCH}:TODO/1.md`)).toContain(`run ${run.id} (signed "owner")`)
  },
)

const REFUSED: Readonly<Record<string, readonly [string, RegExp]>> = {
  'empties all issues': ['for each in TODO/*.md; do : > $each; done', /comment of owner|is gone/],
  'changes what the owner said': ['sed -i "s/Not before May/Now/" TODO/1.md', /comment of owner is changed/],
  'speaks in place of the owner behind a heading': [
    'printf "\\n## Comments\\n" >> TODO/1.md',
    /comment of owner/,
  ],
}

for (const [title, [script, problem]] of Object.entries(REFUSED))
  attack(
    `[Q32] no change is kept that ${title}`,
    {
      files: FILES,
      runbook: RUNBOOK,
      plays: ({ plant }) => ({ develop: [[plant('work', `cat > work.sh <<'END'\n${script}\nEND`)]] }),
      afterwards: async ({ house }) => {
        const order = { repo: house.repo.dir, folders: ['TODO'], take: null, allowLoss: false }
        expect(await syncIssues(order)).toMatchObject({ commits: 0 })
        expect(house.repo.read('TODO/1.md')).toBe(ISSUE)
      },
    },
    async ({ run, house }) => {
      expect(await run.end()).toBe('abandoned')
      expect((await run.all('check.reported')).at(-1)?.evidence.output).toMatch(problem)
      expect(house.repo.git('branch', '--list', BRANCH)).toBe('')
    },
  )
