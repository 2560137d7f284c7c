/**
 * An attack: a real host with the sandbox that users get, a victim, and an agent that means harm. It is judged by what
 * came of it: whatever the attack, nothing of the victim's may have changed, no program of the agent's may have run
 * outside its sandbox, and no secret may lie where the agent can read it.
 *
 * An attack that did not happen proves nothing. Each deed of the agent leaves a mark; one that left none, or a plant
 * that failed, fails the test, and what is stolen must be there for the taking outside the sandbox. See attacks.reporter.ts
 * for attacks that were never run.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findSandbox } from '../../src/drivers/index.ts'
import type { ScriptAction } from '../../src/drivers/scripted/script.ts'
import { type House, type HouseOptions, houses, type Plays } from '../host/host.fixture.ts'
import { eventually, type RunInHouse } from '../host/run.fixture.ts'
import { filesIn, isSecret, settleVictim, type Victim, victimAt } from './victim.fixture.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** How many deeds of the attack took place. */
    deeds?: number
  }
}

/** Where the agent strikes from. */
export interface Lair {
  readonly house: House
  readonly victim: Victim
  /** The agent may write here, whatever becomes of its worktree. */
  readonly dir: string
  /** A program that leaves its traces: here, and in the victim's documents if nothing holds it. */
  readonly evil: string
  /** A deed that must succeed, or there was no attack. */
  readonly plant: (name: string, shell: string) => ScriptAction
  /** A deed that is to be prevented; only that it was tried is asked for. */
  readonly attempt: (name: string, shell: string) => ScriptAction
  /** Prints a secret of the victim's to whoever is not held. */
  readonly steal: (name: string, shell: string) => ScriptAction
  readonly good: ScriptAction
}

export interface Scene extends Lair {
  readonly run: RunInHouse
  /** The code that a deed ended with. */
  readonly exit: (name: string) => number
  /** What a deed printed. */
  readonly printed: (name: string) => string
  /** What the host's own git says of the run, HEAD being its branch. */
  readonly git: (...args: string[]) => string
  /** How often the evil program ran, in a sandbox or out of it. */
  readonly fired: () => number
}

export interface Plan extends Partial<Omit<HouseOptions, 'plays' | 'engine'>> {
  readonly plays: (lair: Lair) => Plays
  /** Before the run starts. */
  readonly prepare?: (lair: Lair) => void | Promise<void>
  /** Once nothing was found to have changed: what the user does next. */
  readonly afterwards?: (scene: Scene) => void | Promise<void>
}

const REVIEWED = `
  agents: { dev: {}, check: { writes: [] } }
  steps:
    develop: { agent: dev, gate: 'test -f a.txt', next: review, on: { else: review } }
    review: { agent: check, options: { good: done, poor: abandoned }, on: { else: abandoned } }
`

const sandbox = await findSandbox(process.env['PATH'] ?? '')
const engine = 'engine' in sandbox ? sandbox.engine : null
/** In CI one without a sandbox fails: what was skipped there would never be missed. */
export const attackIt = engine === null && process.env['CI'] === undefined ? it.skip : it.concurrent

/** Call it where tests are declared. */
export function attacks() {
  const openHouse = houses()
  return (title: string, plan: Plan, judge: (scene: Scene) => Promise<void>): void =>
    attackIt(title, async ({ task }) => {
      if (engine === null) throw new Error(`There is no sandbox: ${'why' in sandbox ? sandbox.why : ''}`)
      const { plays, prepare, afterwards, ...options } = plan
      const house = await openHouse({
        runbook: REVIEWED,
        engine,
        // Temporary files are out of sight in a sandbox anyhow: a victim there would be safe from everything.
        under: '/var/tmp',
        environment: (ground) => victimAt(ground).environment,
        programFor: (_, scripted, agentFile) => ({
          ...scripted,
          driver: 'acp',
          argv: [process.execPath, agentFile, ...scripted.argv, '--state', lairOf(scripted.argv.at(-1)!)],
          writes: [lairOf(scripted.argv.at(-1)!)],
        }),
        ...options,
      })
      const deeds = new Map<string, 'plant' | 'attempt' | 'steal'>()
      const lair = await openLair(house, deeds)
      await prepare?.(lair)
      // The first that fits is played, so what is usual comes last.
      house.rehearse({ ...plays(lair), '': [[lair.good]] })
      const before = stateOf(lair)
      const run = await house.start()
      const scene = sceneOf(lair, run)
      await judge(scene)
      // Nothing of an agent's outlives its visit, and nothing may change while it is looked at.
      await eventually(() => house.running()).toEqual([])
      expect(stateOf(lair)).toEqual(before)
      expect(await secretsSeen(scene)).toEqual([])
      expect(deeds.size, 'an attack without a deed').toBeGreaterThan(0)
      for (const [name, kind] of deeds) {
        const code = scene.exit(name)
        if (kind === 'plant') expect(`${name}: ${code}\n${scene.printed(name)}`).toContain(`${name}: 0\n`)
      }
      await afterwards?.(scene)
      expect(existsSync(join(lair.victim.documents, 'owned'))).toBe(false)
      task.meta.deeds = deeds.size
    })
}

export const lairOf = (script: string): string => join(dirname(script), 'lair')

async function openLair(house: House, deeds: Map<string, 'plant' | 'attempt' | 'steal'>): Promise<Lair> {
  const victim = victimAt(house.ground)
  settleVictim(victim)
  writeFileSync(house.home.door, JSON.stringify({ token: 'top-secret-door' }))
  writeFileSync(house.home.secret, 'top-secret-signature')
  const dir = lairOf(join(house.ground, 'script.json'))
  mkdirSync(join(dir, 'marks'), { recursive: true })
  const evil = join(dir, 'evil')
  writeFileSync(
    evil,
    `#!/bin/sh
echo "$0 $*" >> '${dir}/fired'
(echo owned > '${victim.documents}/owned') 2>/dev/null
exec cat
`,
    { mode: 0o755 },
  )
  const deed =
    (kind: 'plant' | 'attempt' | 'steal') =>
    (name: string, shell: string): ScriptAction => {
      deeds.set(name, kind)
      const mark = join(dir, 'marks', name)
      if (kind === 'steal')
        expect(isSecret(spoils(shell, victim)), `${name} steals nothing even without a sandbox`).toBe(true)
      return { run: `(${shell}\n) > '${mark}.out' 2>&1; echo $? > '${mark}'` }
    }
  return {
    house,
    victim,
    dir,
    evil,
    plant: deed('plant'),
    attempt: deed('attempt'),
    steal: deed('steal'),
    good: { answer: { decision: 'good' }, via: 'file' },
  }
}

const spoils = (shell: string, { home, environment }: Victim): string =>
  spawnSync('/bin/sh', ['-c', shell], {
    cwd: home,
    env: { PATH: process.env['PATH'], ...environment },
    encoding: 'utf8',
  }).stdout

function sceneOf(lair: Lair, run: RunInHouse): Scene {
  const read = (name: string): string => {
    const file = join(lair.dir, name)
    return existsSync(file) ? readFileSync(file, 'latin1') : ''
  }
  return {
    ...lair,
    run,
    exit: (name) => {
      const code = read(`marks/${name}`).trim()
      if (code === '') throw new Error(`The attack did not take place: ${name} left no mark.`)
      return Number(code)
    },
    printed: (name) => read(`marks/${name}.out`),
    git: (...args) => gitIn(storeOf(lair.house, run), args).replace(/\n$/, ''),
    fired: () => read('fired').split('\n').length - 1,
  }
}

/** Everything of the victim's, and of their repository all but what a run may write there. */
function stateOf({ house: { repo }, victim }: Lair): string[] {
  const isTheRuns = (name: string): boolean =>
    /^\.git\/(?:objects|signalbox\/issue-changes|(?:logs\/)?refs\/(?:heads\/)?signalbox)(?:$|\/)/.test(name)
  return [...filesIn(victim.home), ...filesIn(repo.dir, isTheRuns)]
}

/** Where a secret lies that the agent can read, or could be shown. */
async function secretsSeen({ house, run, dir }: Scene): Promise<string[]> {
  const { worktree } = (await run.until('run.placed')).placement
  const store = storeOf(house, run)
  const objects = existsSync(store) ? gitIn(store, ['cat-file', '--batch-all-objects', '--batch']) : ''
  const kept = await Promise.all((await run.all('artifact.kept')).map(({ digest }) => run.kept(digest)))
  const places: Record<string, string> = {
    'the lair': textIn(dir),
    'the worktree': existsSync(worktree) ? textIn(worktree) : '',
    'the store': objects,
    'the record': JSON.stringify(await run.events()) + kept.join('\n'),
    'what agents were told': JSON.stringify(house.wire),
  }
  return Object.keys(places).filter((place) => isSecret(places[place]!))
}

const storeOf = ({ home }: House, { work }: RunInHouse): string =>
  join(home.grounds, basename(work.dir), 'store.git')

const gitIn = (store: string, args: readonly string[]): string =>
  execFileSync('git', [`--git-dir=${store}`, ...args], { encoding: 'latin1', maxBuffer: LARGEST })

const LARGEST = 256 * 1024 * 1024

const textIn = (folder: string): string =>
  spawnSync('find', [folder, '-type', 'f', '-exec', 'cat', '{}', '+'], {
    encoding: 'latin1',
    maxBuffer: LARGEST,
  }).stdout
