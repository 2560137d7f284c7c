/** From what a script says to the tool that this agent offers for it, under the name and with the fields it wants. */
import { join } from 'node:path'
import type { ScriptedStep, ScriptPosition } from './script.ts'
import type { ModelReply, ModelRequest, OfferedTool } from './wire.ts'

type Deed = Extract<
  ScriptedStep,
  { readonly call: string } | { readonly shell: string } | { readonly write: string }
>

export function callFor(step: Deed, { prompt }: ScriptPosition, heard: ModelRequest): ModelReply {
  const made =
    'call' in step
      ? called(step, heard.tools)
      : 'shell' in step
        ? shelled(step, heard.tools)
        : written(step, { prompt, tools: heard.tools })
  if (made !== null) return { kind: 'call', ...made }
  const wanted = 'call' in step ? step.call : 'shell' in step ? 'shell' : 'write'
  if (heard.searches !== null && heard.searches < MOST_SEARCHES) return { kind: 'search', query: wanted }
  const names = heard.tools.map(({ name, namespace }) => (namespace === null ? name : `${namespace}/${name}`))
  return { kind: 'text', text: `No tool for "${wanted}" is offered. There are: ${names.join(', ')}` }
}

/** One may come too early, before the agent has heard of its tools. */
const MOST_SEARCHES = 3

interface Call {
  readonly tool: OfferedTool
  readonly input: object | string
}

function called(
  { call, with: input }: Extract<Deed, { call: string }>,
  tools: readonly OfferedTool[],
): Call | null {
  const tool = tools.find(
    ({ name }) => name === call || name.endsWith(`_${call}`) || name.endsWith(`-${call}`),
  )
  return tool === undefined ? null : { tool, input }
}

const SHELLS = [
  ...['Bash', 'bash', 'Shell', 'exec_command', 'shell_command', 'shell', 'developer__shell'],
  'run_shell_command',
]

function shelled(
  { shell, escalated }: Extract<Deed, { shell: string }>,
  tools: readonly OfferedTool[],
): Call | null {
  const tool = tools.find(({ name }) => SHELLS.includes(name))
  if (tool === undefined) return null
  const wants = (name: string): boolean => tool.parameters.includes(name)
  return {
    tool,
    input: {
      ...(wants('cmd') ? { cmd: shell } : { command: shell }),
      ...(wants('description') ? { description: 'A step of the script' } : {}),
      ...(wants('is_background') ? { is_background: false } : {}),
      ...(escalated === true && wants('sandbox_permissions')
        ? { sandbox_permissions: 'require_escalated', justification: 'The script says so' }
        : {}),
    },
  }
}

function written(
  { write, text }: Extract<Deed, { write: string }>,
  { prompt, tools }: { readonly prompt: string; readonly tools: readonly OfferedTool[] },
): Call | null {
  const find = (...names: string[]) => tools.find(({ name }) => names.includes(name))
  // A brief names the worktree; some tools take nothing but absolute paths.
  const path = join(/Worktree: (\S+)/.exec(prompt)?.[1] ?? '', write)
  const plain = find('Write', 'write', 'developer__write', 'write_file', 'WriteFile', 'create')
  if (plain !== undefined) {
    const named = (...names: [string, ...string[]]): string =>
      names.find((name) => plain.parameters.includes(name)) ?? names[0]
    const input = {
      [named('path', 'file_path', 'filePath')]: path,
      [named('content', 'file_text')]: text,
    }
    return { tool: plain, input }
  }
  const editor = find('text_editor', 'developer__text_editor')
  if (editor !== undefined) return { tool: editor, input: { command: 'write', path, file_text: text } }
  const patch = find('apply_patch')
  if (patch === undefined) return null
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `+${line}`)
  const change = ['*** Begin Patch', `*** Add File: ${write}`, ...lines, '*** End Patch', ''].join('\n')
  return { tool: patch, input: patch.isFreeform ? change : { input: change } }
}
