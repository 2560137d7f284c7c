/**
 * The conformance suite: installs agents where they are missing, and drives them through every behaviour.
 *
 * Usage: npm run test:agents [-- [NAME… | all] [--cache DIR] [--record] [arguments for vitest]]
 *   with no name: those that every change is tried with
 *   --cache DIR   where agents are installed, if not in the user's cache
 *   --record      keeps what was seen in test/agents/seen.json, and writes the table of docs/agents.md from it
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { argv, env, exit } from 'node:process'
import { agentsNamed, installAgents } from './install-agents.ts'

const words = argv.slice(2)
const end = words.findIndex((word) => word.startsWith('-'))
const names = end === -1 ? words : words.slice(0, end)
const rest = end === -1 ? [] : words.slice(end)
const cache = takeOption('--cache')
if (cache !== undefined) env['SIGNALBOX_AGENTS_CACHE'] = resolve(cache)
const records = rest.includes('--record')

const installed = await installAgents(names)
if (installed !== 0) exit(installed)
env['AGENTS'] = agentsNamed(names)!
  .map(({ name }) => name)
  .join(',')
if (records) env['AGENTS_RECORD'] = '1'
start('npm', ['run', '--silent', 'build'])
start('node_modules/.bin/vitest', [
  ...['run', '--config', 'vitest.agents.config.ts'],
  ...rest.filter((word) => word !== '--record'),
])
if (records) start('node_modules/.bin/tsx', ['scripts/agents-table.ts'])

function takeOption(name: string): string | undefined {
  const at = rest.indexOf(name)
  if (at === -1) return undefined
  const [, value] = rest.splice(at, 2)
  if (value === undefined) {
    console.error(`${name} wants a folder.`)
    exit(2)
  }
  return value
}

function start(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit', env })
  if (status !== 0) exit(status ?? 1)
}
