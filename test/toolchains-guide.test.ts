/** docs/toolchains.md: its runbook compiles, its config is read, and it names every file that is looked for as a manifest. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPlace } from '../src/cli/config/config.fixture.ts'
import { readConfig } from '../src/cli/config/config.ts'
import { detectCommands } from '../src/host/project/project-commands.ts'
import { compileSource } from '../src/runbook/compile.ts'

const guide = readFileSync('docs/toolchains.md', 'utf8')
const [runbook = '', config = ''] = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text ?? '',
)

it('shows a runbook that compiles', () => {
  const { diagnostics } = compileSource({ file: 'guide.yaml', text: `runbook: 1\n${runbook}` }, () => ({
    kind: 'unreadable',
    why: 'is not needed',
  }))
  expect(diagnostics).toEqual([])
})

it('shows a config that is read', () => {
  const read = readConfig(createPlace({ project: config }))
  expect(read.diagnostics).toEqual([])
  expect(Object.keys(read.config.commands).sort()).toEqual(['setup', 'test'])
})

it('names every manifest in the order in which it counts', () => {
  const everything = { has: () => true, text: () => '' }
  const { manifests } = detectCommands(everything, { hasProgram: () => false })
  expect(manifests.length).toBeGreaterThan(5)
  const places = manifests.map((name) => guide.indexOf(`\`${name}\``, guide.indexOf('## What is found')))
  expect(places.every((place) => place !== -1)).toBe(true)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})
