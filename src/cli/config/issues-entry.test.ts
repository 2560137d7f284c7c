import { expect, it } from 'vitest'
import { createPlace } from './config.fixture.ts'
import { readConfig } from './config.ts'

const reads = (files: Parameters<typeof createPlace>[0]) => readConfig(createPlace(files))

it('[I1] says where issues are, within the repository', () => {
  expect(reads({ project: 'issues: ./docs/todo/\n' })).toMatchObject({
    config: { issues: 'docs/todo' },
    diagnostics: [],
  })
  expect(reads({ user: 'issues: A\n', project: 'issues: B\n' }).config.issues).toBe('B')
  for (const wrong of ['../elsewhere', '/etc', 'a/../../b', '.git/issues', '.', 'a//b'])
    expect(reads({ project: `issues: "${wrong}"\n` })).toMatchObject({
      config: { issues: null },
      diagnostics: [{ message: expect.stringContaining('no folder of the repository for issues') }],
    })
})
