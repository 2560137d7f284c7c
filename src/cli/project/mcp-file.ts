/** The project's `.mcp.json`, with Signalbox among its servers and everything else as it was. */
import { isDeepStrictEqual } from 'node:util'
import { withMember } from './json-member.ts'

export const MCP_FILE = '.mcp.json'
const SERVER = { command: 'signalbox', args: ['mcp'] } as const
const PATH = ['mcpServers', 'signalbox'] as const

export type McpFile =
  | { readonly kind: 'new' | 'changed'; readonly text: string }
  /** Ours is in it already. */
  | { readonly kind: 'present' }
  | { readonly kind: 'kept'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string }

/** From what is there, null for nothing. */
export function mcpFileWith(text: string | null, { force }: { readonly force: boolean }): McpFile {
  if (text === null)
    return { kind: 'new', text: `${JSON.stringify({ mcpServers: { signalbox: SERVER } }, null, 2)}\n` }
  const parsed = parse(text)
  if ('why' in parsed) return { kind: 'malformed', why: parsed.why }
  if (!isObject(parsed.value)) return { kind: 'malformed', why: 'it should hold one object' }
  const servers = parsed.value['mcpServers']
  if (servers !== undefined && !isObject(servers))
    return { kind: 'malformed', why: '`mcpServers` in it should be an object' }
  const ours = servers?.['signalbox']
  if (isDeepStrictEqual(ours, SERVER)) return { kind: 'present' }
  if (ours !== undefined && !force)
    return { kind: 'kept', why: 'it has another "signalbox"; --force replaces that' }
  return { kind: 'changed', text: withMember(text, { path: PATH, value: SERVER }) }
}

/** What to do where agents would not find the command that is written there. */
export const NOT_FOUND = `${MCP_FILE} starts \`${SERVER.command}\`, which is not on your PATH, so agents will not find it: \`npm link\` in the folder of Signalbox puts it there; where Signalbox is a package of this project, write "command": "npx", "args": ["signalbox", "mcp"] instead.`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): { readonly value: unknown } | { readonly why: string } {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) }
  } catch (error) {
    return { why: `it is not JSON (${(error as Error).message.split('\n')[0]})` }
  }
}
