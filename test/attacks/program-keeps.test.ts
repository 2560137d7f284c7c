/** What a program is said to keep would open Signalbox's home, the user's, or whatever an agent made a link to. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks, lairOf } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[X4] neither its own data, nor what a link of an agent’s leads to',
  {
    runbook: `
      steps:
        plant: { agent: dev, next: develop }
        develop: { agent: dev, next: done, on: { else: abandoned } }
    `,
    keeps: (ground) => [join(ground, 'lair')],
    programFor: (_, scripted, agentFile) => {
      const script = scripted.argv.at(-1)!
      const lair = lairOf(script)
      const ground = join(lair, '..')
      return {
        ...scripted,
        driver: 'acp',
        argv: [process.execPath, agentFile, ...scripted.argv, '--state', lair],
        keeps: [
          lair,
          join(ground, 'home'),
          join(ground, 'home/../home/answers'),
          join(lair, 'link'),
          join(lair, 'deep/link'),
        ],
      }
    },
    plays: ({ plant, steal, dir, victim, house: { home } }) => ({
      plant: [
        [
          plant(
            'link',
            `ln -sfn ${victim.home}/.ssh ${dir}/link && mkdir -p ${dir}/deep && ln -sfn ${home.dir} ${dir}/deep/link`,
          ),
        ],
      ],
      develop: [
        [
          steal('home', `cat ${home.door} ${home.secret}`),
          steal(
            'keys',
            `cat ${victim.home}/.ssh/id_ed25519 ${dir}/link/id_ed25519 ${dir}/deep/link/host.json`,
          ),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)
