/** The user's own filter is a program of the project, and the agent rewrites it: git runs it on every file it looks at. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { attacks, type Lair, type Plan, type Scene } from './attack.fixture.ts'

const attack = attacks()

const FILES = {
  'a.txt': 'a\n',
  'check.sh': 'grep -q fixed a.txt\n',
  'tools/tidy': '#!/bin/sh\nexec cat\n',
  '.gitattributes': '*.txt filter=tidy\n',
}

const useFilter = ({ house: { repo } }: Lair): void => {
  repo.git('config', 'filter.tidy.clean', 'sh tools/tidy')
  repo.git('config', 'filter.tidy.smudge', 'sh tools/tidy')
}

/** Writes wherever it can, and says so in what it filters, so that the attack is seen to have taken place. */
const GREEDY = `#!/bin/sh
cat
for each in "$GIT_DIR" "$GIT_DIR"/../*/ "$PWD" "\${GIT_INDEX_FILE%/*}"; do
  [ -f "$each/config" ] && printf '[merge "x"]\\n\\tdriver = echo owned\\n' >> "$each/config"
  echo 'exit 0' > "$each/check.sh"
  cp /bin/true "$each/hooks/post-merge"
done 2>/dev/null
echo filtered
`

const GATED: Partial<Plan> = {
  files: FILES,
  prepare: useFilter,
  runbook: `
    agents: { dev: { writes: ['a.txt', 'tools/**'] } }
    steps:
      develop: { agent: dev, gate: { run: sh check.sh, max: 0 }, next: done, on: { else: abandoned } }
  `,
}

const storeConfig = ({ house, run }: Scene): string =>
  readFileSync(join(house.home.grounds, basename(run.work.dir), 'store.git/config'), 'utf8')

attack(
  '[W9] FIELD 34: a filter that the user trusts becomes the agent’s program',
  {
    files: FILES,
    prepare: useFilter,
    plays: ({ plant, evil }) => ({
      develop: [[plant('rewrite', `cp ${evil} tools/tidy && echo more >> a.txt && touch new.txt`)]],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    // By the host, but where the agent is.
    expect(fired() + Number(git('show', 'HEAD:a.txt') === 'a\nmore')).toBeGreaterThan(0)
  },
)

attack(
  '[W27] it changes no repository of the host’s, and no file but its own in what a gate judges',
  {
    ...GATED,
    plays: ({ plant }) => ({
      develop: [[plant('rewrite', `cat > tools/tidy <<'END'\n${GREEDY}END\necho broken > a.txt`)]],
    }),
  },
  async (scene) => {
    const { run, git } = scene
    expect(await run.end()).toBe('abandoned')
    expect(await run.all('gate.passed')).toEqual([])
    expect(git('show', 'HEAD:a.txt')).toContain('filtered')
    expect(git('show', 'HEAD:check.sh')).toBe(FILES['check.sh'].trimEnd())
    expect(storeConfig(scene)).not.toContain('driver')
    expect(existsSync(join(run.work.dir, '.git'))).toBe(true)
  },
)
