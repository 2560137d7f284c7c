import { describe, expect, it } from 'vitest'
import { given, type Scene } from './given.fixture.ts'
import { writesOf } from './views/boundary.ts'
import { briefOf } from './views/brief.ts'

const flow = (writes: string) => `
vars: { area: core }
agents: { lead: { writes: [] }, dev: { writes: ${writes} } }
handoffs:
  task:
    fields: { files: { type: list, required: true }, folder: { type: text, required: true }, page: { type: file, required: true } }
steps:
  task: { agent: lead, gives: task, next: build }
  build: { agent: dev, nudges: 1, next: done }
`

const handedOver = (writes: string, values: Record<string, unknown> = {}): Scene =>
  given(flow(writes))
    .started()
    .answer('task', { handoff: { files: [], folder: 'lib', page: 'docs/a.md', ...values } })

const granted = (writes: string, values?: Record<string, unknown>) => {
  const { program, state } = handedOver(writes, values)
  return writesOf(program, state, 'dev')
}

describe('what an agent may write', () => {
  it('[A16] is what a list says, item by item, where it stands alone', () => {
    const files = ['src/a.ts', 'test/**']
    expect(granted('"${steps.task.files}"', { files })).toEqual(files)
    expect(granted('[notes, "${steps.task.files}", docs/*]', { files })).toEqual([
      'notes',
      'src/a.ts',
      'test/**',
      'docs/*',
    ])
  })

  it('[A16] is one glob by a text, a file or a variable, also inside other text', () => {
    expect(granted('["${steps.task.page}", "${steps.task.folder}/**"]')).toEqual(['docs/a.md', 'lib/**'])
    expect(granted('["src/${var.area}/*.ts"]')).toEqual(['src/core/*.ts'])
    expect(granted(`['src/\${steps.build.notes ?? "none"}']`)).toEqual(['src/none'])
  })

  it('[A16] is nothing by an empty list, also where an exception follows it', () => {
    expect(granted('"${steps.task.files}"')).toEqual([])
    expect(granted('["${steps.task.files}", "!docs/**"]')).toEqual([])
    expect(granted('["!docs/**", "${steps.task.files}"]')).toEqual(['!docs/**'])
  })

  it.each([
    '/etc/passwd',
    '\\etc',
    'C:/windows',
    '../outside',
    'src/../../outside',
    'src/{a,..}/b',
    'a\0b',
    'a\nb',
    '.git/hooks/pre-commit',
    'vendored/.git/config',
    '.GIT/config',
    '.g\\it/config',
    '.signalbox/build.yaml',
    './.signalbox/build.yaml',
    '{src,.signalbox}/x',
    '',
    'x'.repeat(2000),
    '!.git',
  ])('[A17] does not grow by %j', (item) => {
    expect(granted('"${steps.task.files}"', { files: [item] })).toEqual([])
    expect(granted('["src/**", "${steps.task.folder}"]', { folder: item })).toEqual(['src/**'])
  })

  it('[A17] never becomes everything because what was looked up begins with an exception', () => {
    expect(granted('"${steps.task.files}"', { files: ['!docs/**'] })).toEqual([])
    expect(granted('"${steps.task.files}"', { files: ['!docs/**', 'src/**', '!src/x'] })).toEqual([
      'src/**',
      '!src/x',
    ])
  })

  it('[A17] keeps what is private out of an open glob', () => {
    for (const open of ['**', '*/x', '?signalbox/**', '{a,.s}*/**', './**'])
      expect(granted('"${steps.task.files}"', { files: [open] })).toEqual([open, '!{.git,.signalbox}{,/**}'])
    expect(granted('"${steps.task.files}"', { files: ['src/**'] })).toEqual(['src/**'])
  })

  it.each(['docs/**', ' docs/**\n', './docs/**'])(
    '[A16] is without what an exception looks up: %j',
    (folder) => {
      expect(granted('["**", "!${steps.task.folder}"]', { folder })).toEqual(['**', `!${folder.trim()}`])
      expect(granted('["!${steps.task.folder}"]', { folder })).toEqual([`!${folder.trim()}`])
    },
  )

  it.each([
    '/docs/**',
    '../docs',
    'docs\n/**',
    '!docs/**',
    'docs//**',
    'docs/./x',
    '.',
    ' ',
    'x'.repeat(2000),
  ])('[A19] is nothing where an exception cannot be made of %j', (folder) => {
    expect(granted('["**", "!${steps.task.folder}"]', { folder })).toEqual([])
    expect(granted('["!${steps.task.folder}", "src/**"]', { folder })).toEqual([])
  })

  it('[A19] is told as nothing, with the exception that could not be made', () => {
    const run = handedOver('["**", "!${steps.task.folder}"]', { folder: '/docs/**' })
    expect(briefOf(run.program, run.state, 0, () => undefined).unusable).toBe('!${steps.task.folder}')
    run.trespass('build', ['src/b.ts'])
    expect(run.member().message).toContain(
      'You may read everything and change nothing, because what was looked up for the exception `!${steps.task.folder}` names no files.',
    )
  })

  it('[A16] stands in its brief, and in what it is told of writes outside', () => {
    const run = handedOver('"${steps.task.files}"', { files: ['src/a.ts'] })
    expect(briefOf(run.program, run.state, 0, () => undefined).writes).toEqual(['src/a.ts'])
    run.trespass('build', ['src/b.ts'])
    expect(run.member().message).toContain('You may change only: src/a.ts')
  })

  it('[A18] can be out of bounds by its judge alone', () => {
    const run = given(
      'agents: { dev: { judge: ./tests-only } }\nsteps: { build: { agent: dev, nudges: 1, next: done, on: { out_of_bounds: abandoned } } }',
    ).started()
    run.trespass('build', ['src/b.ts'])
    expect(run.member().message).toContain('- src/b.ts')
    expect(run.member().message).not.toContain('You may change only')
    expect(run.trespass('build', ['src/b.ts']).place).toBe('ended: abandoned')
  })
})
