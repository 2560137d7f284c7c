/** What `signalbox doctor` says of the sandbox: what makes it, and what the processes of a run may see and reach in it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeControlGroups, findSandbox, type SandboxEngine } from '../../drivers/index.ts'
import { BASE_VARIABLES, listed } from '../../host/confinement/environment.ts'
import type { ProcessEnvironment } from '../../host/confinement/process-environment.ts'
import type { ProcessLimits, SandboxRules } from '../../host/confinement/rules.ts'
import type { Network } from '../../model/program.ts'
import { copiedText } from '../agents/shortcomings.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { processEnvironmentFor, refusedGrants } from '../hosting/process-environment.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'

interface Finding {
  readonly about: 'sandbox' | 'your config'
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

export async function sandboxFindings(environment: Environment, repo: string | null): Promise<Finding[]> {
  const { configDir } = environment
  const own = readConfig({ configDir, repo: null }).config
  const rules = readConfig({ configDir, repo }).config.sandbox
  const found = await findSandbox(environment.searchPath)
  const processEnvironment = processEnvironmentFor(environment, {
    engine: 'engine' in found ? found.engine : null,
  })
  const say = (state: Finding['state'], text: string): Finding => ({ about: 'sandbox', state, text })
  const beyond = [
    ...tightenedText(own.sandbox, rules).map((text) => say('note', text)),
    ...refusedGrants(processEnvironment, own).map((text) => say('bad', text)),
    ...keepsTexts(own).map((text) => say('note', text)),
    say('good', environmentText(processEnvironment, rules)),
    whereFinding(configDir),
  ]
  if (rules.use === 'off') return [say('note', `switched off in the config. ${WITH_YOUR_RIGHTS}`), ...beyond]
  if ('why' in found)
    return [
      say(rules.use === 'required' ? 'bad' : 'note', `none: ${found.why} ${WITH_YOUR_RIGHTS}`),
      ...beyond,
    ]
  const { kind, program } = found.engine
  const isByProxyOnly = found.engine.kind === 'bubblewrap' && found.engine.perl === null
  return [
    say('good', `${kind} (${program})${rules.use === 'required' ? ', required' : ''}`),
    say('good', `read: the system, the run's own files, ${readableText(processEnvironment, rules)}`),
    say(
      'good',
      `written: the run's own files and home${someText(rules.writable, ' in copies of their own')}`,
    ),
    ...(rules.shared.length === 0
      ? []
      : [
          say(
            'note',
            `written by all agents and gates together: ${rules.shared.join(', ')}. Gates that run beside it say so.`,
          ),
        ]),
    say(
      'good',
      `reached: ${networkText(rules.network)}${rules.sockets.length === 0 ? '' : `; sockets ${rules.sockets.join(', ')}`}`,
    ),
    ...(isByProxyOnly ? [say('note', PROXY_ONLY)] : []),
    say('good', `limits: ${limitsText(rules.limits)}`),
    ...holderOfLimits(found.engine).map(([state, text]) => say(state, text)),
    ...beyond,
  ]
}

const PROXY_ONLY =
  'only programs that know of a proxy reach hosts: perl is not installed, or may not make a network namespace. Programs such as ssh and Java need it.'

function readableText({ toolchains, userHome }: ProcessEnvironment, { readable }: SandboxRules): string {
  const near = (path: string): string => path.replace(`${userHome}/`, '~/')
  const found = toolchains.map(({ name, readable: paths }) => `${name} (${paths.map(near).join(', ')})`)
  return `${found.length === 0 ? 'no toolchains of your own' : found.join(', ')}${someText(readable)}`
}

const someText = (paths: readonly string[], how = ''): string =>
  paths.length === 0 ? '' : `; by your config${how} ${paths.join(', ')}`

const networkText = (network: Network): string =>
  network === 'on'
    ? 'every host but this machine'
    : `of the network ${network === 'off' ? 'nothing' : network.join(', ')}, and Signalbox's own tools`

function limitsText({ processes, memoryBytes, openFiles }: ProcessLimits): string {
  const memory = memoryBytes === null ? 'any' : `${Math.round(memoryBytes / 1024 / 1024)} MiB of`
  return `${processes ?? 'any number of'} processes, ${memory} memory, ${openFiles ?? 'any number of'} open files`
}

/** What sees to it that a sandbox as a whole keeps to its limits. */
function holderOfLimits(engine: SandboxEngine): [Finding['state'], string][] {
  if (engine.kind !== 'bubblewrap') return []
  if (engine.groups !== null)
    return [['good', `limits are held by the kernel: ${describeControlGroups(engine.groups)}`]]
  return [
    [
      'note',
      'limits are held by adding up what all processes use, now and then: no control group can be made here. Not counted are buffers of the kernel and shared memory that no process maps at that moment. In a session with systemd, or as a service with Delegate=yes, the kernel holds them.',
    ],
  ]
}

function environmentText({ environment }: ProcessEnvironment, { env }: SandboxRules): string {
  const passed = Object.keys(listed(environment, [...BASE_VARIABLES, ...env])).length
  const more = env.length === 0 ? '' : `, by your config ${env.join(', ')}`
  return `environment: ${passed} of your ${Object.keys(environment).length} variables${more}; an agent has its own program's too`
}

/** What a project made of the user's rules. */
function tightenedText(own: SandboxRules, rules: SandboxRules): string[] {
  const limited =
    limitsText(own.limits) === limitsText(rules.limits) ? [] : [`limits: ${limitsText(rules.limits)}`]
  const parts = [
    ...(own.use === rules.use ? [] : ['a sandbox is required']),
    ...(JSON.stringify(own.network) === JSON.stringify(rules.network) ? [] : [networkText(rules.network)]),
    ...limited,
  ]
  return parts.length === 0 ? [] : [`this project tightens it: ${parts.join('; ')}`]
}

function keepsTexts({ agents }: Config): string[] {
  return Object.values(agents).flatMap((entry) =>
    typeof entry === 'string' ? [] : copiedText(entry).map((text) => `agents.${entry.name}: ${text}`),
  )
}

function whereFinding(configDir: string): Finding {
  const file = join(configDir, 'config.yaml')
  return { about: 'your config', state: 'good', text: existsSync(file) ? file : `${file} (not there yet)` }
}
