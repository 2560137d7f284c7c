/**
 * `sandbox:` of a config file. The user's own says what the processes of a run may see and reach; a project's may take
 * away from that. Whatever in a project's file would add to it has no effect, and is told.
 */
import {
  type ProcessLimits,
  type SandboxRules,
  type Tightening,
  tightened,
} from '../../host/confinement/rules.ts'
import { HOW_HOSTS_ARE_WRITTEN, isHost } from '../../model/network.ts'
import type { Network } from '../../model/program.ts'
import type { Report } from '../../runbook/report.ts'
import {
  booleanOf,
  childOf,
  entryOf,
  itemsOf,
  type MapTree,
  numberOf,
  type Tree,
  textOf,
} from '../../runbook/tree.ts'
import { readFiles, readNames, readPlaces } from './lists.ts'

interface Read {
  readonly tree: MapTree | null
  readonly report: Report
}

/** The user's own; what is wrong in it, or left out, stays as it was. */
export function readSandbox(read: Read, below: SandboxRules): SandboxRules {
  const at = soundly(read)
  const { report } = read
  return {
    use: useOf(at) ?? below.use,
    network: networkOf(at('network'), report) ?? below.network,
    readable: readPlaces(at('readable'), report) ?? below.readable,
    writable: readPlaces(at('writable'), report) ?? below.writable,
    shared: readPlaces(at('shared'), report) ?? below.shared,
    sockets: readPlaces(at('sockets'), report) ?? below.sockets,
    env: readNames(at('env'), report) ?? below.env,
    brings: readFiles(at('brings'), report) ?? below.brings,
    limits: { ...below.limits, ...limitsOf(at, report) },
  }
}

/** What a project makes of the user's rules. */
export function tightenSandbox(read: Read, rules: SandboxRules): SandboxRules {
  const at = soundly(read)
  const { report } = read
  const section = childOf(read.tree ?? undefined, 'sandbox')
  const refuse = (where: Tree['at'], path: string, message: string): void =>
    report.add({ code: 'config', at: where, path, message, help: IN_YOUR_OWN })
  for (const key of ['readable', 'writable', 'shared', 'sockets', 'env', 'brings']) {
    const entry = entryOf(section, key)
    if (entry !== undefined) refuse(entry.at, entry.value.path, LOOSENING[key] ?? '')
  }
  const use = useOf(at)
  const said = at('use') ?? section
  if (use === 'off' && said !== undefined)
    refuse(said.at, said.path, 'A project cannot switch the sandbox off.')
  const words: Tightening = {
    use: use === 'required' ? use : undefined,
    network: networkOf(at('network'), report),
    limits: limitsOf(at, report),
  }
  return tightened(rules, words)
}

const IN_YOUR_OWN = 'Say it in your own config, if you want it so; signalbox doctor tells where that is.'

const LOOSENING: Readonly<Record<string, string>> = {
  readable: 'A project cannot say what else may be read.',
  writable: 'A project cannot say where else may be written.',
  shared: 'A project cannot say where all agents may write.',
  sockets: 'A project cannot open a socket.',
  env: 'A project cannot ask for variables of your environment.',
  brings: 'A project cannot ask for files that you keep out of git.',
}

/** As a config file of the user's own would say it. */
export const writtenSandbox = ({
  use,
  network,
  readable,
  writable,
  shared,
  sockets,
  env,
  brings,
  limits,
}: SandboxRules): object => ({
  use,
  network,
  readable,
  writable,
  shared,
  sockets,
  env,
  brings,
  ...(limits.processes === null ? {} : { processes: limits.processes }),
  ...(limits.memoryBytes === null ? {} : { memory: `${Math.round(limits.memoryBytes / MEBI)}M` }),
  ...(limits.openFiles === null ? {} : { open_files: limits.openFiles }),
})

type At = (key: string) => Tree | undefined

/** A key whose value is as it should be; all of `sandbox` may be one word. */
function soundly({ tree, report }: Read): At {
  const isSound = ({ path }: Tree): boolean =>
    !report.diagnostics.some((each) => each.path === path || each.path.startsWith(`${path}.`))
  const section = childOf(tree ?? undefined, 'sandbox')
  return (key) => {
    const found = section?.kind === 'scalar' && key === 'use' ? section : childOf(section, key)
    return found !== undefined && isSound(found) ? found : undefined
  }
}

const useOf = (at: At): SandboxRules['use'] | undefined =>
  textOf(at('use')) as SandboxRules['use'] | undefined

function networkOf(tree: Tree | undefined, report: Report): Network | undefined {
  if (tree === undefined) return undefined
  const word = textOf(tree)
  if (word === 'on' || word === 'off') return word
  const isOn = booleanOf(tree)
  if (isOn !== undefined) return isOn ? 'on' : 'off'
  const hosts = itemsOf(tree)
  const odd = hosts.filter((item) => !isHost(textOf(item) ?? ''))
  for (const item of odd)
    report.add({
      code: 'config',
      at: item.at,
      path: item.path,
      message: `"${textOf(item)}" is not the name of a host.`,
      help: HOW_HOSTS_ARE_WRITTEN,
    })
  // What was meant is not known: nothing is reached by mistake.
  return odd.length > 0 ? 'off' : hosts.map((item) => textOf(item) ?? '')
}

const MEBI = 1024 * 1024

function limitsOf(at: At, report: Report): Partial<ProcessLimits> {
  const [processes, openFiles] = [numberOf(at('processes')), numberOf(at('open_files'))]
  const memoryBytes = bytesOf(at('memory'), report)
  return {
    ...(processes === undefined ? {} : { processes }),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  }
}

function bytesOf(tree: Tree | undefined, report: Report): number | undefined {
  if (tree === undefined) return undefined
  const [, count = '', unit = ''] = /^([1-9]\d{0,5}) ?([MG])(?:i?B)?$/i.exec(textOf(tree) ?? '') ?? []
  if (count !== '') return Number(count) * (unit.toUpperCase() === 'G' ? 1024 : 1) * MEBI
  report.add({
    code: 'config',
    at: tree.at,
    path: tree.path,
    message: `"${textOf(tree)}" is no size.`,
    help: 'Write it in megabytes or gigabytes: 512M, 8G.',
  })
  return undefined
}
