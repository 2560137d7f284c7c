/**
 * Installs the agent programs the conformance suite drives, at the versions their entries name. They weigh two gigabytes,
 * so they stand in the user's cache and not among the packages of this project.
 *
 * Usage: tsx scripts/install-agents.ts [NAME… | all]      with no name: those that every change is tried with
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { argv, env, execPath, exit, kill, pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { ReadyAgent } from '../src/host/ready-agents/ready-agent.ts'
import { READY_AGENTS } from '../src/host/ready-agents/ready-agents.ts'

export interface InstalledAgent {
  readonly ready: ReadyAgent
  /** Where it stands, with everything it is made of. */
  readonly dir: string
  /** How it is started. */
  readonly argv: readonly string[]
}

/** Where an agent stands once it is installed whole, or null. */
export function installedAgent(name: string): InstalledAgent | null {
  const ready = READY_AGENTS.find((one) => one.name === name)
  if (ready === undefined) return null
  const dir = placeOf(ready)
  if (!existsSync(join(dir, MARKER))) return null
  const starter = starterOf(ready, dir)
  return { ready, dir, argv: [...starter, startOf(ready, dir), ...ready.argv.slice(1)] }
}

/** Those that every change is tried with; the others are heavier, or odder. */
export const USUAL_AGENTS: readonly string[] = ['codex', 'claude', 'goose']

const MARKER = 'installed'
const LIMIT_MS = 300_000

/** SIGNALBOX_AGENTS_CACHE says where they all are, if not in the user's cache. */
const cache = (): string =>
  env['SIGNALBOX_AGENTS_CACHE'] ||
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'signalbox', 'agents')

const placeOf = ({ name, package: { version } }: ReadyAgent): string =>
  join(resolve(cache()), `${name}@${version}`)

const startOf = ({ package: { name, start } }: ReadyAgent, dir: string): string =>
  join(dir, 'node_modules', name, start)

function starterOf({ package: { by } }: ReadyAgent, dir: string): string[] {
  if (by === 'itself') return []
  return [by === 'node' ? execPath : join(dir, 'node_modules', by.name, by.start)]
}

function packagesOf({ package: { name, version, by } }: ReadyAgent): string[] {
  const starter = typeof by === 'string' ? [] : [`${by.name}@${by.version}`]
  return [`${name}@${version}`, ...starter]
}

async function install(agent: ReadyAgent): Promise<boolean> {
  const packages = packagesOf(agent)
  const label = `${agent.name} (${packages.join(', ')})`
  const dir = placeOf(agent)
  if (installedAgent(agent.name) !== null) {
    console.log(`${label} is installed in ${dir}`)
    return true
  }
  console.log(`${label}: installing into ${dir} …`)
  const startedAt = Date.now()
  // Made beside its place and moved there whole: two installs at once do not write into one folder.
  const half = `${dir}.${pid}`
  sweep(dir)
  mkdirSync(half, { recursive: true })
  writeFileSync(join(half, 'package.json'), '{ "private": true }\n')
  const problem = await npm(half, packages)
  const tookS = ((Date.now() - startedAt) / 1000).toFixed(1)
  const missing = [startOf(agent, half), ...starterOf(agent, half)].find((file) => !existsSync(file))
  if (problem !== null || missing !== undefined) {
    rmSync(half, { recursive: true, force: true })
    console.error(`${label}: ${problem ?? `there is no ${missing}`} (after ${tookS} s)`)
    return false
  }
  writeFileSync(join(half, MARKER), `${packages.join('\n')}\n`)
  if (installedAgent(agent.name) === null) {
    rmSync(dir, { recursive: true, force: true })
    renameSync(half, dir)
  } else rmSync(half, { recursive: true, force: true })
  console.log(`${label}: installed in ${tookS} s`)
  return true
}

/** What an install that was killed left behind. */
function sweep(dir: string): void {
  const parent = dirname(dir)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const owner = name.startsWith(`${basename(dir)}.`) ? Number(name.slice(basename(dir).length + 1)) : NaN
    if (!Number.isNaN(owner) && (owner === pid || !isAlive(owner)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(other: number): boolean {
  try {
    kill(other, 0)
    return true
  } catch {
    return false
  }
}

/** Null where it went well, else what is wrong. Install scripts are not run: none of them needs one. */
function npm(cwd: string, packages: readonly string[]): Promise<string | null> {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel=error',
    ...packages,
  ]
  return new Promise((resolve) => {
    // A group of its own, so that the limit ends what npm started as well.
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-2_000)
    })
    const timer = setTimeout(() => {
      said = `npm had not finished after ${LIMIT_MS / 1000} s`
      if (child.pid !== undefined) kill(-child.pid, 'SIGKILL')
    }, LIMIT_MS)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(`npm could not be started: ${error.message}`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? null : said.trim() || `npm ended with ${code}`)
    })
  })
}

/** `all`, some by name, or the usual ones; null where one is not known. */
export function agentsNamed(names: readonly string[]): readonly ReadyAgent[] | null {
  const wanted = names.length === 0 ? USUAL_AGENTS : names
  if (wanted.includes('all')) return READY_AGENTS
  const found = READY_AGENTS.filter(({ name }) => wanted.includes(name))
  return found.length === new Set(wanted).size ? found : null
}

export async function installAgents(names: readonly string[]): Promise<number> {
  const agents = agentsNamed(names)
  if (agents === null) {
    console.error(
      `Not all of these are known: ${names.join(', ')}. There are ${READY_AGENTS.map(({ name }) => name).join(', ')}, and all.`,
    )
    return 2
  }
  let isGood = true
  for (const agent of agents) isGood = (await install(agent)) && isGood
  return isGood ? 0 : 1
}

if (argv[1] === fileURLToPath(import.meta.url)) exit(await installAgents(argv.slice(2)))
