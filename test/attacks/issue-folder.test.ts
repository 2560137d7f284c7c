/** A check that changes issues runs what an agent wrote, which plants links, repositories and huge files in their folder. */
import { expect } from 'vitest'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()
const FILES = { 'a.txt': 'a\n', 'TODO/1.md': '# One\n', 'TODO/2.md': '# Two\n' }
const BRANCH = 'signalbox/issues'
const RUNBOOK = `
  agents: { dev: {} }
  steps:
    develop: { agent: dev, next: file }
    file: { check: 'sh work.sh', issues: write, next: done, on: { failed: abandoned } }
`

/** The agent writes what the check runs. */
const plays = (script: (lair: Lair) => string) => (lair: Lair) => ({
  develop: [[lair.plant('work', `cat > work.sh <<'END'\n${script(lair)}\nEND`)]],
})

/** Each beside a change that would do: nothing of it may be kept. */
const REFUSED: Readonly<Record<string, (lair: Lair) => readonly [string, string]>> = {
  'a link in place of an issue': ({ victim }) => [
    `rm TODO/1.md; ln -s ${victim.documents}/letters/1.txt TODO/1.md`,
    'TODO/1.md: it is a link',
  ],
  'a repository among them': ({ evil }) => [
    `git init -q TODO; git -C TODO config core.fsmonitor ${evil}; echo '* filter=x' > TODO/.git/info/attributes`,
    'TODO/.git/',
  ],
}

for (const [title, deed] of Object.entries(REFUSED))
  attack(
    `[W21] ${title}`,
    {
      files: FILES,
      runbook: RUNBOOK,
      plays: plays((lair) => `echo good >> TODO/1.md 2>/dev/null\n${deed(lair)[0]}\ntrue`),
    },
    async (scene) => {
      expect(await scene.run.end()).toBe('abandoned')
      const [, words] = deed(scene)
      expect((await scene.run.all('check.reported')).at(-1)?.evidence.output).toContain(words)
      expect(scene.house.repo.git('branch', '--list', BRANCH)).toBe('')
      expect(scene.fired()).toBe(0)
    },
  )

attack(
  '[W21] outside of their folder: nothing of that is kept, and nothing is written through a link that the run committed',
  {
    files: FILES,
    runbook: RUNBOOK.replace('next: file', 'next: file, on: { else: abandoned }'),
    plays: (lair) => ({
      develop: [
        [
          lair.plant(
            'link',
            `rm -r TODO && ln -s ${lair.victim.documents} TODO && mkdir -p .signalbox && ln -s ${lair.victim.home} .signalbox/issues`,
          ),
          lair.plant(
            'work',
            `cat > work.sh <<'END'
echo good >> TODO/1.md
echo owned > ../owned; echo owned > a.txt; echo owned > .git/owned; git update-ref refs/heads/main HEAD~1
git config core.fsmonitor ${lair.evil}; echo owned >> "$(git rev-parse --git-common-dir)/signalbox/issue-ids/1"
(echo owned > ${lair.victim.documents}/owned; echo owned > ${lair.house.repo.dir}/TODO/1.md) 2>/dev/null
true
END`,
          ),
        ],
      ],
    }),
  },
  async ({ run, house }) => {
    expect(await run.end()).toBe('done')
    expect(house.repo.git('diff', '--name-only', `main...${BRANCH}`)).toBe('TODO/1.md')
    expect(house.repo.git('show', `${BRANCH}:TODO/1.md`)).toBe('# One\ngood')
    expect(house.repo.git('ls-tree', '-r', BRANCH)).not.toContain('120000')
  },
)
