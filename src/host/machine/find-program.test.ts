import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findProgram } from './find-program.ts'

const dir = mkdtempSync(join(tmpdir(), 'signalbox-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const place = (name: string, mode: number): string => {
  const file = join(dir, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, mode)
  return file
}
const first = place('one/agent', 0o755)
const second = place('two/agent', 0o755)
const plain = place('one/notes', 0o644)
mkdirSync(join(dir, 'one/folder'))
symlinkSync(second, join(dir, 'one/linked'))
const searchPath = ['', join(dir, 'gone'), join(dir, 'one'), join(dir, 'two')].join(delimiter)

describe('a program', () => {
  it('is found by name, in the first place that has it', () => {
    expect(findProgram('agent', searchPath)).toBe(first)
    expect(findProgram('linked', searchPath)).toBe(join(dir, 'one/linked'))
  })

  it('is found by its path, wherever the search path leads', () => {
    expect(findProgram(second, '')).toBe(second)
  })

  it.each([
    ['nothing', ''],
    ['an unknown name', 'no-such-agent'],
    ['a folder', 'folder'],
    ['a file nobody may run', 'notes'],
    ['a path of such a file', plain],
    ['a path that leads nowhere', join(dir, 'nowhere')],
  ])('is not found: %s', (_, name) => {
    expect(findProgram(name, searchPath)).toBeNull()
  })
})
