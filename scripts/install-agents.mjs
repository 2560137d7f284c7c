/**
 * Installs the agent programs the conformance suite drives, at the versions it was written against. They weigh about a
 * gigabyte, so they stand in the user's cache and not among the packages of this project.
 *
 * Usage: node scripts/install-agents.mjs [NAME…]      with no name: all of them
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { argv, env, exit, kill, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

/** What is pinned, and the file within the package that is started. */
export const AGENTS = [
  {
    name: 'codex',
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    start: 'dist/index.js',
  },
  {
    name: 'claude',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.49.0',
    start: 'dist/index.js',
  },
  { name: 'goose', package: '@aaif/goose-binary-linux-x64', version: '1.52.0', start: 'bin/goose' },
]

/** Where an agent stands once it is installed whole, or null. */
export function installedAgent(name) {
  const agent = AGENTS.find((one) => one.name === name)
  if (agent === undefined) return null
  const dir = placeOf(agent)
  if (!existsSync(join(dir, MARKER))) return null
  return { name, version: agent.version, dir, start: join(dir, 'node_modules', agent.package, agent.start) }
}

const MARKER = 'installed'
const LIMIT_MS = 300_000

const placeOf = ({ name, version }) =>
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'signalbox', 'agents', `${name}@${version}`)

async function install(agent) {
  const label = `${agent.name} (${agent.package}@${agent.version})`
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
  const problem = await npm(half, `${agent.package}@${agent.version}`)
  const tookS = ((Date.now() - startedAt) / 1000).toFixed(1)
  const missing = !existsSync(join(half, 'node_modules', agent.package, agent.start))
  if (problem !== null || missing) {
    rmSync(half, { recursive: true, force: true })
    console.error(`${label}: ${problem ?? `the package holds no ${agent.start}`} (after ${tookS} s)`)
    return false
  }
  writeFileSync(join(half, MARKER), `${agent.package}@${agent.version}\n`)
  if (installedAgent(agent.name) === null) {
    rmSync(dir, { recursive: true, force: true })
    renameSync(half, dir)
  } else rmSync(half, { recursive: true, force: true })
  console.log(`${label}: installed in ${tookS} s`)
  return true
}

/** What an install that was killed left behind. */
function sweep(dir) {
  const parent = dirname(dir)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const owner = name.startsWith(`${basename(dir)}.`) ? Number(name.slice(basename(dir).length + 1)) : NaN
    if (!Number.isNaN(owner) && (owner === pid || !isAlive(owner)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(other) {
  try {
    kill(other, 0)
    return true
  } catch {
    return false
  }
}

/** Null where it went well, else what is wrong. Install scripts are not run: none of the three needs one. */
function npm(cwd, what) {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel=error',
    what,
  ]
  return new Promise((resolve) => {
    // A group of its own, so that the limit ends what npm started as well.
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    let said = ''
    child.stderr.on('data', (chunk) => {
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

async function main(names) {
  const unknown = names.filter((name) => !AGENTS.some((agent) => agent.name === name))
  if (unknown.length > 0) {
    console.error(`Not known: ${unknown.join(', ')}. There are ${AGENTS.map(({ name }) => name).join(', ')}.`)
    return 2
  }
  let isGood = true
  for (const agent of AGENTS)
    if (names.length === 0 || names.includes(agent.name)) isGood = (await install(agent)) && isGood
  return isGood ? 0 : 1
}

if (argv[1] === fileURLToPath(import.meta.url)) exit(await main(argv.slice(2)))
