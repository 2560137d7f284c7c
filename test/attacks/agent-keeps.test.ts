/** An agent wants what it leaves among its settings, sessions and logins to be found by the user's own programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type Keeps, NO_KEEPS } from '../../src/host/confinement/keeps/keeps.ts'
import { attacks, type Lair, lairOf, type Plan } from './attack.fixture.ts'

const attack = attacks()

const KEEPS: Keeps = {
  login: ['~/.mine/auth.json'],
  settings: [{ file: '~/.mine.json', without: ['projects'] }, '~/.mine/hooks.json', '~/.mine/skills'],
  sessions: ['~/.mine/sessions'],
  copied: [],
}
const LOGIN = JSON.stringify({ access_token: 'old', account: 'me' })
const THEIRS: Readonly<Record<string, string>> = {
  '.mine/auth.json': LOGIN,
  '.mine.json': JSON.stringify({ theme: 'dark', projects: { '/other': 'top-secret-project' } }),
  '.mine/hooks.json': '{ "hooks": "real" }',
  '.mine/skills/one/SKILL.md': 'real',
  '.mine/sessions/other-project.jsonl': 'top-secret-session',
}

const keeping = (keeps: (ground: string) => Keeps): Pick<Plan, 'prepare' | 'programFor'> => ({
  prepare: ({ victim }) => {
    for (const [name, text] of Object.entries(THEIRS)) {
      mkdirSync(dirname(join(victim.home, name)), { recursive: true })
      writeFileSync(join(victim.home, name), text)
    }
  },
  programFor: (_, scripted, agentFile) => {
    const lair = lairOf(scripted.argv.at(-1)!)
    const argv = [process.execPath, agentFile, ...scripted.argv, '--state', lair]
    return { ...scripted, driver: 'acp', argv, writes: [lair], keeps: keeps(dirname(lair)) }
  },
})

/** A flow of as many visits as there are deeds, each with a session of its own. */
const visits = (count: number): string => {
  const step = (nth: number): string =>
    `  step${nth}: { agent: dev, next: ${nth === count ? 'done' : `step${nth + 1}`}, on: { else: abandoned } }`
  return ['steps:', ...Array.from({ length: count }, (_, nth) => step(nth + 1))].join('\n')
}

attack(
  '[X15] [X17] [X18] by hooks, servers and programs among its settings, and by reading what other projects left',
  {
    ...keeping(() => KEEPS),
    runbook: visits(2),
    plays: ({ plant, attempt, steal, evil, victim }) => ({
      step1: [
        [
          plant(
            'settings',
            `cd ~ && echo '{ "hooks": "${evil}" }' > .mine/hooks.json && echo '{ "mcpServers": "${evil}" }' > .mine.json && cp ${evil} .mine/program && mkdir -p .mine/plugins && cp ${evil} .mine/plugins/`,
          ),
          attempt('skill', `cp ${evil} ~/.mine/skills/one/SKILL.md; cp ${evil} ~/.mine/skills/two`),
          attempt('remount', `mount -o remount,rw ~/.mine/skills && cp ${evil} ~/.mine/skills/two`),
          attempt('move', `mv ~/.mine/skills ~/.mine/old; mkdir ~/.mine/skills; cp ${evil} ~/.mine/skills/`),
          attempt('hard link', `ln ~/.mine/skills/one/SKILL.md ~/.mine/linked && cp ${evil} ~/.mine/linked`),
          steal('session', `cat ${victim.home}/.mine/sessions/other-project.jsonl ~/.mine/sessions/*`),
          steal('projects', `cat ${victim.home}/.mine.json`),
          plant('own session', 'echo mine > ~/.mine/sessions/1.jsonl'),
        ],
      ],
      step2: [
        [
          plant(
            'fresh',
            'cd ~ && grep real .mine/hooks.json && grep dark .mine.json && grep real .mine/skills/one/SKILL.md && grep mine .mine/sessions/1.jsonl && ! grep -r evil .mine/hooks.json .mine.json .mine/skills',
          ),
        ],
      ],
    }),
  },
  async ({ run, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBe(0)
  },
)

const AUTH = '~/.mine/auth.json'
/** Each in a session of its own: its end is when the host looks. */
const PLANTED: readonly (readonly [string, (lair: Lair) => string])[] = [
  ['link', ({ victim }) => `ln -sf ${victim.home}/.ssh/id_ed25519 ${AUTH}`],
  [
    'hook',
    () =>
      `echo '{"access_token":"$(evil) x","account":"theirs","hook":"evil","__proto__":{"x":1}}' > ${AUTH}`,
  ],
  ['huge', () => `rm ${AUTH}; truncate -s 20G ${AUTH}`],
  ['its folder as a link', () => 'mv ~/.mine ~/.old && ln -s ../../../../../user/.ssh ~/.mine'],
  ['no rights', () => 'mkfifo ~/.mine/pipe && chmod 0 ~/.mine && chmod 500 ~'],
  ['a file in the place of its folder', () => 'chmod 700 ~; mv ~/.mine ~/.older; touch ~/.mine'],
]

attack(
  '[X16] [X20] by whatever it puts at the place of its login, or on the way there',
  {
    ...keeping(() => KEEPS),
    runbook: visits(PLANTED.length + 1),
    plays: (lair) =>
      Object.fromEntries([
        ...PLANTED.map(([name, shell], nth) => [`step${nth + 1}`, [[lair.plant(name, shell(lair))]]]),
        [
          `step${PLANTED.length + 1}`,
          [[lair.plant('own again', `grep -q old ${AUTH} && grep -q real ~/.mine/hooks.json`)]],
        ],
      ]),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
    const notes = (await run.all('host.noted')).map(({ text }) => text)
    expect(notes.filter((text) => text.includes('refreshed'))).toEqual([])
    expect(
      notes.filter((text) => text.includes('not written back') || text.includes('nothing was written back')),
    ).not.toEqual([])
  },
)

attack(
  '[X4] by what its program is said to keep: neither Signalbox’s own data, nor what a link of an agent’s leads to',
  {
    ...keeping((ground) => ({
      ...NO_KEEPS,
      login: ['/lair/key', '/home/secret'].map((name) => join(ground, name)),
      settings: ['home', 'home/../home/answers', 'lair/link', 'lair/deep/link'].map((name) =>
        join(ground, name),
      ),
    })),
    runbook: visits(2),
    writable: (ground) => [join(ground, 'lair')],
    plays: ({ plant, steal, dir, victim, house: { home } }) => ({
      step1: [
        [
          plant(
            'link',
            `ln -sfn ${victim.home}/.ssh ${dir}/link && ln -sfn ${victim.home}/.ssh/id_ed25519 ${dir}/key && mkdir -p ${dir}/deep && ln -sfn ${home.dir} ${dir}/deep/link`,
          ),
        ],
      ],
      step2: [
        [
          steal('home', `cat ${home.door} ${home.secret}`),
          steal(
            'keys',
            `cat ${victim.home}/.ssh/id_ed25519 ${dir}/link/id_ed25519 ${dir}/key ${dir}/deep/link/host.json`,
          ),
          steal('all', `find ~ -type f -exec cat '{}' +`),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)
