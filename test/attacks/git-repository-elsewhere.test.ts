/** Repositories that are not simply in a folder of the worktree: behind a link, out of sight, or where the host moved them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'
import { bare, DECIDED, decide, lookIn, nested } from './nested-repository.fixture.ts'

const attack = attacks()

attack(
  '[W26] behind a link to a folder that only agents know',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, `${lair.dir}/elsewhere`)),
          lair.plant(
            'link',
            `mkdir -p ${lair.dir}/elsewhere/inner && ln -s ${lair.dir}/elsewhere/inner vendor`,
          ),
          lair.plant('relative', `ln -s "$(realpath --relative-to=. ${lair.dir}/elsewhere)" second`),
          lair.plant(
            'home',
            `mkdir -p "$HOME/own" && ${nested(lair, '"$HOME/own"')} && cd - && ln -s "$HOME/own" third`,
          ),
          lair.plant('fire', 'for each in vendor second third; do git -C $each status; done; true'),
        ],
      ],
    }),
  },
  (scene) => decide(scene, 'vendor', 'second', 'third'),
)

attack(
  '[W26] in a folder that can be entered and not listed',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'outer/hidden')),
          lair.plant('fire', 'git -C outer/hidden status; true'),
          lair.plant('hide', 'chmod 0311 outer/hidden && chmod 0111 outer'),
        ],
      ],
    }),
  },
  async (scene) => {
    await decide(scene, 'outer/hidden')
    for (const folder of ['outer', 'outer/hidden']) chmodSync(join(scene.run.work.dir, folder), 0o755)
    expect(readdirSync(join(scene.run.work.dir, 'outer/hidden'))).toEqual(['file'])
  },
)

attack(
  '[W26] where what was moved out of the worktree is kept',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'part')),
          lair.plant(
            'work',
            'git -C part config core.bare false; git -C part config core.worktree "$PWD/part"',
          ),
          lair.plant('fire', 'git -C part status; true'),
        ],
      ],
    }),
  },
  async (scene) => {
    const { run, house, fired } = scene
    await decide(scene)
    const before = fired()
    const aside = join(house.home.grounds, basename(run.work.dir), 'aside')
    const kept = readdirSync(aside)
    expect(kept).toHaveLength(1)
    for (const each of kept) spawnSync('git', ['status'], { cwd: join(aside, each), stdio: 'ignore' })
    lookIn(scene)
    expect(fired()).toBe(before)
  },
)

attack(
  '[W26] under a name that is not UTF-8, as a link, and in folders that cannot be written',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant(
            'odd',
            `odd=$(printf 'odd\\377') && mkdir "$odd" && ${nested(lair, '"$odd/part"')} && cd ../.. && ${bare(lair, '"$odd/bare"')}`,
          ),
          lair.plant('moved', `${nested(lair, 'one')} && mv .git ../real && ln -s ../real .git`),
          lair.plant('locked', `${nested(lair, 'two/three')} && cd - && chmod -R a-w two`),
          lair.plant('fire', 'for each in odd*/part one two/three; do git -C "$each" status; done; true'),
        ],
      ],
    }),
  },
  async (scene) => {
    const { run } = scene
    await run.question()
    spawnSync('sh', ['-c', 'mv odd* odd'], { cwd: run.work.dir })
    await decide(scene, 'odd/part', 'odd/bare', 'one', 'two/three')
    // An ordinary user could not remove it after the test.
    spawnSync('chmod', ['-R', 'u+w', 'two'], { cwd: run.work.dir })
  },
)
