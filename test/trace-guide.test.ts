/** The walk through a recorded trace says of each line what that line is. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Line {
  readonly wire: string
  readonly direction: string
  readonly message: { readonly method?: string }
}

const lines = readFileSync('docs/traces/decision-claude.jsonl', 'utf8').trim().split('\n')
const rows = [
  ...readFileSync('docs/trace.md', 'utf8').matchAll(/^\| (\d+) \| (\w+ \w+) \| (\S+) \| (.*) \|$/gm),
].map(([, line, wire, message, what]) => ({ line: Number(line), wire, message, what: what! }))

it('there is a row for each part of the story', () => {
  expect(rows.length).toBeGreaterThan(10)
})

it.each(rows)('line $line is $wire $message', ({ line, wire, message, what }) => {
  const text = lines[line - 1]!
  const { wire: over, direction, message: sent } = JSON.parse(text) as Line
  expect(`${over} ${direction}`).toBe(wire)
  expect(sent.method === undefined ? 'answer' : `\`${sent.method}\``).toBe(message)
  const [, tool] = /`(\w+_\w+)`/.exec(what) ?? []
  if (tool !== undefined) expect(text).toContain(tool)
})

it('shows no secret and no place of the machine it was recorded on', () => {
  expect(lines.join('\n')).not.toMatch(/Bearer [\w-]{20}|\/work\/|\/root\//)
})
