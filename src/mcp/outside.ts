/**
 * The tools for agents outside any run: they read what there is, put decisions to people and fetch the answers. There
 * is no tool that answers, so none of them ever can.
 */
import { isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/server'
import type { DecisionOrder } from '../host/inbox/decisions.ts'
import type { Operations, Rejection } from '../host/operations.ts'
import type { Asker } from '../model/decision-record.ts'
import type { RunEvent } from '../model/event.ts'
import { shortRun } from './short-run.ts'
import {
  CREATE,
  createTool,
  type DecisionKind,
  decisionOf,
  LIST_RUNS,
  READ_RUN,
  said,
  stillOpen,
  WAIT,
  WAIT_TOOL,
} from './tools.ts'

export interface OutsideOptions {
  readonly version: string
  /** Asked anew for each call: hosts come and go while a client stays. */
  readonly withOperations: <T>(
    act: (operations: Operations, connection: { readonly remote: unknown }) => Promise<T>,
  ) => Promise<T>
  readonly kinds: readonly DecisionKind[]
  /** Where the client works: the top of its repository, or else its folder. */
  readonly repo: string
  readonly cwd: string
}

export function createOutsideServer(options: OutsideOptions): Server {
  const server = new Server({ name: 'signalbox', version: options.version }, { capabilities: { tools: {} } })
  const tools = [createTool({ kinds: options.kinds, after: 'wait' }), WAIT_TOOL, LIST_TOOL, READ_TOOL]
  // The answer it fetched last, until it does something.
  let fetched: string | null = null
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    const acted = fetched
    if (acted !== null && !isAbout(acted, name, given)) {
      fetched = null
      await options.withOperations(({ decisions }) => decisions.acted(acted, `called ${name}`))
    }
    if (name === CREATE) return create(options, askerOf(server), given)
    if (name !== WAIT) return options.withOperations((operations) => read(operations, name, given))
    const wanted = decisionOf(given)
    if ('problem' in wanted) return said(wanted.problem, 'error')
    const waited = await wait(options, { ...wanted, signal: mcpReq.signal })
    if (waited === null)
      return said(stillOpen(wanted.decision, `Do something else meanwhile, or call ${WAIT} again.`))
    if ('problem' in waited) return said(waited.problem, 'error')
    fetched = waited.id
    return said(waited.answered)
  })
  return server
}

/** Asking for the same answer again, or putting another question in its place, is not acting on it. */
const isAbout = (decision: string, name: string, given: Readonly<Record<string, unknown>>): boolean =>
  (name === WAIT && typeof given['decision'] === 'string' && decision.startsWith(given['decision'])) ||
  (name === CREATE && given['supersedes'] === decision)

function askerOf(server: Server): Asker {
  const { name = 'mcp', version = '' } = server.getClientVersion() ?? {}
  return { agent: name, program: name, version, model: '' }
}

async function create(
  { withOperations, repo, cwd }: OutsideOptions,
  asker: Asker,
  payload: Readonly<Record<string, unknown>>,
) {
  const resume = resumeOf(payload['resume'], cwd)
  if (resume !== null && 'problem' in resume) return said(resume.problem, 'error')
  const order: DecisionOrder = { payload, asker, door: 'mcp', resume, repo }
  const created = await withOperations(({ decisions }) => decisions.create(order))
  return 'problem' in created ? said(created.problem, 'error') : said(createdText(created.id, resume))
}

const createdText = (id: string, resume: DecisionOrder['resume']): string =>
  [
    `Decision ${id} lies with a person. Do not do what it is about before it is answered, and do not raise it again.`,
    resume === null
      ? `Fetch the answer with ${WAIT} and the id ${id}; it is kept for you.`
      : `Your command is run with the answer on its standard input: ${resume.argv.join(' ')}`,
  ].join('\n')

function resumeOf(given: unknown, cwd: string): DecisionOrder['resume'] | { readonly problem: string } {
  if (given === undefined || given === null) return null
  const { command, cwd: folder = cwd } = (typeof given === 'object' ? given : {}) as Record<string, unknown>
  const isArgv =
    Array.isArray(command) &&
    command.length > 0 &&
    command.every((word) => typeof word === 'string' && word !== '')
  if (isArgv && typeof folder === 'string' && isAbsolute(folder)) return { argv: command, cwd: folder }
  return {
    problem: [
      '`resume` names a command to be run with the answer: `command` is a list of texts, the program first; `cwd` is an absolute path.',
      `What you gave: ${JSON.stringify(given)}`,
      `A correct one: ${JSON.stringify({ command: ['my-agent', '--resume', 'session-1'], cwd })}`,
    ].join('\n'),
  }
}

/** How often to look where nobody hosts: whoever waits holds the home, and a person could not answer meanwhile. */
const LOOK_MS = 1_000

async function wait(
  { withOperations }: OutsideOptions,
  {
    decision,
    waitMs,
    signal,
  }: { readonly decision: string; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<{ readonly id: string; readonly answered: string } | Rejection | null> {
  const until = performance.now() + waitMs
  for (;;) {
    const left = Math.max(0, until - performance.now())
    const looked = await withOperations(async ({ decisions }, { remote }) => {
      const found = await decisions.find(decision)
      if ('problem' in found) return found
      const waited = await decisions.wait(found.id, remote === null ? 0 : left, signal)
      return waited === null ? null : { ...found, ...waited }
    })
    const over = signal.aborted || until - performance.now() <= 0
    if (looked !== null || over) return looked
    await pause(Math.min(LOOK_MS, left))
  }
}

async function read(operations: Operations, name: string, given: Readonly<Record<string, unknown>>) {
  if (name === LIST_RUNS) return said(await operations.runs({ all: given['all'] === true, limit: 50 }))
  if (name !== READ_RUN)
    return said(
      `There is no tool "${name}"; there are ${CREATE}, ${WAIT}, ${LIST_RUNS} and ${READ_RUN}.`,
      'error',
    )
  const found = await operations.find(typeof given['run'] === 'string' ? given['run'] : '')
  if ('problem' in found) return said(found.problem, 'error')
  const detail = await operations.show(found.run)
  if ('problem' in detail) return said(detail.problem, 'error')
  const events = (await operations.events(found.run, 0)).map(({ data }) => data as RunEvent)
  return said(given['all'] === true ? { ...detail, events } : shortRun(detail, events))
}

const LIST_TOOL = {
  name: LIST_RUNS,
  title: 'List runs',
  description:
    'The runs of Signalbox on this machine: which step each is at, and whether it waits for a person.',
  inputSchema: {
    type: 'object' as const,
    properties: { all: { type: 'boolean', description: 'Ended ones too.' } },
  },
  annotations: { readOnlyHint: true },
}

const READ_TOOL = {
  name: READ_RUN,
  title: 'Read a run',
  description:
    'Where one run is, what it asks, how it came there and what it left. `all` gives every event and every text instead, which can be long.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      run: { type: 'string', description: 'Its id, or the beginning of it.' },
      all: { type: 'boolean', description: 'Everything there is about it.' },
    },
    required: ['run'],
  },
  annotations: { readOnlyHint: true },
}
