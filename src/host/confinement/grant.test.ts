/** Paths on a real disk, with links as an agent would plant them. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { createGuard, type Guard, resolveGrant } from './grant.ts'

let home = ''
let guard: Guard = { ours: [], agentsWrite: [] }

beforeEach(() => {
  home = temporaryFolder()
  for (const folder of [
    '.ssh',
    '.cache/tool',
    '.claude',
    'dotfiles/agent',
    '.local/share/signalbox/worktrees',
    'config',
  ])
    mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, '.ssh/id'), 'secret')
  guard = {
    ours: [join(home, '.local/share/signalbox'), join(home, 'config')],
    agentsWrite: [join(home, '.cache'), join(home, '.claude')],
  }
})

const resolved = (path: string) => resolveGrant(join(home, path), createGuard(guard))
const link = (target: string, path: string): void => symlinkSync(target, join(home, path))

describe('[X4] a path that is to be shown', () => {
  it('is followed to where it really is, and keeps the name it was given', () => {
    link('dotfiles/agent', '.agent')
    link(join(home, '.agent'), '.again')
    expect(resolved('.ssh/id')).toMatchObject({
      kind: 'granted',
      at: join(home, '.ssh/id'),
      real: join(home, '.ssh/id'),
      links: [],
    })
    expect(resolved('.again')).toMatchObject({
      kind: 'granted',
      at: join(home, '.again'),
      real: join(home, 'dotfiles/agent'),
      links: [join(home, '.again'), join(home, '.agent')],
    })
    expect(resolved('.cache')).toMatchObject({ kind: 'granted' })
  })

  it.each([
    [
      'a link that an agent put in its own folder',
      () => link(join(home, '.ssh'), '.cache/planted'),
      '.cache/planted',
    ],
    ['a folder behind such a link', () => link(join(home, '.ssh'), '.cache/planted'), '.cache/planted/id'],
    [
      'a name outside that leads through it',
      () => {
        link(join(home, '.ssh'), '.claude/planted')
        link('.claude/planted', 'tool')
      },
      'tool',
    ],
    ['a plain folder in it, which the agent may replace at any moment', () => {}, '.cache/tool'],
    ['what is not there yet, and the agent could make', () => {}, '.claude/later'],
    ['a name that walks back into it', () => {}, 'dotfiles/../.cache/tool'],
  ])('is never %s', (_what, plant, path) => {
    plant()
    expect(resolved(path)).toMatchObject({ kind: 'within' })
  })

  it('is judged by where the agent’s folder really is, too', () => {
    link('dotfiles', 'linked-dotfiles')
    guard = { ...guard, agentsWrite: [join(home, 'linked-dotfiles')] }
    expect(resolved('dotfiles/agent')).toMatchObject({ kind: 'within' })
  })

  it.each([
    '.local/share/signalbox',
    '.local/share/signalbox/worktrees',
    '.local/share',
    '.',
    '..',
    'config',
    'config/config.yaml',
    '../../../..',
  ])('is never what holds, is or lies in what is ours: %s', (path) => {
    expect(resolved(path)).toMatchObject({ kind: 'ours' })
  })

  it('is never a link to that either, nor ours by another name', () => {
    link(join(home, '.local/share'), 'harmless')
    expect(resolved('harmless')).toMatchObject({ kind: 'ours' })
    link(join(home, '.local/share/signalbox'), 'box')
    guard = { ...guard, ours: [join(home, 'box')] }
    expect(resolved('.local/share/signalbox/worktrees')).toMatchObject({ kind: 'ours' })
  })

  it('may have a name that only begins like ours', () => {
    mkdirSync(join(home, '.local/share/signalbox-other'))
    expect(resolved('.local/share/signalbox-other')).toMatchObject({ kind: 'granted' })
  })

  it('is missing where nothing is, or links go round', () => {
    link('round-2', 'round-1')
    link('round-1', 'round-2')
    expect([resolved('gone'), resolved('round-1'), resolved('.ssh/id/deeper')]).toMatchObject([
      { kind: 'missing' },
      { kind: 'missing' },
      { kind: 'missing' },
    ])
  })
})
