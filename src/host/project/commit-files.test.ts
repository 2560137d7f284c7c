import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRepository } from '../workspace/repository.fixture.ts'
import { filesOfCommit } from './commit-files.ts'

it('tells what a commit has, whatever the checkout has by now', async () => {
  const repo = createRepository({
    'package.json': '{"name":"größe"}',
    'package-lock.json': '{}',
    'tests/__init__.py': '',
  })
  repo.write('Cargo.toml', 'not committed')
  repo.write('package.json', 'changed')
  const { has, text } = await filesOfCommit({ repo: repo.dir, commit: 'HEAD' })
  expect(['package.json', 'package-lock.json', 'tests', 'tests/__init__.py'].every(has)).toBe(true)
  expect(has('Cargo.toml')).toBe(false)
  expect(text('package.json')).toContain('"name"')
  expect(text('tests')).toBe('')
})

it('takes a link for nothing, wherever it leads', async () => {
  const repo = createRepository()
  repo.write('elsewhere', '{"scripts":{"test":"x"}}')
  symlinkSync('elsewhere', join(repo.dir, 'package.json'))
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'link')
  const { has, text } = await filesOfCommit({ repo: repo.dir, commit: 'HEAD' })
  expect(has('package.json')).toBe(false)
  expect(text('package.json')).toBe('')
})
