/** An agent spreads a secret in forms and places that erasing does not reach. Nothing may be called erased that is not. */
import { expect } from 'vitest'
import { PERSON } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const SECRET = 'pässwort-4f9a77c1'
const ORDER = { text: SECRET, also: [], reason: 'leaked', dry: false }
/** The script that the attack itself is kept in is no place of Signalbox's. */
const said = (report: object): string =>
  'remains' in report ? (report.remains as string[]).join('\n') : JSON.stringify(report)

attack(
  '[J15] [J16] [J17] a secret in commits, objects, names and encodings is told until the last of it is gone',
  {
    files: { 'a.txt': 'a\n', '.gitignore': 'cache\n' },
    runbook: 'steps: { develop: { agent: dev, next: done } }',
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'commit',
            `echo more >> a.txt && git -c user.name=A -c user.email=a@x commit -qam 'Use ${SECRET}'`,
          ),
          plant('dropped', `printf '${SECRET}' | git hash-object -w --stdin`),
          plant('encoded', `mkdir -p cache && printf 'xx${SECRET}${SECRET}' | base64 -w 16 > cache/blob`),
          plant('wide', `printf '${SECRET}' | iconv -f UTF-8 -t UTF-16BE > cache/wide`),
          plant('escaped', `printf '\\\\u0070\\\\u00E4\\\\u0073swort-4f9a77c1' > cache/escaped.json`),
          plant(
            'own',
            `git init -q cache/own && printf '${SECRET}' | git -C cache/own hash-object -w --stdin`,
          ),
          plant('name', `touch cache/${SECRET}`),
        ],
      ],
    }),
    afterwards: async ({ house, run }) => {
      const host = house.host()
      const erase = () => host.erase(ORDER, PERSON).then(said)
      const { branch, gitDir } = (await run.until('run.placed')).placement
      const first = await erase()
      for (const place of [
        'cache/blob',
        'cache/wide',
        'cache/escaped.json',
        `cache/${SECRET} has it in its name`,
      ])
        expect(first).toContain(place)
      expect(first).toContain(`refs/heads/${branch} has it. To remove it: signalbox erase --run ${run.id}`)
      expect(first).toMatch(/repositories of the run in \S+ have it in their objects/)

      house.repo.git('merge', '-q', '--no-edit', branch)
      expect(await host.discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
      const merged = await erase()
      expect(merged).toContain('commits of yours have it (main)')
      expect(merged).not.toContain('cache/')

      house.repo.git('update-ref', 'refs/signalbox/discarded/x', 'main')
      house.repo.git('branch', 'signalbox/issues', 'main')
      house.repo.git('reset', '-q', '--hard', 'main~1')
      const kept = await erase()
      expect(kept).toContain('refs/signalbox/discarded/x has it. To remove it: git -C')
      expect(kept).toContain('refs/heads/signalbox/issues has it')
      expect(kept).not.toContain('of yours')

      house.repo.git('update-ref', '-d', 'refs/signalbox/discarded/x')
      house.repo.git('branch', '-q', '-D', 'signalbox/issues')
      expect(await erase()).toMatch(/^Objects of \S+ that no branch has have it until: git -C/)
      house.repo.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
      house.repo.git('gc', '-q', '--prune=now')
      expect(gitDir).toContain(house.repo.dir)
      expect(await erase()).toBe('')
    },
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)
