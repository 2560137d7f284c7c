import { describe, expect, it } from 'vitest'
import type { Permission } from '../../drivers/index.ts'
import { readyAgent } from '../ready-agents/ready-agents.ts'
import { isOwnTool, type OwnTools } from './own-tools.ts'

const TOOLS: OwnTools = {
  report_outcome: ['decision', 'notes'],
  create_decision: ['headline', 'question', 'options'],
  wait_decision: ['decision', 'seconds'],
  hand_off: [],
  read_run: [],
}

const asking = (more: Partial<Permission>): Permission => ({
  title: more.names?.[0] ?? '',
  toolCall: 't',
  input: null,
  deed: null,
  names: [],
  texts: [],
  files: [],
  options: [],
  received: null,
  ...more,
})

/** As each agent really asks; see what the conformance suite records. */
const REAL: readonly (readonly [agent: string, Partial<Permission>])[] = [
  ['claude', { names: ['mcp__signalbox__report_outcome'], deed: 'other', input: { decision: 'good' } }],
  ['goose', { names: ['signalbox: report outcome'], deed: 'other', input: { decision: 'good' } }],
  [
    'gemini',
    { names: ['report_outcome (signalbox MCP Server)'], deed: 'other', input: { decision: 'good' } },
  ],
  [
    'copilot',
    {
      names: ['signalbox-report_outcome', 'Report the outcome of your step'],
      deed: 'other',
      input: { decision: 'good' },
    },
  ],
  [
    'qwen',
    {
      names: ['{"decision":"good"}', 'Always Allow in project: report_outcome', 'Allow'],
      deed: 'other',
      input: { decision: 'good' },
    },
  ],
  [
    'kimi',
    {
      names: ['mcp__signalbox__report_outcome'],
      input: { decision: 'good' },
      texts: ['Requesting approval to Approve mcp__signalbox__report_outcome'],
    },
  ],
  ['opencode', { names: ['signalbox_report_outcome'], deed: 'other', input: { decision: 'good' } }],
]

describe('our own tools', () => {
  it.each(REAL)('[D17] are known as %s calls them', (agent, more) => {
    expect(isOwnTool(TOOLS, asking(more), readyAgent(agent)?.toolCalls)).toBe(true)
  })

  const names = ['mcp__signalbox__report_outcome']
  it.each<[string, Partial<Permission>]>([
    ['is of a kind that runs something', { names, deed: 'execute', input: { decision: 'good' } }],
    ['is of a kind that changes files', { names, deed: 'edit', input: null }],
    ['holds a command', { names, deed: 'other', input: { decision: 'good', command: 'rm -rf ~' } }],
    ['holds a field of another tool', { names, deed: 'other', input: { headline: 'x' } }],
    ['is about a file', { names, deed: 'other', input: { decision: 'good' }, files: ['/etc/passwd'] }],
    ['has a command in its text', { names, texts: ['Running: rm -rf ~'] }],
    ['is called with a text', { names, input: 'rm -rf ~' }],
    ['has our name only within its own', { names: ['mcp__signalbox__report_outcome; rm -rf ~'] }],
    ['names a tool that is not ours', { names: ['mcp__signalbox__run'] }],
    ['has the way of another agent', { names: ['Always Allow in project: report_outcome'] }],
  ])('[D17] are not what is called so and %s', (_, more) => {
    expect(isOwnTool(TOOLS, asking(more), readyAgent('claude')?.toolCalls)).toBe(false)
  })
})
