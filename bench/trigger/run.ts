/**
 * `npm run bench:trigger -- --agent NAME [--case ID]… [--minutes N]` tries the cases with any agent of your config;
 * `--scripted` with an agent that plays from a script.
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { programFor, readConfig } from '../../src/cli/config/config.ts'
import { readEnvironment } from '../../src/cli/environment.ts'
import { findSandbox } from '../../src/drivers/index.ts'
import { NO_KEEPS } from '../../src/host/confinement/keeps/keeps.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'
import { CASES } from './cases.ts'
import { type Result, reportText } from './report.ts'
import { scriptFor } from './scripted.ts'
import { openStage } from './stage.ts'

const { values } = parsed(() =>
  parseArgs({
    options: {
      agent: { type: 'string' },
      scripted: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '10' },
      json: { type: 'boolean', default: false },
    },
  }),
)
const wanted = values.case
const cases = CASES.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
const unknown = wanted.filter((id) => !CASES.some((each) => each.id === id))
if (unknown.length > 0)
  leave(`There is no case ${unknown.join(', ')}; there are ${CASES.map(({ id }) => id).join(', ')}.`)
if (values.scripted === (values.agent !== undefined))
  leave('Say --agent NAME for one of your agents, or --scripted.')
const minutes = Number(values.minutes)
if (!(minutes > 0)) leave(`--minutes takes a number, not "${values.minutes}".`)

const environment = readEnvironment(process.env)
const { config } = readConfig({ configDir: environment.configDir, repo: null })
const chosen = values.scripted ? null : configured(values.agent!)
const scratch = mkdtempSync(join(tmpdir(), 'signalbox-script-'))
const sandbox =
  values.scripted || config.sandbox.use === 'off' ? null : await findSandbox(environment.searchPath)
const stage = await openStage({
  program: chosen ?? scriptedProgram(scratch),
  scriptedAgent: built('scripted-agent.js'),
  mcpBridge: built('mcp-bridge.js'),
  engine: sandbox !== null && 'engine' in sandbox ? sandbox.engine : null,
  environment: environment.variables,
  timeLimitMs: minutes * 60_000,
})
const results: Result[] = []
for (const one of cases) results.push({ case: one, tried: await stage.try(one) })
await stage.close()
rmSync(scratch, { recursive: true, force: true })
const about = { agent: values.agent ?? 'scripted', scripted: values.scripted }
console.log(values.json ? JSON.stringify({ ...about, results }, null, 2) : reportText(results, about))

function scriptedProgram(dir: string): AgentProgram {
  const script = join(dir, 'script.json')
  writeFileSync(script, JSON.stringify(scriptFor(CASES)))
  return {
    name: 'scripted',
    driver: 'scripted',
    argv: ['--script', script],
    prompt: 'stdin',
    env: {},
    keeps: NO_KEEPS,
    permissions: 'reject',
    install: '',
  }
}

function configured(name: string): AgentProgram {
  const found = programFor(config, { searchPath: environment.searchPath })(name)
  return found ?? leave(`There is no agent "${name}". signalbox agents lists those there are.`)
}

/** Bundled, this stands in dist/bench/trigger/; from the sources, the build stands beside them. */
function built(file: string): string {
  const places = ['../../drivers/', '../../dist/drivers/'].map((place) =>
    fileURLToPath(new URL(`${place}${file}`, import.meta.url)),
  )
  return places.find((place) => existsSync(place)) ?? leave('The agents are not built: npm run build.')
}

function leave(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

/** A wrong argument is told as one. */
function parsed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return leave(error instanceof Error ? error.message : String(error))
  }
}
